import { isFrozenByUs } from './frozen-json.ts'
import { type JsonObject, MAX_JSON_DEPTH } from './json.ts'

/** The limit of the characters in the table together: thousands of usual tools. */
const MAX_TABLE_CHARS = 4_000_000
/** Longer values are not in the table. */
const MAX_VALUE_CHARS = 20_000
/** What a value counts besides its text. */
const CHARS_PER_VALUE = 8
/** The limit of the entries with one fingerprint. */
const MAX_BUCKET_SIZE = 4
/** How much of a value its fingerprint contains. */
const MAX_FINGERPRINT_KEYS = 16
/** The characters at each end of a text: those that differ in most names and descriptions. */
const FINGERPRINT_END_CHARS = 8

/** A JSON value in the form that is compared fastest. */
type Pattern = string | number | boolean | null | readonly Pattern[] | ObjectPattern

class ObjectPattern {
  readonly keys: readonly string[]
  readonly values: readonly Pattern[]

  constructor(keys: readonly string[], values: readonly Pattern[]) {
    this.keys = keys
    this.values = values
  }
}

interface Entry {
  /** The function whose result this is, and its context. */
  readonly compute: unknown
  readonly context: unknown
  readonly pattern: Pattern
  readonly result: object
  readonly fingerprint: number
  readonly chars: number
  /** The index in the list of all entries. */
  position: number
  /** The entry that was found after this one: requests contain the same objects in the same order. */
  next: Entry | undefined
}

const entriesByFingerprint = new Map<number, Entry[]>()
const allEntries: Entry[] = []
let tableChars = 0
/** The entry that was found last. */
let lastFound: Entry | undefined
/** The state of the generator that chooses what is removed: decoding calls no source of randomness. */
let lastDraw = 1

/**
 * Caches frozen results for JSON objects that recur with equal content, such as the tools of each request: equal objects have
 * the same keys in the same order. A function must depend on nothing but the object and the context, which is compared by
 * identity.
 *
 * @example
 * const decodeTool = memoizeByContent((wire: JsonObject, flavor: Flavor) => freezeOwned(readTool(wire, flavor)))
 */
export function memoizeByContent<Result extends object, Context = undefined>(
  compute: (value: JsonObject, context: Context) => Result,
): (value: JsonObject, context: Context) => Result {
  return (value, context) => {
    const isFor = (entry: Entry): boolean =>
      entry.compute === compute && entry.context === context && matches(value, entry.pattern)
    const expected = lastFound?.next
    if (expected !== undefined && isFor(expected)) return (lastFound = expected).result as Result
    const fingerprint = createFingerprint(value, 0)
    for (const entry of entriesByFingerprint.get(fingerprint) ?? []) {
      if (!isFor(entry)) continue
      if (lastFound !== undefined) lastFound.next = entry
      return (lastFound = entry).result as Result
    }
    const result = compute(value, context)
    if (!isFrozenByUs(result)) return result
    const compiler = new PatternCompiler()
    const pattern = compiler.compile(value, 0)
    const { chars } = compiler
    if (pattern !== undefined)
      addEntry({
        compute,
        context,
        pattern,
        result,
        fingerprint,
        chars,
        position: allEntries.length,
        next: undefined,
      })
    return result
  }
}

/** Returns a number that differs for most values: the first keys or items, and the ends of the texts, of two levels. */
function createFingerprint(value: object, depth: number): number {
  let hash = depth
  let count = 0
  if (Array.isArray(value)) {
    // A loop over the keys would list the indexes of all items before the first.
    for (; count < Math.min(value.length, MAX_FINGERPRINT_KEYS); count++)
      hash = addItem(hash, value[count], depth)
    return hash | 0
  }
  for (const key in value) {
    if (count++ === MAX_FINGERPRINT_KEYS) break
    hash = addItem(addText(hash, key), (value as JsonObject)[key], depth)
  }
  return hash | 0
}

function addItem(hash: number, item: unknown, depth: number): number {
  if (typeof item === 'string') return addText(hash, item)
  if (depth > 0 || typeof item !== 'object' || item === null) return hash
  return Math.imul(hash, 31) + createFingerprint(item, 1)
}

