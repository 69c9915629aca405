import { digestJsonShort } from './digest.ts'
import { isEmptyObject, isObject, type Json, type JsonObject, getOwnValue, setKey } from './json.ts'

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

/**
 * Wire forms by name that a patch could only express by copying text; the encoder reads them, the decoder writes them.
 */
export type Hints<Name extends string> = { readonly [name in Name]?: Json }

type Group = { readonly [key: string]: Json }

/** The names of the groups below `$`. */
export type GroupName = 'nested' | 'replaced' | 'omitted' | 'spelledAs' | 'bound' | 'hints'

/** The key next to the groups for the length of a list whose items differ. */
export const LENGTH_KEY = 'length'

/**
 * Wire keys, at any depth, that authenticate content, and that content: the logprobs of a text, the token of
 * a citation.
 */
export interface Binding {
  readonly keys: readonly string[]
  readonly content: BoundContent
}

/** The content, or a function that returns it, since it is rarely needed. */
type BoundContent = Json | (() => Json)

/** The current content of a binding, and the callback for a bound value that no longer matches it. */
export interface Bound {
  readonly content: BoundContent
  onMismatch(key: string): void
}

/** Alternative spellings of wire keys, at any depth, by the key that the encoder writes. */
export type AliasesByKey = { readonly [key: string]: readonly string[] }

/** The key of everything that is no field of the wire value. */
export const META_KEY = '$'
/** Matches wire keys that need one more dollar sign. */
export const DOLLAR_KEY: RegExp = /^\$+$/

/** A residue without any difference. */
export const EMPTY_RESIDUE: Readonly<Record<string, never>> = Object.freeze({})

/** Returns a short digest that guards a patch, so that no content is copied into the residue. */
export function createBindingGuard(content: BoundContent): string {
  return digestJsonShort(typeof content === 'function' ? content() : content)
}

/** Returns the value below `$`. Its contents are checked when read, since applications may write residue, too. */
function readMeta(residue: Residue): Group {
  const meta = getOwnValue(residue, META_KEY)
  return isObject(meta) ? (meta as Group) : EMPTY_RESIDUE
}

function readGroup(meta: Group, name: GroupName): Group {
  const group = getOwnValue(meta, name)
  return isObject(group) ? (group as Group) : EMPTY_RESIDUE
}

/** Returns the hints of a residue. */
export function readResidueHints(residue: Residue | undefined): JsonObject {
  return residue === undefined ? EMPTY_RESIDUE : readGroup(readMeta(residue), 'hints')
}

/** Returns the bound entries of a residue: for each key, a digest of the content and the value. */
export function readBoundEntries(residue: Residue | undefined): JsonObject {
  return residue === undefined ? EMPTY_RESIDUE : readGroup(readMeta(residue), 'bound')
}

/** Returns true if a residue changes the value of a key that the encoder writes. */
export function changesKey(residue: Residue | undefined, key: string): boolean {
  const meta = residue === undefined ? EMPTY_RESIDUE : readMeta(residue)
  return (['nested', 'replaced', 'omitted', 'spelledAs'] as const).some((group) =>
    Object.hasOwn(readGroup(meta, group), key),
  )
}

/** Applies a residue to an encoded value where its guards still match; otherwise the encoder's values win. */
export function patchWithResidue<T extends Json>(encoded: T, residue: Residue | undefined, bound?: Bound): T {
  if (!isObject(residue)) return encoded
  if (Array.isArray(encoded)) return patchList(encoded, readMeta(residue), bound) as unknown as T
  return isObject(encoded) ? (patchObject(encoded, residue, bound) as T) : encoded
}

function patchObject(encoded: JsonObject, residue: Residue, bound: Bound | undefined): JsonObject {
  const meta = readMeta(residue)
  const omitted = readGroup(meta, 'omitted')
  const spelledAs = readGroup(meta, 'spelledAs')
  const out: Record<string, Json> = {}
  for (const key of Object.keys(encoded)) {
    const value = encoded[key]
    // JSON has no undefined: an encoder writes it for a field that an edited event lacks.
    if (value === undefined) continue
    if (Object.hasOwn(omitted, key) && omitted[key] === digestJsonShort(value)) continue
    const spelling = getOwnValue(spelledAs, key)
    setKey(out, typeof spelling === 'string' ? spelling : key, patchValue(key, value, meta, bound))
  }
  for (const key of Object.keys(residue)) {
    const wireKey = DOLLAR_KEY.test(key) ? key.slice(1) : key
    if (key !== META_KEY && !Object.hasOwn(out, wireKey) && !Object.hasOwn(encoded, wireKey))
      setKey(out, wireKey, residue[key])
  }
  if (bound !== undefined) applyBound(out, readGroup(meta, 'bound'), bound)
  return out
}

function applyBound(out: object, entries: Group, bound: Bound): void {
  for (const [key, entry] of Object.entries(entries)) {
    if (Array.isArray(entry) && entry[0] === createBindingGuard(bound.content)) setKey(out, key, entry[1])
    else bound.onMismatch(key)
  }
}

function patchList(encoded: readonly Json[], meta: Group, bound: Bound | undefined): readonly Json[] {
  if (getOwnValue(meta, LENGTH_KEY) !== encoded.length) return encoded
  return encoded.map((value, index) => patchValue(String(index), value, meta, bound))
}

function patchValue(key: string, value: Json, meta: Group, bound: Bound | undefined): Json {
  const replacement = getOwnValue(readGroup(meta, 'replaced'), key)
  if (Array.isArray(replacement))
    return replacement[0] === digestJsonShort(value) ? (replacement[1] as Json) : value
  return patchWithResidue(value, getOwnValue(readGroup(meta, 'nested'), key) as Residue | undefined, bound)
}

/** Returns the paths of residue values that would be lost in another dialect. Null and empty values are not significant. */
export function listSignificantPaths(residue: Residue): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  addSignificantPaths(residue, [], found)
  return found
}

function addSignificantPaths(residue: Residue, above: readonly string[], found: (readonly string[])[]): void {
  for (const key of Object.keys(residue))
    if (key !== META_KEY && isSignificant(residue[key] as Json)) found.push([...above, key])
  const meta = readMeta(residue)
  for (const name of ['replaced', 'bound'] as const) {
    const group = readGroup(meta, name)
    for (const key of Object.keys(group)) {
      const entry = group[key]
      if (Array.isArray(entry) && isSignificant(entry[1] as Json)) found.push([...above, META_KEY, name, key])
    }
  }
  const nested = readGroup(meta, 'nested')
  for (const key of Object.keys(nested)) {
    const inner = nested[key]
    if (isObject(inner)) addSignificantPaths(inner, [...above, META_KEY, 'nested', key], found)
  }
}

/** Returns true for a value whose omission is a loss. */
export function isSignificant(value: Json): boolean {
  if (value === null || value === '') return false
  return typeof value !== 'object' || !isEmptyObject(value)
}
