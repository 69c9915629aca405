import { digestJson } from './digest.ts'
import { equalJson, isObject, type Json, type JsonObject, ownValue, setKey } from './json.ts'

/**
 * The difference between what a wire value says and what the encoder would write from the canonical fields alone.
 *
 * Plain keys are what the encoder does not write at all; applications may read and set them. Everything else stands
 * below `$` (a wire key made of dollar signs gets one more):
 * - `in`: residue of nested objects and of lists of the same length (`n`),
 * - `swap`: another value than the encoder writes, guarded by a digest of the encoder's,
 * - `drop`: what the encoder writes and the wire lacked, guarded likewise,
 * - `as`: another spelling of a key,
 * - `bound`: what vouches for a content, with a digest of that content: it leaves with an edit of it,
 * - `hints`: forms that the encoder asks for by name.
 */
export type Residue = JsonObject

/** Forms that a patch could only express by copying text: what the encoder is told in both directions. */
export type Hints = JsonObject

type Group = { readonly [key: string]: Json }

/** What stands below `$`. Each group is checked when it is read: applications may write slots, too. */
interface Odd {
  readonly n?: Json
  readonly in: Group
  readonly swap: Group
  readonly drop: Group
  readonly as: Group
  readonly bound: Group
  readonly hints: Hints
}

/** Wire keys that vouch for a content, and the content: logprobs of a text, the token of a citation. */
export interface Bond {
  readonly keys: readonly string[]
  readonly of: Json
}

/** What a patch needs to know of a bond: the content as it is now, and who hears of what no longer holds. */
export interface Bonded {
  readonly of: Json
  stale(key: string): void
}

/** Other spellings of wire keys, at any depth: the one that the encoder writes, then those that mean the same. */
export type Aliases = { readonly [key: string]: readonly string[] }

const ODD = '$'
const dollars = /^\$+$/

/** A guard: equal values give equal text, and no canonical text is repeated. */
function guardOf(value: Json): string {
  return digestJson(value).slice(0, 16)
}

/** What a patch must do to make `wire` of `made`; undefined when they are equal. */
export function diff(
  made: Json,
  wire: Json,
  hints: Hints = {},
  aliases: Aliases = {},
  bond?: Bond,
): Residue | undefined {
  if (equalJson(made, wire) && bond === undefined)
    return Object.keys(hints).length === 0 ? undefined : { [ODD]: { hints } }
  const found = new Finding(aliases)
  if (isObject(made) && isObject(wire)) diffObjects(made, wire, found, bond)
  else if (Array.isArray(made) && Array.isArray(wire)) diffLists(made, wire, found)
  return found.residue(hints)
}

/** A difference being gathered. */
class Finding {
  readonly aliases: Aliases
  readonly plain: Record<string, Json> = {}
  readonly in: Record<string, Json> = {}
  readonly swap: Record<string, Json> = {}
  readonly drop: Record<string, Json> = {}
  readonly as: Record<string, Json> = {}
  readonly bound: Record<string, Json> = {}
  n: number | undefined

  constructor(aliases: Aliases) {
    this.aliases = aliases
  }

  /** Two values of one key: patched inside where they have the same form, else exchanged. */
  compare(key: string, made: Json, wire: Json): void {
    if (equalJson(made, wire)) return
    const objects = isObject(made) && isObject(wire)
    const lists = Array.isArray(made) && Array.isArray(wire) && made.length === wire.length
    if (objects || lists) setKey(this.in, key, diff(made, wire, {}, this.aliases) ?? {})
    else setKey(this.swap, key, [guardOf(made), wire])
  }

  residue(hints: Hints): Residue | undefined {
    const { in: inside, swap, drop, as, bound } = this
    const groups = Object.entries({ in: inside, swap, drop, as, bound, hints }).filter(
      ([, group]) => Object.keys(group).length > 0,
    )
    if (groups.length === 0) return Object.keys(this.plain).length === 0 ? undefined : this.plain
    return {
      ...this.plain,
      [ODD]: { ...(this.n !== undefined && { n: this.n }), ...Object.fromEntries(groups) },
    }
  }
}

function diffObjects(
  made: JsonObject,
  wire: JsonObject,
  found: Finding,
  bond: Bond | undefined,
): void {
  const spellings = spellingsOf(made, wire, found.aliases)
  for (const [key, value] of Object.entries(wire)) {
    if (bond?.keys.includes(key) && isValue(value)) {
      setKey(found.bound, key, [guardOf(bond.of), value])
      continue
    }
    const written = spellings.get(key) ?? key
    if (written !== key) setKey(found.as, written, key)
    if (Object.hasOwn(made, written)) found.compare(written, ownValue(made, written) as Json, value)
    else setKey(found.plain, dollars.test(key) ? `$${key}` : key, value)
  }
  const respelled = new Set(spellings.values())
  for (const [key, value] of Object.entries(made)) {
    if (!Object.hasOwn(wire, key) && !respelled.has(key)) setKey(found.drop, key, guardOf(value))
  }
}

