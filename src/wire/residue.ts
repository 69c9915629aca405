import { digestJson } from './digest.ts'
import {
  isEqualJson,
  isEmptyObject,
  isList,
  isObject,
  type Json,
  type JsonObject,
  getOwnValue,
  setKey,
} from './json.ts'

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
export interface Binding {
  readonly keys: readonly string[]
  readonly content: BoundContent
}

/** A content, or how to get it, where few ask for it. */
type BoundContent = Json | (() => Json)

/** What a patch needs to know of a bond: the content as it is now, and who hears of what no longer holds. */
export interface Bound {
  readonly content: BoundContent
  onMismatch(key: string): void
}

/** Other spellings of wire keys, at any depth: the one that the encoder writes, then those that mean the same. */
export type KeyAliases = { readonly [key: string]: readonly string[] }

const META_KEY = '$'
const DOLLAR_KEY = /^\$+$/

const EMPTY = Object.freeze({})

/** A guard: equal values give equal text, and no canonical text is repeated. */
function createGuard(value: Json): string {
  return digestJson(value).slice(0, 16)
}

function createBindingGuard(content: BoundContent): string {
  return createGuard(typeof content === 'function' ? content() : content)
}

/** What a patch must do to make `wire` of `made`; undefined when they are equal. */
export function diffResidue(
  made: Json,
  wire: Json,
  hints: JsonObject = EMPTY,
  aliases: KeyAliases = EMPTY,
  bond?: Binding,
): Residue | undefined {
  // Most units are just what the encoder writes.
  if (isEqualJson(made, wire)) return isEmptyObject(hints) ? undefined : { [META_KEY]: { hints } }
  return collectDifference(made, wire, aliases, bond).build(hints)
}

function collectDifference(
  made: Json,
  wire: Json,
  aliases: KeyAliases,
  bond: Binding | undefined,
): ResidueBuilder {
  const found = new ResidueBuilder(aliases, bond)
  if (isObject(made) && isObject(wire)) diffObjects(made, wire, found)
  else if (isList(made) && isList(wire)) diffLists(made, wire, found)
  return found
}

/** A difference being gathered: most units have none, so nothing is made before it is found. */
class ResidueBuilder {
  readonly aliases: KeyAliases
  readonly binding: Binding | undefined
  #plainKeys: Record<string, Json> | undefined
  #meta: Record<string, Json> | undefined

  constructor(aliases: KeyAliases, bond: Binding | undefined) {
    this.aliases = aliases
    this.binding = bond
  }

