import { digestJson } from './digest.ts'
import { equalJson, isEmpty, isList, isObject, type Json, type JsonObject, ownValue, setKey } from './json.ts'

/**
 * The difference between a wire value and the value that the encoder writes from the canonical fields alone.
 *
 * Plain keys are fields that the encoder does not write; applications may read and set them. Everything else is stored
 * below `$` (a wire key that consists of dollar signs gets one more), in these groups:
 * - `nested`: the residue of nested objects and of lists of the same `length`,
 * - `replaced`: a value that differs from the encoder's, guarded by a digest of the encoder's value,
 * - `omitted`: a key that the encoder writes and the wire lacked, guarded by a digest of the encoder's value,
 * - `spelledAs`: another spelling of a key,
 * - `bound`: a value that authenticates content, with a digest of that content: an edit of the content removes it,
 * - `hints`: forms that the encoder reads by name.
 */
export type Residue = JsonObject

/** Forms that a patch could only express by copying text, by name; the encoder reads them in both directions. */
export type Hints<Name extends string> = { readonly [name in Name]?: Json }

type Group = { readonly [key: string]: Json }

/** The groups below `$`. */
type GroupName = 'nested' | 'replaced' | 'omitted' | 'spelledAs' | 'bound' | 'hints'

/** The length of a list whose items differ, next to the groups. */
const LENGTH = 'length'

/** Wire keys that vouch for a content, at any depth, and the content: logprobs of a text, the token of a citation. */
export interface Bond {
  readonly keys: readonly string[]
  readonly of: Content
}

/** A content, or how to get it, where few ask for it. */
type Content = Json | (() => Json)

/** What a patch needs to know of a bond: the content as it is now, and who hears of what no longer holds. */
export interface Bonded {
  readonly of: Content
  stale(key: string): void
}

/** Other spellings of wire keys, at any depth: the one that the encoder writes, then those that mean the same. */
export type Aliases = { readonly [key: string]: readonly string[] }

const ODD = '$'
const dollars = /^\$+$/

const NONE = Object.freeze({})

/** A guard: equal values give equal text, and no canonical text is repeated. */
function guardOf(value: Json): string {
  return digestJson(value).slice(0, 16)
}

function bondGuard(content: Content): string {
  return guardOf(typeof content === 'function' ? content() : content)
}

/** What a patch must do to make `wire` of `made`; undefined when they are equal. */
export function diff(
  made: Json,
  wire: Json,
  hints: JsonObject = NONE,
  aliases: Aliases = NONE,
  bond?: Bond,
): Residue | undefined {
  // Most units are just what the encoder writes.
  if (equalJson(made, wire)) return isEmpty(hints) ? undefined : { [ODD]: { hints } }
  return difference(made, wire, aliases, bond).residue(hints)
}

function difference(made: Json, wire: Json, aliases: Aliases, bond: Bond | undefined): Finding {
  const found = new Finding(aliases, bond)
  if (isObject(made) && isObject(wire)) diffObjects(made, wire, found)
  else if (isList(made) && isList(wire)) diffLists(made, wire, found)
  return found
}

/** A difference being gathered: most units have none, so nothing is made before it is found. */
class Finding {
  readonly aliases: Aliases
  readonly bond: Bond | undefined
  #plain: Record<string, Json> | undefined
  #odd: Record<string, Json> | undefined

  constructor(aliases: Aliases, bond: Bond | undefined) {
    this.aliases = aliases
    this.bond = bond
  }

