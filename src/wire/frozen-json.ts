import { describeType, MAX_JSON_DEPTH, setKey } from './json.ts'
import { child, type Path } from './json-pointer.ts'
import { type Ancestors, createDepthError, createNotJsonError } from './not-json-errors.ts'
import { hideFromConsole, isHiddenKey } from './hide-from-console.ts'

/** Returns its argument from the constructor, so that a subclass adds its private field to that object. */
class BrandTarget {
  constructor(value: object) {
    return value
  }
}

/**
 * Marks an object as validated by a private field: invisible in JSON, absent from copies, impossible to
 * forge. A WeakSet made appending twice as slow; a non-enumerable property takes three times as long to set.
 */
class ValidatedBrand extends BrandTarget {
  /** What tests of the value have found: two bits for each test. */
  #findings = 0

  static has(value: object): boolean {
    return #findings in value
  }

  /** Returns the findings about a value; zero for a value that is not marked. */
  static getFindings(value: object): number {
    return #findings in value ? value.#findings : 0
  }

  static addFindings(value: object, findings: number): void {
    if (#findings in value) value.#findings |= findings
  }
}

/** The bits of one test: it is known that the value failed, or that it passed. */
const BITS_PER_TEST = 2

/** The number of tests whose results are remembered: a small integer has 31 bits. */
const MAX_TESTS = 15

let testCount = 0

/**
 * Returns a test whose result is remembered with the values that {@link brand} marked: those cannot change, and the test must
 * depend on nothing else. The result is a bit of the value itself, so it takes no memory and no work of the garbage collector. Once
all bits are in use, the test is returned as it is.
 *
 * @example
 * const isShort = rememberTest((message: Message) => message.content.length < 3)
 */
export function rememberTest<T extends object>(test: (value: T) => boolean): (value: T) => boolean {
  if (testCount === MAX_TESTS) return test
  const failed = 1 << (BITS_PER_TEST * testCount++)
  const passed = failed << 1
  return (value) => {
    const findings = ValidatedBrand.getFindings(value)
    if ((findings & passed) !== 0) return true
    if ((findings & failed) !== 0) return false
    const hasPassed = test(value)
    ValidatedBrand.addFindings(value, hasPassed ? passed : failed)
    return hasPassed
  }
}

/** Marks an object as deeply frozen, whether or not it was validated. */
class FrozenBrand extends BrandTarget {
  readonly #frozen = true

  static has(value: object): boolean {
    return #frozen in value && value.#frozen
  }
}

/** Returns true for a result of {@link brand}: validated, deeply frozen plain JSON. */
export function isBranded(value: object): boolean {
  return ValidatedBrand.has(value)
}

/** Returns true for plain JSON that this module deeply froze, whether or not it was validated. */
export function isFrozenByUs(value: object): boolean {
  return ValidatedBrand.has(value) || FrozenBrand.has(value)
}

/** Freezes an object whose values are frozen, and marks it as validated. */
export function brand<T extends object>(value: T): T {
  return Object.freeze(new ValidatedBrand(value) as T)
}

/**
 * Returns a deeply frozen copy as plain JSON. Values that this module froze are shared instead of copied, and
 * the caller's own object is never frozen. Keys whose value is `undefined` are omitted, as in JSON.
 */
export function freezeCopy<T>(value: T, path?: Path): T {
  return copyJson(value, path, 0, undefined) as T
}

/**
 * Deeply freezes an object that was just parsed from JSON text, in place: no other code has a reference to it. Its result is that of
 * {@link freezeCopy}.
 */
export function freezeParsed<T extends object>(value: T): T {
  return freezeMembers(value, 0)
}

/** Text becomes plain objects and lists without holes, whose keys are their own. */
function freezeMembers<T extends object>(value: T, depth: number): T {
  if (depth >= MAX_JSON_DEPTH) throw createDepthError(value, undefined, undefined)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (!isSafePrimitive(item)) value[index] = freezeItem(item, depth)
    }
    return Object.freeze(value)
  }
  let hasHiddenKeys = false
  for (const key in value) {
    hasHiddenKeys ||= isHiddenKey(key)
    const item: unknown = value[key]
    if (isSafePrimitive(item)) continue
    const frozen = freezeItem(item, depth)
    // Only negative zero is replaced: to set each key again would take longer.
    if (!Object.is(frozen, item)) setKey(value, key, frozen)
  }
  if (hasHiddenKeys) hideFromConsole(value)
  return Object.freeze(depth === 0 ? new FrozenBrand(value) : value) as T
}