  addPlainKey(key: string, value: Json): void {
    setKey((this.#plainKeys ??= {}), DOLLAR_KEY.test(key) ? `$${key}` : key, value)
  }

  addMeta(group: GroupName, key: string, value: Json): void {
    const odd = (this.#meta ??= {})
    setKey((odd[group] ??= {}) as object, key, value)
  }

  /** How long a list is whose items differ. */
  setListLength(items: number): void {
    if (this.#meta !== undefined) this.#meta[LENGTH] = items
  }

  /** Two values of one key: patched inside where they have the same form, else exchanged. */
  compare(key: string, made: Json, wire: Json): void {
    if (made === wire) return
    const objects = isObject(made) && isObject(wire)
    const lists = isList(made) && isList(wire) && made.length === wire.length
    const inside =
      objects || lists ? collectDifference(made, wire, this.aliases, this.binding).build(EMPTY) : undefined
    if (inside !== undefined) this.addMeta('nested', key, inside)
    else if (!objects && !lists) this.addMeta('replaced', key, [createGuard(made), wire])
  }

  build(hints: JsonObject): Residue | undefined {
    if (!isEmptyObject(hints)) (this.#meta ??= {})['hints'] = hints
    if (this.#meta !== undefined) (this.#plainKeys ??= {})[META_KEY] = this.#meta
    return this.#plainKeys
  }
}

function diffObjects(made: JsonObject, wire: JsonObject, found: ResidueBuilder): void {
  const { aliases, binding } = found
  const keys = Object.keys(made)
  const spellings = aliases === EMPTY ? undefined : findAliases(keys, wire, aliases)
  let met = 0
  for (const key of Object.keys(wire)) {
    const value = wire[key] as Json
    const written = spellings?.get(key) ?? key
    if (binding?.keys.includes(key) && isSignificant(value)) {
      if (Object.hasOwn(made, key)) met += 1
      if (!isEqualJson(made[key], value))
        found.addMeta('bound', key, [createBindingGuard(binding.content), value])
      continue
    }
    if (!Object.hasOwn(made, written)) {
      found.addPlainKey(key, value)
      continue
    }
    met += 1
    if (written !== key) found.addMeta('spelledAs', written, key)
    found.compare(written, made[written] as Json, value)
  }
  if (met < keys.length) diffMissing(keys, made, wire, found, [...(spellings?.values() ?? [])])
}

/** What was written and did not come. */
function diffMissing(
  keys: readonly string[],
  made: JsonObject,
  wire: JsonObject,
  found: ResidueBuilder,
  respelled: readonly string[],
): void {
  for (const key of keys) {
    if (!Object.hasOwn(wire, key) && !respelled.includes(key))
      found.addMeta('omitted', key, createGuard(made[key] as Json))
  }
}

function diffLists(made: readonly Json[], wire: readonly Json[], found: ResidueBuilder): void {
  if (made.length !== wire.length) return
  wire.forEach((value, index) => {
    const mine = made[index] as Json
    if (mine !== value) found.compare(String(index), mine, value)
  })
  found.setListLength(wire.length)
}

/** Wire keys that are another spelling of one that the encoder writes; undefined where there are none. */
function findAliases(
  keys: readonly string[],
  wire: JsonObject,
  aliases: KeyAliases,
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
function readMeta(residue: Residue): Group {
  const odd = getOwnValue(residue, META_KEY)
  return isObject(odd) ? (odd as Group) : EMPTY
}

function readGroup(odd: Group, name: GroupName): Group {
  const group = getOwnValue(odd, name)
  return isObject(group) ? (group as Group) : EMPTY
}

/** The form hints of a residue. */
export function hintsOf(residue: Residue | undefined): JsonObject {
  return residue === undefined ? EMPTY : readGroup(readMeta(residue), 'hints')
}

/** What a residue keeps that vouches for a content: a digest of the content, and the value. */
export function boundEntriesOf(residue: Residue | undefined): JsonObject {
  return residue === undefined ? EMPTY : readGroup(readMeta(residue), 'bound')
}

/** The made value with the residue applied where its guards still hold; the encoder's own values always win. */
export function patchResidue<T extends Json>(made: T, residue: Residue | undefined, bonded?: Bound): T {
  if (!isObject(residue)) return made
  if (Array.isArray(made)) return patchList(made, readMeta(residue), bonded) as unknown as T
  return isObject(made) ? (patchObject(made, residue, bonded) as T) : made
}

function patchObject(made: JsonObject, residue: Residue, bonded: Bound | undefined): JsonObject {
  const odd = readMeta(residue)
  const omitted = readGroup(odd, 'omitted')
  const spelledAs = readGroup(odd, 'spelledAs')
  const out: Record<string, Json> = {}
  for (const key of Object.keys(made)) {
    const value = made[key] as Json
    if (Object.hasOwn(omitted, key) && omitted[key] === createGuard(value)) continue
    const spelling = getOwnValue(spelledAs, key)
    setKey(out, typeof spelling === 'string' ? spelling : key, patchValue(key, value, odd, bonded))
  }
  for (const key of Object.keys(residue)) {
    const wireKey = DOLLAR_KEY.test(key) ? key.slice(1) : key
    if (key !== META_KEY && !Object.hasOwn(out, wireKey) && !Object.hasOwn(made, wireKey))
      setKey(out, wireKey, residue[key])
  }
  if (bonded !== undefined) applyBound(out, readGroup(odd, 'bound'), bonded)
  return out
}

function applyBound(out: object, bound: Group, bonded: Bound): void {
  for (const [key, entry] of Object.entries(bound)) {
    if (Array.isArray(entry) && entry[0] === createBindingGuard(bonded.content)) setKey(out, key, entry[1])
    else bonded.onMismatch(key)
  }
}

function patchList(made: readonly Json[], odd: Group, bonded: Bound | undefined): readonly Json[] {
  if (getOwnValue(odd, LENGTH) !== made.length) return made
  return made.map((value, index) => patchValue(String(index), value, odd, bonded))
}

function patchValue(key: string, value: Json, odd: Group, bonded: Bound | undefined): Json {
  const exchange = getOwnValue(readGroup(odd, 'replaced'), key)
  if (Array.isArray(exchange)) return exchange[0] === createGuard(value) ? (exchange[1] as Json) : value
  return patchResidue(value, getOwnValue(readGroup(odd, 'nested'), key) as Residue | undefined, bonded)
}

/**
 * Where a residue holds more than the form of things, as keys into it: values that would be missing elsewhere. Null and the
 * empty forms say nothing.
 */
export function significantPaths(residue: Residue): readonly (readonly string[])[] {
  const odd = readMeta(residue)
  const inside = readGroup(odd, 'nested')
  const exchanged = (name: 'replaced' | 'bound'): string[][] =>
    Object.entries(readGroup(odd, name))
      .filter(([, entry]) => Array.isArray(entry) && isSignificant(entry[1] as Json))
      .map(([key]) => [META_KEY, name, key])
  return [
    ...Object.keys(residue)
      .filter((key) => key !== META_KEY && isSignificant(residue[key] as Json))
      .map((key) => [key]),
    ...exchanged('replaced'),
    ...exchanged('bound'),
    ...Object.keys(inside).flatMap((key) => {
      const nested = inside[key]
      return isObject(nested)
        ? significantPaths(nested).map((below) => [META_KEY, 'nested', key, ...below])
        : []
    }),
  ]
}

function isSignificant(value: Json): boolean {
  if (value === null || value === '') return false
  return typeof value !== 'object' || !isEmptyObject(value)
}
