import { withTypedErrors } from '../../wire/typed-errors.ts'
import { type ErrorCode, InterlinguaError } from '../../errors.ts'
import { freezeCopy, isPlainJson } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'

/** Reads a value, or throws. */
export type ValueReader<T> = (value: unknown, path: Path | undefined, context: ReadContext) => T

/**
 * The way in which values are read: strictly in canonical form, or with the forms of other formats. A value without a
 * reader of its own is read in canonical form, so that a bundle contains only the shapes that it reads.
 */
export interface ReaderSet extends IdentityOptions {
  /** True for no aliases, no nulls for absent fields, and no unknown keys. */
  readonly isStrict: boolean
  readonly part?: ValueReader<Part>
  readonly message?: ValueReader<Message>
  readonly tool?: ValueReader<Tool>
  readonly toolChoice?: ValueReader<ToolChoice>
}

/** The unknown keys of nested values, for the nearest object that can keep them. */
export type UnknownKeys = Record<string, Json>

export interface ReadContext {
  readonly reader: ReaderSet
  /** Receives the unknown keys that the value cannot keep. */
  readonly unknownKeys: UnknownKeys
}

/** The context for reading only canonical values, which cannot have unknown keys. */
const STRICT_CONTEXT: ReadContext = { reader: { isStrict: true }, unknownKeys: {} }

/** Reads a value of the shape strictly and returns a frozen copy; the same object if it is branded. */
export function readCanonicalValue<T>(shape: Shape<T>, value: unknown, path?: Path): T {
  return shape.read(value, path, STRICT_CONTEXT)
}

/** Returns true for a value that {@link readCanonicalValue} reads, and that stays as it is: an array as an array. */
export function isCanonicalValue<T>(shape: Shape<T>, value: unknown): boolean {
  return shape.accepts === undefined
    ? doesNotThrow(() => readCanonicalValue(shape, value))
    : shape.accepts(value)
}

function doesNotThrow(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Returns a `$ref` to a named schema and stores its definition. */
export type DefineSchema = (name: string, schema: () => JsonObject) => JsonObject

/** The shape of a value: reads values, and describes them as JSON Schema. */
export interface Shape<out T> {
  /** The expected value, as in an error message: `a string`. */
  readonly expects: string
  readonly read: ValueReader<T>
  /** Returns true if strict reading accepts a value. It creates nothing; without it, the value is read. */
  readonly accepts?: (value: unknown) => boolean
  schema(define: DefineSchema): JsonObject
}

/** Throws the error for a value that does not have the expected shape. */
export function throwInvalid(
  code: ErrorCode,
  path: Path | undefined,
  found: string,
  expected: string,
  hint?: string,
): never {
  const pointer = toPointer(path)
  const field = pointer === '' ? 'The value' : pointer
  throw new InterlinguaError(code, `${field}: expected ${expected}, found ${found}`, {
    path: pointer,
    found,
    expected,
    ...(hint !== undefined && { hint }),
  })
}

/** Throws the error for a value of another type than the expected one. */
export function throwWrongType(value: unknown, path: Path | undefined, expected: string): never {
  return throwInvalid('invalid-type', path, describeType(value), expected)
}

/** Returns a list, a stream or another iterable value; throws for any other. Nothing is read from it. */
export function checkIterable<T>(value: T, expected: string): T {
  const isIterable = withTypedErrors(
    () =>
      typeof value === 'object' &&
      value !== null &&
      (Symbol.iterator in value || Symbol.asyncIterator in value),
    [value, expected],
  )
  return isIterable ? value : throwWrongType(value, undefined, expected)
}

/** Throws the error for a field that is absent. */
export function throwMissing(path: Path, expected: string): never {
  return throwInvalid('missing-field', path, 'nothing', expected)
}

/** Returns a short untrusted string in quotes for an error message; other values are described by their type. */
export function quoteOrDescribe(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : describeType(value)
}

function basicShape<T>(expects: string, schema: JsonObject, is: (value: unknown) => value is T): Shape<T> {
  return {
    expects,
    read: (value, path) => (is(value) ? value : throwWrongType(value, path, expects)),
    accepts: is,
    schema: () => schema,
  }
}

export const stringShape: Shape<string> = basicShape(
  'a string',
  { type: 'string' },
  (value) => typeof value === 'string',
)

export const booleanShape: Shape<boolean> = basicShape(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
)

/** A flag that is true or absent; lenient reading accepts `false` as absent. */
export const trueShape: Shape<true> = basicShape('true', { const: true }, (value) => value === true)

export const numberShape: Shape<number> = {
  expects: 'a number',
  read: (value, path) => {
    if (typeof value !== 'number') return throwWrongType(value, path, 'a number')
    if (!Number.isFinite(value)) return throwInvalid('not-json', path, String(value), 'a finite number')
    return value === 0 ? 0 : value
  },
  accepts: Number.isFinite,
  schema: () => ({ type: 'number' }),
}

/** Creates the shape of the values of another shape that pass a test; `found` describes those that fail. */
function narrowShape<T>(
  shape: Shape<T>,
  expects: string,
  schema: JsonObject,
  test: (value: T) => boolean,
  found: string,
): Shape<T> {
  return {
    expects,
    read: (value, path, context) => {
      const read = shape.read(value, path, context)
      return test(read) ? read : throwInvalid('invalid-value', path, found, expects)
    },
    accepts: (value) => isCanonicalValue(shape, value) && test(value as T),
    schema: () => schema,
  }
}

export const integerShape: Shape<number> = narrowShape(
  numberShape,
  'an integer',
  { type: 'integer' },
  Number.isSafeInteger,
  'another number',
)

/** A string that is not empty: an id or a name that other values refer to. */
export const identifierShape: Shape<string> = narrowShape(
  stringShape,
  'a string that is not empty',
  { type: 'string', minLength: 1 },
  (text) => text !== '',
  'an empty string',
)

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** Times that need no calendar: those that interlingua creates, for the most part. `Date.parse` takes several times as long. */
const PLAIN_TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Returns true for a time in ISO 8601. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string') return false
  if (PLAIN_TIMESTAMP.test(value)) return true
  return ISO_TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value))
}