function addText(hash: number, text: string): number {
  const { length } = text
  const end = Math.min(length, FINGERPRINT_END_CHARS)
  let sum = hash + length
  for (let index = 0; index < end; index++) sum = Math.imul(sum, 31) + text.charCodeAt(index)
  for (let index = Math.max(end, length - FINGERPRINT_END_CHARS); index < length; index++)
    sum = Math.imul(sum, 31) + text.charCodeAt(index)
  return sum
}

/** Returns true if a value equals a pattern. An inherited key cannot pass for an own one: only plain objects match. */
function matches(value: unknown, pattern: Pattern | undefined): boolean {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (typeof value !== 'object' || value === null) return false
  if (!(pattern instanceof ObjectPattern)) return Array.isArray(value) && matchesList(value, pattern)
  // Plain objects inherit it, unless they have such a key. To ask each object for its prototype takes most of the time.
  if (value.constructor !== Object) return false
  const { keys, values } = pattern
  let index = 0
  for (const key in value) {
    if (key !== keys[index] || !matches((value as JsonObject)[key], values[index])) return false
    index++
  }
  // Inherited keys follow own ones, and have to differ from them.
  return index === keys.length && (index === 0 || Object.hasOwn(value, keys[index - 1] as string))
}

function matchesList(value: readonly unknown[], pattern: readonly Pattern[]): boolean {
  if (value.length !== pattern.length) return false
  for (let index = 0; index < pattern.length; index++)
    if (!matches(value[index], pattern[index])) return false
  return true
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}

/** Creates the pattern of a value and counts its size. */
class PatternCompiler {
  chars = 0

  /** Returns undefined for a value that is too large, too deep or not plain JSON. */
  compile(value: unknown, depth: number): Pattern | undefined {
    this.chars += CHARS_PER_VALUE + (typeof value === 'string' ? value.length : 0)
    if (this.chars > MAX_VALUE_CHARS || depth > MAX_JSON_DEPTH) return undefined
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
    if (typeof value !== 'object') return undefined
    if (Array.isArray(value)) return this.#compileAll(value, depth)
    if (!isPlain(value)) return undefined
    const keys = Object.keys(value)
    for (const key of keys) this.chars += key.length
    const values = this.#compileAll(Object.values(value), depth)
    return values && new ObjectPattern(keys, values)
  }

  #compileAll(values: readonly unknown[], depth: number): readonly Pattern[] | undefined {
    const patterns: Pattern[] = []
    for (const value of values) {
      const pattern = this.compile(value, depth + 1)
      if (pattern === undefined) return undefined
      patterns.push(pattern)
    }
    return patterns
  }
}

/**
 * Adds an entry and removes any others while there are too many. If the oldest were removed, a program that uses slightly
 * more values than the table holds, one after the other, would never find one.
 */
function addEntry(entry: Entry): void {
  const bucket = entriesByFingerprint.get(entry.fingerprint)
  if (bucket === undefined) entriesByFingerprint.set(entry.fingerprint, [entry])
  else {
    if (bucket.length === MAX_BUCKET_SIZE) removeAny(bucket)
    bucket.push(entry)
  }
  allEntries.push(entry)
  tableChars += entry.chars
  while (tableChars > MAX_TABLE_CHARS) removeAny(allEntries)
}

function removeAny(entries: readonly Entry[]): void {
  // A linear congruential generator, with the constants of Numerical Recipes.
  lastDraw = (Math.imul(lastDraw, 1_664_525) + 1_013_904_223) >>> 0
  const removed = entries[Math.floor((lastDraw / 2 ** 32) * entries.length)]
  if (removed === undefined) return
  const bucket = entriesByFingerprint.get(removed.fingerprint)
  if (bucket?.length === 1) entriesByFingerprint.delete(removed.fingerprint)
  else bucket?.splice(bucket.indexOf(removed), 1)
  // What it was followed by may be removed, too.
  removed.next = undefined
  if (lastFound === removed) lastFound = undefined
  const last = allEntries.pop()
  if (last !== undefined && last !== removed) {
    allEntries[removed.position] = last
    last.position = removed.position
  }
  tableChars -= removed.chars
}