function diffLists(made: readonly Json[], wire: readonly Json[], found: Finding): void {
  if (made.length !== wire.length) return
  found.n = wire.length
  wire.forEach((value, index) => found.compare(String(index), made[index] as Json, value))
}

/** Wire keys that are another spelling of one that the encoder writes. */
function spellingsOf(made: JsonObject, wire: JsonObject, aliases: Aliases): Map<string, string> {
  const spellings = new Map<string, string>()
  for (const [key, others] of Object.entries(aliases)) {
    if (!Object.hasOwn(made, key) || Object.hasOwn(wire, key)) continue
    const other = others.find((each) => Object.hasOwn(wire, each))
    if (other !== undefined) spellings.set(other, key)
  }
  return spellings
}

function oddOf(residue: Residue): Odd {
  const odd = ownValue(residue, ODD)
  const group = (name: string): Group => {
    const found = isObject(odd) ? ownValue(odd, name) : undefined
    return isObject(found) ? (found as Group) : {}
  }
  return {
    ...(isObject(odd) && { n: ownValue(odd, 'n') as Json }),
    in: group('in'),
    swap: group('swap'),
    drop: group('drop'),
    as: group('as'),
    bound: group('bound'),
    hints: group('hints'),
  }
}

/** The form hints of a residue. */
export function hintsOf(residue: Residue | undefined): Hints {
  return residue === undefined ? {} : oddOf(residue).hints
}

/** The made value with the residue applied where its guards still hold; the encoder's own values always win. */
export function patch<T extends Json>(made: T, residue: Residue | undefined, bonded?: Bonded): T {
  if (!isObject(residue)) return made
  if (Array.isArray(made)) return patchList(made, oddOf(residue)) as unknown as T
  return isObject(made) ? (patchObject(made, residue, bonded) as T) : made
}

function patchObject(made: JsonObject, residue: Residue, bonded: Bonded | undefined): JsonObject {
  const odd = oddOf(residue)
  const out: Record<string, Json> = {}
  for (const [key, value] of Object.entries(made)) {
    if (Object.hasOwn(odd.drop, key) && odd.drop[key] === guardOf(value)) continue
    const spelling = Object.hasOwn(odd.as, key) ? odd.as[key] : key
    setKey(out, typeof spelling === 'string' ? spelling : key, patched(key, value, odd))
  }
  for (const [key, value] of Object.entries(residue)) {
    const wireKey = dollars.test(key) ? key.slice(1) : key
    if (key !== ODD && !Object.hasOwn(out, wireKey) && !Object.hasOwn(made, wireKey))
      setKey(out, wireKey, value)
  }
  if (bonded !== undefined) restoreBound(out, odd.bound, bonded)
  return out
}

function restoreBound(out: object, bound: Group, bonded: Bonded): void {
  for (const [key, entry] of Object.entries(bound)) {
    if (Array.isArray(entry) && entry[0] === guardOf(bonded.of)) setKey(out, key, entry[1])
    else bonded.stale(key)
  }
}

function patchList(made: readonly Json[], odd: Odd): readonly Json[] {
  return odd.n === made.length ? made.map((value, index) => patched(String(index), value, odd)) : made
}

function patched(key: string, value: Json, odd: Odd): Json {
  const exchange = Object.hasOwn(odd.swap, key) ? odd.swap[key] : undefined
  if (Array.isArray(exchange)) return exchange[0] === guardOf(value) ? (exchange[1] as Json) : value
  return Object.hasOwn(odd.in, key) ? patch(value, odd.in[key] as Residue) : value
}

/**
 * Where a residue holds more than the form of things, as keys into it: values that would be missing elsewhere. Null and the
 * empty forms say nothing.
 */
export function sayings(residue: Residue): readonly (readonly string[])[] {
  const { in: inside, swap, bound } = oddOf(residue)
  const exchanged = (group: Group): string[] =>
    Object.keys(group).filter((key) => {
      const entry = group[key]
      return Array.isArray(entry) && isValue(entry[1] as Json)
    })
  return [
    ...Object.keys(residue)
      .filter((key) => key !== ODD && isValue(residue[key] as Json))
      .map((key) => [key]),
    ...exchanged(swap).map((key) => [ODD, 'swap', key]),
    ...exchanged(bound).map((key) => [ODD, 'bound', key]),
    ...Object.keys(inside).flatMap((key) => {
      const nested = inside[key]
      return isObject(nested) ? sayings(nested).map((below) => [ODD, 'in', key, ...below]) : []
    }),
  ]
}

function isValue(value: Json): boolean {
  if (value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
