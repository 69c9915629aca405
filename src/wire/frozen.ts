import { InterlinguaError } from '../errors.ts'
import { describe, MAX_DEPTH, setKey } from './json.ts'
import { below, type Path, pointer } from './pointer.ts'

/** A constructor that gives back what it is given, so that a class below it adds its private field to that. */
class Given {
  constructor(value: object) {
    return value
  }
}

/**
 * A hidden mark: not in JSON, not in a copy, and not to be forged. A WeakSet made appending twice as slow, a hidden property
 * takes three times as long to set.
 */
class Checked extends Given {
  readonly #checked = true

  static has(value: object): boolean {
    return #checked in value && value.#checked
  }
}

/** The same for what is frozen, whatever it says. */
class Frozen extends Given {
  readonly #frozen = true

  static has(value: object): boolean {
    return #frozen in value && value.#frozen
  }
}

/** True for what {@link seal} gave: plain JSON, checked, deeply frozen. */
export function isSealed(value: object): boolean {
  return Checked.has(value)
}

/** True for plain JSON that we froze, deeply, whatever it says. Memos hang only on these. */
function isOurs(value: object): boolean {
  return Checked.has(value) || Frozen.has(value)
}

/**
 * Remembers what was made of what we froze, for that still says the same; of whatever else it is made each time.
 *
 * @example
 * const digestOf = remembering((message: Message) => digestJson(contentOfMessage(message)))
 */
export function remembering<T extends object, R extends string>(make: (value: T) => R): (value: T) => R {
  const known = new WeakMap<T, R>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const made = make(value)
    if (isOurs(value)) known.set(value, made)
    return made
  }
}

/** Freezes an object whose values are frozen, and marks it as checked. */
export function seal<T extends object>(value: T): T {
  return Object.freeze(new Checked(value) as T)
}

/**
 * A deeply frozen copy that is plain JSON. What we froze already is shared, so nothing is copied twice, and no caller's
 * object is ever frozen under his hands. Keys that hold `undefined` are left out, as JSON does.
 */
export function frozenCopy<T>(value: T, at?: Path): T {
  return copyJson(value, at, 0, undefined) as T
}

/** Seals what our own code has just built from checked values; what we did not freeze below it is copied. */
export function sealOwn<T extends object>(value: T): T {
  if (isSealed(value)) return value
  if (!Object.isExtensible(value)) return seal(copyMembers(value, undefined, 0, undefined)) as T
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const item: unknown = value[key]
    if (item === undefined) return seal(copyMembers(value, undefined, 0, undefined)) as T
    if (!isSimple(item)) setKey(value, key, copyJson(item, below(undefined, key), 0, undefined))
  }
  return seal(value)
}

interface Ancestors {
  readonly value: object
  readonly above: Ancestors | undefined
}

function copyJson(
  value: unknown,
  at: Path | undefined,
  depth: number,
  above: Ancestors | undefined,
): unknown {
  if (isSimple(value)) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson(String(value), 'a finite number', at)
    return value === 0 ? 0 : value // JSON text has no negative zero that survives
  }
  if (typeof value !== 'object') throw notJson(describe(value), 'a JSON value', at)
  if (isOurs(value)) return value
  if (depth >= MAX_DEPTH) throw tooDeep(value, at, above)
  const here = { value, above }
  return Array.isArray(value) ? copyList(value, at, depth + 1, here) : copyObject(value, at, depth + 1, here)
}

function copyList(value: readonly unknown[], at: Path | undefined, depth: number, here: Ancestors): object {
  const copy = [...value]
  for (let index = 0; index < copy.length; index++) {
    const item = copy[index]
    if (!isSimple(item)) copy[index] = copyJson(item, below(at, index), depth, here)
  }
  return Object.freeze(copy)
}

/** What needs no copy and no check; most values are, so no path is made for them. */
function isSimple(value: unknown): value is string | boolean | null {
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

function copyObject(value: object, at: Path | undefined, depth: number, here: Ancestors): object {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(prototype)) {
    throw notJson(`an instance of ${value.constructor?.name ?? 'a class'}`, 'a plain object', at)
  }
  const copy = copyMembers(value, at, depth, here)
  // What stands below is handed on with the whole: it needs no mark of its own.
  return Object.freeze(depth === 1 ? new Frozen(copy) : copy)
}

function copyMembers(
  value: object,
  at: Path | undefined,
  depth: number,
  above: Ancestors | undefined,
): object {
  const copy = {}
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const item = (value as Record<string, unknown>)[key]
    if (isSimple(item)) setKey(copy, key, item)
    else if (item !== undefined) setKey(copy, key, copyJson(item, below(at, key), depth, above))
  }
  return copy
}

/** A plain object of another realm (an iframe, a vm context) has another Object.prototype. */
function isForeignPlain(prototype: unknown): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty')
}

function notJson(found: string, expected: string, at: Path | undefined): InterlinguaError {
  const path = pointer(at)
  return new InterlinguaError('not-json', `${path || 'value'}: expected ${expected}, found ${found}`, {
    path,
    found,
    expected,
    hint: 'Conversations are plain JSON: convert the value to text, numbers, arrays or plain objects first.',
  })
}

function tooDeep(value: object, at: Path | undefined, above: Ancestors | undefined): InterlinguaError {
  const path = pointer(at)
  for (let ancestor = above; ancestor !== undefined; ancestor = ancestor.above) {
    if (ancestor.value === value) {
      return new InterlinguaError('cyclic', 'The value contains itself', {
        path,
        found: 'a reference to an enclosing value',
        expected: 'a tree',
        hint: 'JSON has no cycles: replace the reference by an id.',
      })
    }
  }
  return new InterlinguaError('too-deep', `The value nests deeper than ${MAX_DEPTH} levels`, {
    path,
    found: `more than ${MAX_DEPTH} levels`,
    expected: `at most ${MAX_DEPTH} levels`,
    hint: 'Flatten the value, or carry it as text.',
  })
}