function freezeItem(item: unknown, depth: number): unknown {
  const isNested = typeof item === 'object' && item !== null
  return isNested ? freezeMembers(item, depth + 1) : copyJson(item, undefined, depth, undefined)
}

/**
 * Freezes and brands an object that the library has just built from validated values; nested values that this
 * module did not freeze are copied.
 */
export function freezeOwned<T extends object>(value: T): T {
  if (isBranded(value)) return value
  if (!Object.isExtensible(value)) return brand(copyMembers(value, undefined, 0, undefined)) as T
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const item: unknown = value[key]
    if (item === undefined) return brand(copyMembers(value, undefined, 0, undefined)) as T
    if (!isFinished(item)) setKey(value, key, copyJson(item, child(undefined, key), 0, undefined))
  }
  return brand(value)
}

/** Returns a list of values that this module froze as one of its own: frozen and marked. The argument is not changed. */
export function freezeList<T extends object>(list: readonly T[]): readonly T[] {
  if (isBranded(list)) return list
  return brand(list.map((item) => freezeOwned(item)))
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
    return value === 0 ? 0 : value // JSON text does not preserve negative zero
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
    if (!isFinished(item)) copy[index] = copyJson(item, child(path, index), depth, ancestors)
  }
  return Object.freeze(copy)
}

/**
 * Returns true for a value that {@link freezeCopy} copies: it accepts the same values, but creates nothing. A value with a cycle
 * is too deep.
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  if (isSafePrimitive(value)) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (isFrozenByUs(value)) return true
  if (depth >= MAX_JSON_DEPTH) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlainJson(value[index], depth + 1)) return false
    return true
  }
  if (!hasPlainPrototype(value)) return false
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (item !== undefined && Object.hasOwn(value, key) && !isPlainJson(item, depth + 1)) return false
  }
  return true
}

/**
 * Returns true for a value that needs neither a copy nor a check; most values do not, so no path is created for them.
 */
function isSafePrimitive(value: unknown): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

/** Returns true for a value that is shared instead of copied; no path is created for it. */
function isFinished(value: unknown): boolean {
  return isSafePrimitive(value) || (typeof value === 'object' && isFrozenByUs(value))
}

function copyObject(value: object, path: Path | undefined, depth: number, ancestors: Ancestors): object {
  if (!hasPlainPrototype(value)) {
    throw createNotJsonError(
      `an instance of ${value.constructor?.name ?? 'a class'}`,
      'a plain object',
      path,
      value,
    )
  }
  const copy = copyMembers(value, path, depth, ancestors)
  // Nested objects are shared only with the object that contains them: they need no mark of their own.
  return Object.freeze(depth === 1 ? new FrozenBrand(copy) : copy)
}

function copyMembers(
  value: object,
  path: Path | undefined,
  depth: number,
  ancestors: Ancestors | undefined,
): object {
  const copy = {}
  let hasHiddenKeys = false
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    hasHiddenKeys ||= isHiddenKey(key)
    const item = (value as Record<string, unknown>)[key]
    if (isFinished(item)) setKey(copy, key, item)
    else if (item !== undefined) setKey(copy, key, copyJson(item, child(path, key), depth, ancestors))
  }
  return hasHiddenKeys && !isInResidue(path) ? hideFromConsole(copy) : copy
}

/** Returns true for a path inside residue, which is hidden completely. */
function isInResidue(path: Path | undefined): boolean {
  for (let current = path; current !== undefined; current = current.parent)
    if (current.key === '$') return true
  return false
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || isPlainPrototypeOfOtherRealm(prototype)
}

/** Returns true for the `Object.prototype` of another realm, such as an iframe or a vm context. */
function isPlainPrototypeOfOtherRealm(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty')
}
