import { type ErrorCode, InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'

/** Reads a value, or throws; `spare` takes the unknown keys that the value cannot keep itself. */
export type ReadValue<T> = (
  value: unknown,
  path: Path | undefined,
  reading: ReadContext,
  spare: UnknownKeys,
) => T

/** How a value is read: strictly in canonical form, or with the forms that others store. */
export interface ReadContext extends IdentityOptions {
  /** No aliases, no nulls for absent fields, no unknown keys. */
  readonly isStrict: boolean
  readonly part: ReadValue<Part>
  readonly message: ReadValue<Message>
  readonly tool: ReadValue<Tool>
  readonly toolChoice: ReadValue<ToolChoice>
}

/** Collects the unknown keys found below the nearest object that can carry them. */
export type UnknownKeys = Record<string, Json>

/** Gives `$ref` for a named schema, and remembers its definition. */
export type DefineSchema = (name: string, schema: () => JsonObject) => JsonObject

/** What a value must look like: reads it, and says it as JSON Schema. One table serves both. */
export interface Shape<out T> {
  /** What it expects, as an error message puts it: `a string`. */
  readonly expects: string
  readonly read: ReadValue<T>
  schema(define: DefineSchema): JsonObject
}

/** Throws the error of a value that is not what it should be. */
export function throwInvalid(
  code: ErrorCode,
  at: Path | undefined,
  found: string,
  expected: string,
  hint?: string,
): never {
  const path = toPointer(at)
  const place = path === '' ? 'The value' : path
  throw new InterlinguaError(code, `${place}: expected ${expected}, found ${found}`, {
    path,
    found,
    expected,
    ...(hint !== undefined && { hint }),
  })
}

/** A short word from outside, quoted for an error message; anything longer is only described. */
export function quoteShort(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : describeType(value)
}

function createPrimitiveShape<T>(
  expects: string,
  schema: JsonObject,
  is: (value: unknown) => value is T,
): Shape<T> {
  return {
    expects,
    read: (value, path) =>
      is(value) ? value : throwInvalid('invalid-type', path, describeType(value), expects),
    schema: () => schema,
  }
}

export const stringShape: Shape<string> = createPrimitiveShape(
  'a string',
  { type: 'string' },
  (value) => typeof value === 'string',
)

export const booleanShape: Shape<boolean> = createPrimitiveShape(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
)

export const numberShape: Shape<number> = {
  expects: 'a number',
  read: (value, path) => {
    if (typeof value !== 'number') return throwInvalid('invalid-type', path, describeType(value), 'a number')
    if (!Number.isFinite(value)) return throwInvalid('not-json', path, String(value), 'a finite number')
    return value === 0 ? 0 : value
  },
  schema: () => ({ type: 'number' }),
}

export const integerShape: Shape<number> = {
  expects: 'a whole number',
  read: (value, path, reading, spare) => {
    const read = numberShape.read(value, path, reading, spare)
    return Number.isSafeInteger(read)
      ? read
      : throwInvalid('invalid-value', path, 'another number', 'a whole number')
  },
  schema: () => ({ type: 'integer' }),
}

/** A string that is not empty: an id or a name that others refer to. */
export const identifierShape: Shape<string> = {
  expects: 'a string that is not empty',
  read: (value, path, reading, spare) =>
    stringShape.read(value, path, reading, spare) === ''
      ? throwInvalid('invalid-value', path, 'an empty string', 'a string that is not empty')
      : (value as string),
  schema: () => ({ type: 'string', minLength: 1 }),
}

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** A moment in ISO 8601, kept as it is written. */
export const timestampShape: Shape<string> = {
  expects: 'a time in ISO 8601, such as 2026-01-31T12:00:00Z',
  read: (value, path, reading, spare) => {
    const text = stringShape.read(value, path, reading, spare)
    const valid = ISO_TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text))
    return valid ? text : throwInvalid('invalid-value', path, 'another string', timestampShape.expects)
  },
  schema: () => ({ type: 'string', format: 'date-time' }),
}

export const jsonShape: Shape<Json> = {
  expects: 'a JSON value',
  read: (value, path) =>
    value === undefined
      ? throwInvalid('missing-field', path, 'nothing', 'a JSON value')
      : freezeCopy(value as Json, path),
  schema: () => ({}),
}

export const jsonObjectShape: Shape<JsonObject> = {
  expects: 'an object',
  read: (value, path) =>
    isObject(value)
      ? (freezeCopy(value, path) as JsonObject)
      : throwInvalid('invalid-type', path, describeType(value), 'an object'),
  schema: () => ({ type: 'object' }),
}

/** One of a few words. */
export function enumShape<const T extends string>(...words: readonly T[]): Shape<T> {
  const expects = words.map((each) => JSON.stringify(each)).join(' or ')
  return {
    expects,
    read: (value, path) => {
      const found = words.find((each) => each === value)
      if (found !== undefined) return found
      return throwInvalid(
        typeof value === 'string' ? 'invalid-value' : 'invalid-type',
        path,
        quoteShort(value),
        expects,
      )
    },
    schema: () => (words.length === 1 ? { const: words[0] as T } : { enum: [...words] }),
  }
}

/** A mark that is either there or absent; `false` is another way to leave it out. */
export const trueShape: Shape<true> = {
  expects: 'true',
  read: (value, path) =>
    value === true ? true : throwInvalid('invalid-type', path, describeType(value), 'true'),
  schema: () => ({ const: true }),
}

export function listShape<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    expects: 'an array',
    read: (value, path, reading, spare) => {
      if (!Array.isArray(value)) return throwInvalid('invalid-type', path, describeType(value), 'an array')
      return Object.freeze(
        Array.from(value, (each, index) => item.read(each, child(path, index), reading, spare)),
      )
    },
    schema: (define) => ({ type: 'array', items: item.schema(define) }),
  }
}

/** An object whose keys are free and whose values are alike. */
export function recordShape<T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return {
    expects: 'an object',
    read: (value, path, reading, spare) => {
      const object = jsonObjectShape.read(value, path, reading, spare)
      for (const [key, each] of Object.entries(object)) item.read(each, child(path, key), reading, spare)
      return object as { readonly [key: string]: never }
    },
    schema: (define) => ({ type: 'object', additionalProperties: item.schema(define) }),
  }
}

/** A shape with a further condition, said in both languages. */
export function refinedShape<T>(
  shape: Shape<T>,
  check: (value: T, path: Path | undefined) => void,
  condition: JsonObject,
): Shape<T> {
  return {
    ...shape,
    read: (value, path, reading, spare) => {
      const read = shape.read(value, path, reading, spare)
      check(read, path)
      return read
    },
    schema: (define) => ({ allOf: [shape.schema(define), condition] }),
  }
}