/** A timestamp in ISO 8601; its text is kept. */
export const timestampShape: Shape<string> = narrowShape(
  stringShape,
  'a time in ISO 8601, such as 2026-01-31T12:00:00Z',
  { type: 'string', format: 'date-time' },
  isTimestamp,
  'another string',
)

export const jsonShape: Shape<Json> = {
  expects: 'a JSON value',
  read: (value, path) =>
    value === undefined
      ? throwInvalid('missing-field', path, 'nothing', 'a JSON value')
      : freezeCopy(value as Json, path),
  accepts: (value) => value !== undefined && isPlainJson(value),
  schema: () => ({}),
}

export const jsonObjectShape: Shape<JsonObject> = {
  expects: 'an object',
  read: (value, path) =>
    isObject(value) ? (freezeCopy(value, path) as JsonObject) : throwWrongType(value, path, 'an object'),
  accepts: (value) => isObject(value) && isPlainJson(value),
  schema: () => ({ type: 'object' }),
}

/** Creates the shape of one of several strings. */
export function enumShape<const T extends string>(...values: readonly T[]): Shape<T> {
  const expects = values.map((each) => JSON.stringify(each)).join(' or ')
  return {
    expects,
    read: (value, path) => {
      const found = values.find((each) => each === value)
      if (found !== undefined) return found
      const code = typeof value === 'string' ? 'invalid-value' : 'invalid-type'
      return throwInvalid(code, path, quoteOrDescribe(value), expects)
    },
    accepts: (value) => values.includes(value as T),
    schema: () => (values.length === 1 ? { const: values[0] as T } : { enum: [...values] }),
  }
}

export function listShape<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    expects: 'an array',
    read: (value, path, context) => {
      if (!Array.isArray(value)) return throwWrongType(value, path, 'an array')
      // A hole is read as a missing item. `Array.from` with a callback takes several times as long for a short list.
      const items: T[] = []
      for (let index = 0; index < value.length; index++)
        items.push(item.read(value[index], child(path, index), context))
      return Object.freeze(items)
    },
    accepts(value) {
      if (!Array.isArray(value)) return false
      for (let index = 0; index < value.length; index++)
        if (!isCanonicalValue(item, value[index])) return false
      return true
    },
    schema: (define) => ({ type: 'array', items: item.schema(define) }),
  }
}

/** Creates the shape of an object with any keys and values of one shape. */
export function recordShape<T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return {
    expects: 'an object',
    read: (value, path, context) => {
      const object = jsonObjectShape.read(value, path, context)
      for (const [key, each] of Object.entries(object)) item.read(each, child(path, key), context)
      return object as { readonly [key: string]: never }
    },
    accepts: (value) =>
      isObject(value) &&
      isPlainJson(value) &&
      Object.values(value).every((each) => each === undefined || isCanonicalValue(item, each)),
    schema: (define) => ({ type: 'object', additionalProperties: item.schema(define) }),
  }
}

/** Returns a shape with another condition, as a check and as JSON Schema. */
export function refinedShape<T>(
  shape: Shape<T>,
  check: (value: T, path: Path | undefined) => void,
  condition: JsonObject,
): Shape<T> {
  return {
    ...shape,
    read: (value, path, context) => {
      const read = shape.read(value, path, context)
      check(read, path)
      return read
    },
    accepts: (value) => isCanonicalValue(shape, value) && doesNotThrow(() => check(value as T, undefined)),
    schema: (define) => ({ allOf: [shape.schema(define), condition] }),
  }
}
