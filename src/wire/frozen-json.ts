import { InterlinguaError } from '../errors.ts'
import { describeType, MAX_JSON_DEPTH, setKey } from './json.ts'
import { child, type Path, toPointer } from './json-pointer.ts'
import { hideWhenPrinted, isHidden } from './inspect.ts'

/** A constructor that gives back what it is given, so that a class below it adds its private field to that. */
class BrandTarget {
  constructor(value: object) {
    return value
  }
}

/**
 * A hidden mark: not in JSON, not in a copy, and not to be forged. A WeakSet made appending twice as slow, a hidden property
 * takes three times as long to set.
 */
class ValidatedBrand extends BrandTarget {
  readonly #checked = true

  static has(value: object): boolean {
    return #checked in value && value.#checked
  }
}

/** The same for what is frozen, whatever it says. */
class FrozenBrand extends BrandTarget {
  readonly #frozen = true

  static has(value: object): boolean {
    return #frozen in value && value.#frozen
  }
}

/** True for what {@link brand} gave: plain JSON, checked, deeply frozen. */
export function isBranded(value: object): boolean {
  return ValidatedBrand.has(value)
}

/** Returns true for plain JSON that this module deeply froze, whether or not it was validated. */
export function isFrozenByUs(value: object): boolean {
  return ValidatedBrand.has(value) || FrozenBrand.has(value)
}

/** Freezes an object whose values are frozen, and marks it as checked. */
export function brand<T extends object>(value: T): T {
  return Object.freeze(new ValidatedBrand(value) as T)
}

/**
 * A deeply frozen copy that is plain JSON. What we froze already is shared, so nothing is copied twice, and no caller's
 * object is ever frozen under his hands. Keys that hold `undefined` are left out, as JSON does.
 */
export function freezeCopy<T>(value: T, path?: Path): T {
  return copyJson(value, path, 0, undefined) as T
}

/** Seals what our own code has just built from checked values; what we did not freeze below it is copied. */
export function freezeOwned<T extends object>(value: T): T {
  if (isBranded(value)) return value
  if (!Object.isExtensible(value)) return brand(copyMembers(value, undefined, 0, undefined)) as T
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const item: unknown = value[key]
    if (item === undefined) return brand(copyMembers(value, undefined, 0, undefined)) as T
    if (!isSafePrimitive(item)) setKey(value, key, copyJson(item, child(undefined, key), 0, undefined))
  }
  return brand(value)
}

interface Ancestors {
  readonly value: object
  readonly parent: Ancestors | undefined
}

function copyJson(
  value: unknown,
  path: Path | undefined,
  depth: number,
  ancestorsAbove: Ancestors | undefined,
): unknown {
  if (isSafePrimitive(value)) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw createNotJsonError(String(value), 'a finite number', path)
    return value === 0 ? 0 : value // JSON text has no negative zero that survives
  }
  if (typeof value !== 'object') throw createNotJsonError(describeType(value), 'a JSON value', path)
  if (isFrozenByUs(value)) return value
  if (depth >= MAX_JSON_DEPTH) throw createDepthError(value, path, ancestorsAbove)
  const ancestors = { value, parent: ancestorsAbove }
  return Array.isArray(value)
    ? copyList(value, path, depth + 1, ancestors)
    : copyObject(value, path, depth + 1, ancestors)
}

function copyList(
  value: readonly unknown[],
  path: Path | undefined,
  depth: number,
  ancestors: Ancestors,
): object {
  const copy = [...value]
  for (let index = 0; index < copy.length; index++) {
    const item = copy[index]
    if (!isSafePrimitive(item)) copy[index] = copyJson(item, child(path, index), depth, ancestors)
  }
  return Object.freeze(copy)
}

/** What needs no copy and no check; most values are, so no path is made for them. */
function isSafePrimitive(value: unknown): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

function copyObject(value: object, path: Path | undefined, depth: number, ancestors: Ancestors): object {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !isPlainPrototypeOfOtherRealm(prototype)) {
    throw createNotJsonError(`an instance of ${value.constructor?.name ?? 'a class'}`, 'a plain object', path)
  }
  const copy = copyMembers(value, path, depth, ancestors)
  // What stands below is handed on with the whole: it needs no mark of its own.
  return Object.freeze(depth === 1 ? new FrozenBrand(copy) : copy)
}

function copyMembers(
  value: object,
  path: Path | undefined,
  depth: number,
  above: Ancestors | undefined,
): object {
  const copy = {}
  let hides = false
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    hides ||= isHidden(key)
    const item = (value as Record<string, unknown>)[key]
    if (isSafePrimitive(item)) setKey(copy, key, item)
    else if (item !== undefined) setKey(copy, key, copyJson(item, child(path, key), depth, above))
  }
  return hides && !isInResidue(path) ? hideWhenPrinted(copy) : copy
}

/** Returns whether a place is within residue that is hidden as a whole. */
function isInResidue(at: Path | undefined): boolean {
  for (let place = at; place !== undefined; place = place.parent) if (place.key === '$') return true
  return false
}

/** A plain object of another realm (an iframe, a vm context) has another Object.prototype. */
function isPlainPrototypeOfOtherRealm(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty')
}

function createNotJsonError(found: string, expected: string, at: Path | undefined): InterlinguaError {
  const path = toPointer(at)
  return new InterlinguaError('not-json', `${path || 'value'}: expected ${expected}, found ${found}`, {
    path,
    found,
    expected,
    hint: 'Conversations are plain JSON: convert the value to text, numbers, arrays or plain objects first.',
  })
}

function createDepthError(
  value: object,
  at: Path | undefined,
  above: Ancestors | undefined,
): InterlinguaError {
  const path = toPointer(at)
  for (let ancestor = above; ancestor !== undefined; ancestor = ancestor.parent) {
    if (ancestor.value === value) {
      return new InterlinguaError('cyclic', 'The value contains itself', {
        path,
        found: 'a reference to an enclosing value',
        expected: 'a tree',
        hint: 'JSON has no cycles: replace the reference by an id.',
      })
    }
  }
  return new InterlinguaError('too-deep', `The value nests deeper than ${MAX_JSON_DEPTH} levels`, {
    path,
    found: `more than ${MAX_JSON_DEPTH} levels`,
    expected: `at most ${MAX_JSON_DEPTH} levels`,
    hint: 'Flatten the value, or carry it as text.',
  })
}
