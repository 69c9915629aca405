import { fromBase64, toBase64Url } from '../wire/base64.ts'
import { InterlinguaError } from '../errors.ts'
import {
  checkCount,
  checkIdentifier,
  checkTime,
  throwInvalidCursor,
  throwInvalidType,
  throwInvalidValue,
} from '../stores/check-arguments.ts'
import { digestText } from '../wire/digest.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { freezeCopy } from '../wire/frozen-json.ts'
import { describeType, isList, isObject, type Json, stableStringify, tryParseJson } from '../wire/json.ts'
import type { MemoryPosition, StoredVector } from './memory-rows.ts'
import type { MemoryFilter, MemoryLimits, MemoryMetadata, MemoryVector, NewMemory } from './memory-store.ts'
import { isVector, MAX_MODEL_NAME_LENGTH, toStoredVector } from './vectors.ts'

const DEFAULT_LIMITS: Required<MemoryLimits> = {
  maxMemories: 10_000,
  maxTextLength: 10_000,
  maxValueLength: 100_000,
  maxMetadataLength: 10_000,
  maxDimensions: 4_096,
}

const LIMIT_NAMES: OptionNames<MemoryLimits> = {
  maxMemories: true,
  maxTextLength: true,
  maxValueLength: true,
  maxMetadataLength: true,
  maxDimensions: true,
}

const MEMORY_NAMES: { readonly [name in keyof Required<NewMemory>]: true } = {
  key: true,
  text: true,
  value: true,
  metadata: true,
  vector: true,
  expiresAt: true,
}

/** Checks the limits of a store, and completes them with the defaults. */
export function resolveLimits(limits: MemoryLimits = {}): Required<MemoryLimits> {
  checkOptions('the limits of a memory store', limits, LIMIT_NAMES)
  const resolved = { ...DEFAULT_LIMITS, ...limits }
  for (const [name, value] of Object.entries(resolved)) checkCount(value, name)
  return resolved
}

/** A memory that was checked. */
export interface CheckedMemory {
  readonly key: string
  readonly text: string
  readonly body: string
  readonly expiresAt: string | null
  readonly vector: StoredVector | undefined
}

/** Checks a memory to store. Errors name the field and never quote the text. */
export function checkNewMemory(
  memory: NewMemory,
  limits: Required<MemoryLimits>,
  now: string,
): CheckedMemory {
  checkOptions<object>('the memory', memory, MEMORY_NAMES)
  const { value, metadata = {}, vector } = memory
  const text = checkMemoryText(memory.text, limits.maxTextLength)
  checkMetadata(metadata)
  const content = freezeCopy({ text, metadata, ...(value !== undefined && { value }) })
  const lengths = [
    ['value', value === undefined ? 0 : stableStringify(content.value as Json).length, limits.maxValueLength],
    ['metadata', stableStringify(content.metadata).length, limits.maxMetadataLength],
  ] as const
  for (const [name, length, limit] of lengths) checkLength(name, length, limit)
  const body = stableStringify(content)
  return {
    key:
      memory.key === undefined ? `mem_${digestText(body).slice(0, 32)}` : checkIdentifier(memory.key, 'key'),
    text,
    body,
    expiresAt: memory.expiresAt === undefined ? null : checkExpiry(memory.expiresAt, now),
    vector: vector === undefined ? undefined : checkVector(vector, limits.maxDimensions),
  }
}

/** Checks the text of a memory or of a search. */
export function checkMemoryText(text: unknown, maxLength: number): string {
  if (typeof text !== 'string') return throwInvalidType('text', text, 'a string')
  checkLength('text', text.length, maxLength)
  return text.trim() === '' ? throwInvalidValue('text', 'an empty text', 'a text with words') : text
}

function checkLength(name: string, length: number, limit: number): void {
  if (length > limit) throwInvalidValue(name, `${length} characters`, `at most ${limit} characters`)
}

function checkExpiry(expiresAt: string | Date, now: string): string {
  const time = checkTime(expiresAt, 'expiresAt')
  return time > now ? time : throwInvalidValue('expiresAt', 'a time that has passed', 'a time in the future')
}

/** Checks a vector and converts it to the stored form. */
export function checkVector(vector: MemoryVector, maxDimensions: number): StoredVector {
  checkOptions('the vector', vector, { model: true, values: true })
  const { model, values } = vector
  if (checkIdentifier(model, 'vector').length > MAX_MODEL_NAME_LENGTH)
    throwInvalidValue(
      'vector',
      'a longer name',
      `a model name of at most ${MAX_MODEL_NAME_LENGTH} characters`,
    )
  if (isVector(values, maxDimensions)) return toStoredVector(vector)
  const found = Array.isArray(values) ? `${values.length} values` : describeType(values)
  return throwInvalidValue('vector', found, `1 to ${maxDimensions} finite numbers`)
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Checks metadata of a memory: an object of strings, numbers and booleans. */
export function checkMetadata(metadata: MemoryMetadata): void {
  if (!isObject(metadata)) throwInvalidType('metadata', metadata, 'an object')
  for (const value of Object.values(metadata))
    if (!isScalar(value)) throwInvalidType('metadata', value, 'a string, number or boolean for each name')
}

/** Checks a filter, and returns the test of whether metadata conforms to it. */
export function checkFilter(filter: MemoryFilter = {}): ((metadata: MemoryMetadata) => boolean) | undefined {
  if (!isObject(filter)) return throwInvalidType('filter', filter, 'an object')
  const rules = Object.entries(filter).map(([name, value]) => {
    const accepted: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const each of accepted)
      if (!isScalar(each)) throwInvalidType('filter', each, 'a string, number or boolean, or a list of them')
    return [name, new Set(accepted)] as const
  })
  if (rules.length === 0) return undefined
  return (metadata) =>
    rules.every(([name, accepted]) => Object.hasOwn(metadata, name) && accepted.has(metadata[name]))
}

const MAX_LIMIT = 1_000

/** Checks the number of memories that a call returns. */
export function checkResultLimit(limit: number): number {
  if (checkCount(limit, 'limit') <= MAX_LIMIT) return limit
  return throwInvalidValue('limit', `${limit}`, `at most ${MAX_LIMIT}`)
}

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder()

/** Returns the cursor of the page after a memory. */
export function writeCursor({ createdAt, key }: MemoryPosition): string {
  return toBase64Url(encoder.encode(JSON.stringify([createdAt, key])))
}

export function readCursor(cursor: unknown): MemoryPosition | undefined {
  if (cursor === undefined) return undefined
  if (typeof cursor !== 'string') return throwInvalidType('cursor', cursor, 'a string')
  const position = tryParseJson(decoder.decode(fromBase64(cursor)))
  const [createdAt, key] = isList(position) ? position : []
  // The time is compared as text by every backend, so that any text is harmless; NUL is not for PostgreSQL.
  if (typeof createdAt !== 'string' || typeof key !== 'string' || /\0/.test(createdAt + key))
    return throwInvalidCursor()
  return { createdAt, key }
}

/** Creates the error for a tenant that has too many memories. */
export function createTooManyMemoriesError(limit: number): InterlinguaError {
  return new InterlinguaError('too-many-elements', `The tenant would have more than ${limit} memories`, {
    expected: `at most ${limit} memories`,
    hint: 'Delete memories that are not needed, set `expiresAt`, or raise `maxMemories`.',
  })
}