  plain(key: string, value: Json): void {
    setKey((this.#plain ??= {}), dollars.test(key) ? `$${key}` : key, value)
  }

  odd(group: GroupName, key: string, value: Json): void {
    const odd = (this.#odd ??= {})
    setKey((odd[group] ??= {}) as object, key, value)
  }

  /** How long a list is whose items differ. */
  length(items: number): void {
    if (this.#odd !== undefined) this.#odd[LENGTH] = items
  }

  /** Two values of one key: patched inside where they have the same form, else exchanged. */
  compare(key: string, made: Json, wire: Json): void {
    if (made === wire) return
    const objects = isObject(made) && isObject(wire)
    const lists = isList(made) && isList(wire) && made.length === wire.length
    const inside =
      objects || lists ? difference(made, wire, this.aliases, this.bond).residue(NONE) : undefined
    if (inside !== undefined) this.odd('nested', key, inside)
    else if (!objects && !lists) this.odd('replaced', key, [guardOf(made), wire])
  }

  residue(hints: JsonObject): Residue | undefined {
    if (!isEmpty(hints)) (this.#odd ??= {})['hints'] = hints
    if (this.#odd !== undefined) (this.#plain ??= {})[ODD] = this.#odd
    return this.#plain
  }
}

function diffObjects(made: JsonObject, wire: JsonObject, found: Finding): void {
  const { aliases, bond } = found
  const keys = Object.keys(made)
  const spellings = aliases === NONE ? undefined : spellingsOf(keys, wire, aliases)
  let met = 0
  for (const key of Object.keys(wire)) {
    const value = wire[key] as Json
    const written = spellings?.get(key) ?? key
    if (bond?.keys.includes(key) && isValue(value)) {
      if (Object.hasOwn(made, key)) met += 1
      if (!equalJson(made[key], value)) found.odd('bound', key, [bondGuard(bond.of), value])
      continue
    }
    if (!Object.hasOwn(made, written)) {
      found.plain(key, value)
      continue
    }
    met += 1
    if (written !== key) found.odd('spelledAs', written, key)
    found.compare(written, made[written] as Json, value)
  }
  if (met < keys.length) diffMissing(keys, made, wire, found, [...(spellings?.values() ?? [])])
}

/** What was written and did not come. */
function diffMissing(
  keys: readonly string[],
  made: JsonObject,
  wire: JsonObject,
  found: Finding,
  respelled: readonly string[],
): void {
  for (const key of keys) {
    if (!Object.hasOwn(wire, key) && !respelled.includes(key))
      found.odd('omitted', key, guardOf(made[key] as Json))
  }
}

function diffLists(made: readonly Json[], wire: readonly Json[], found: Finding): void {
  if (made.length !== wire.length) return
  wire.forEach((value, index) => {
    const mine = made[index] as Json
    if (mine !== value) found.compare(String(index), mine, value)
  })
  found.length(wire.length)
}

/** Wire keys that are another spelling of one that the encoder writes; undefined where there are none. */
function spellingsOf(
  keys: readonly string[],
  wire: JsonObject,
  aliases: Aliases,
): ReadonlyMap<string, string> | undefined {
  let spellings: Map<string, string> | undefined
  for (const key of keys) {
    if (Object.hasOwn(wire, key) || !Object.hasOwn(aliases, key)) continue
    const other = aliases[key]?.find((each) => Object.hasOwn(wire, each))
    if (other !== undefined) (spellings ??= new Map()).set(other, key)
  }
  return spellings
}

/** What stands below `$`. Everything there is checked when it is read: applications may write slots, too. */
function oddOf(residue: Residue): Group {
  const odd = ownValue(residue, ODD)
  return isObject(odd) ? (odd as Group) : NONE
}

function groupOf(odd: Group, name: GroupName): Group {
  const group = ownValue(odd, name)
  return isObject(group) ? (group as Group) : NONE
}

/** The form hints of a residue. */
export function hintsOf(residue: Residue | undefined): JsonObject {
  return residue === undefined ? NONE : groupOf(oddOf(residue), 'hints')
}

/** What a residue keeps that vouches for a content: a digest of the content, and the value. */
export function boundOf(residue: Residue | undefined): JsonObject {
  return residue === undefined ? NONE : groupOf(oddOf(residue), 'bound')
}

/** The made value with the residue applied where its guards still hold; the encoder's own values always win. */
export function patch<T extends Json>(made: T, residue: Residue | undefined, bonded?: Bonded): T {
  if (!isObject(residue)) return made
  if (Array.isArray(made)) return patchList(made, oddOf(residue), bonded) as unknown as T
  return isObject(made) ? (patchObject(made, residue, bonded) as T) : made
}

function patchObject(made: JsonObject, residue: Residue, bonded: Bonded | undefined): JsonObject {
  const odd = oddOf(residue)
  const omitted = groupOf(odd, 'omitted')
  const spelledAs = groupOf(odd, 'spelledAs')
  const out: Record<string, Json> = {}
  for (const key of Object.keys(made)) {
    const value = made[key] as Json
    if (Object.hasOwn(omitted, key) && omitted[key] === guardOf(value)) continue
    const spelling = ownValue(spelledAs, key)
    setKey(out, typeof spelling === 'string' ? spelling : key, patched(key, value, odd, bonded))
  }
  for (const key of Object.keys(residue)) {
    const wireKey = dollars.test(key) ? key.slice(1) : key
    if (key !== ODD && !Object.hasOwn(out, wireKey) && !Object.hasOwn(made, wireKey))
      setKey(out, wireKey, residue[key])
  }
  if (bonded !== undefined) restoreBound(out, groupOf(odd, 'bound'), bonded)
  return out
}

function restoreBound(out: object, bound: Group, bonded: Bonded): void {
  for (const [key, entry] of Object.entries(bound)) {
    if (Array.isArray(entry) && entry[0] === bondGuard(bonded.of)) setKey(out, key, entry[1])
    else bonded.stale(key)
  }
}

function patchList(made: readonly Json[], odd: Group, bonded: Bonded | undefined): readonly Json[] {
  if (ownValue(odd, LENGTH) !== made.length) return made
  return made.map((value, index) => patched(String(index), value, odd, bonded))
}

function patched(key: string, value: Json, odd: Group, bonded: Bonded | undefined): Json {
  const exchange = ownValue(groupOf(odd, 'replaced'), key)
  if (Array.isArray(exchange)) return exchange[0] === guardOf(value) ? (exchange[1] as Json) : value
  return patch(value, ownValue(groupOf(odd, 'nested'), key) as Residue | undefined, bonded)
}

/**
 * Where a residue holds more than the form of things, as keys into it: values that would be missing elsewhere. Null and the
 * empty forms say nothing.
 */
export function sayings(residue: Residue): readonly (readonly string[])[] {
  const odd = oddOf(residue)
  const inside = groupOf(odd, 'nested')
  const exchanged = (name: 'replaced' | 'bound'): string[][] =>
    Object.entries(groupOf(odd, name))
      .filter(([, entry]) => Array.isArray(entry) && isValue(entry[1] as Json))
      .map(([key]) => [ODD, name, key])
  return [
    ...Object.keys(residue)
      .filter((key) => key !== ODD && isValue(residue[key] as Json))
      .map((key) => [key]),
    ...exchanged('replaced'),
    ...exchanged('bound'),
    ...Object.keys(inside).flatMap((key) => {
      const nested = inside[key]
      return isObject(nested) ? sayings(nested).map((below) => [ODD, 'nested', key, ...below]) : []
    }),
  ]
}

function isValue(value: Json): boolean {
  if (value === null || value === '') return false
  return typeof value !== 'object' || !isEmpty(value)
}
