import { type ErrorCode, InterlinguaError } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { describe, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path, pointer } from '../../wire/pointer.ts'
import type { IdentityOptions } from '../build/identity.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'

/** Reads a value, or throws; `spare` takes the unknown keys that the value cannot keep itself. */
export type Read<T> = (value: unknown, at: Path | undefined, reading: Reading, spare: Spare) => T

/** How a value is read: strictly in canonical form, or with the forms that others store. */
export interface Reading extends IdentityOptions {
  /** No aliases, no nulls for absent fields, no unknown keys. */
  readonly strict: boolean
  readonly part: Read<Part>
  readonly message: Read<Message>
  readonly tool: Read<Tool>
  readonly toolChoice: Read<ToolChoice>
}

/** Collects the unknown keys found below the nearest object that can carry them. */
export type Spare = Record<string, Json>

/** Gives `$ref` for a named schema, and remembers its definition. */
export type Define = (name: string, schema: () => JsonObject) => JsonObject

/** What a value must look like: reads it, and says it as JSON Schema. One table serves both. */
export interface Shape<out T> {
  /** What it expects, as an error message puts it: `a string`. */
  readonly expects: string
  readonly read: Read<T>
  schema(define: Define): JsonObject
}

/** Throws the error of a value that is not what it should be. */
export function fail(
  code: ErrorCode,
  at: Path | undefined,
  found: string,
  expected: string,
  hint?: string,
): never {
  const path = pointer(at)
  const place = path === '' ? 'The value' : path
  throw new InterlinguaError(code, `${place}: expected ${expected}, found ${found}`, {
    path,
    found,
    expected,
    ...(hint !== undefined && { hint }),
  })
}

/** A short word from outside, quoted for an error message; anything longer is only described. */
export function quote(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : describe(value)
}

function primitive<T>(expects: string, schema: JsonObject, is: (value: unknown) => value is T): Shape<T> {
  return {
    expects,
    read: (value, at) => (is(value) ? value : fail('invalid-type', at, describe(value), expects)),
    schema: () => schema,
  }
}

export const string: Shape<string> = primitive(
  'a string',
  { type: 'string' },
  (value) => typeof value === 'string',
)

export const boolean: Shape<boolean> = primitive(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
)

export const number: Shape<number> = {
  expects: 'a number',
  read: (value, at) => {
    if (typeof value !== 'number') return fail('invalid-type', at, describe(value), 'a number')
    if (!Number.isFinite(value)) return fail('not-json', at, String(value), 'a finite number')
    return value === 0 ? 0 : value
  },
  schema: () => ({ type: 'number' }),
}

export const integer: Shape<number> = {
  expects: 'a whole number',
  read: (value, at, reading, spare) => {
    const read = number.read(value, at, reading, spare)
    return Number.isSafeInteger(read) ? read : fail('invalid-value', at, 'another number', 'a whole number')
  },
  schema: () => ({ type: 'integer' }),
}

/** A string that is not empty: an id or a name that others refer to. */
export const identifier: Shape<string> = {
  expects: 'a string that is not empty',
  read: (value, at, reading, spare) =>
    string.read(value, at, reading, spare) === ''
      ? fail('invalid-value', at, 'an empty string', 'a string that is not empty')
      : (value as string),
  schema: () => ({ type: 'string', minLength: 1 }),
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** A moment in ISO 8601, kept as it is written. */
export const time: Shape<string> = {
  expects: 'a time in ISO 8601, such as 2026-01-31T12:00:00Z',
  read: (value, at, reading, spare) => {
    const text = string.read(value, at, reading, spare)
    const valid = isoTime.test(text) && !Number.isNaN(Date.parse(text))
    return valid ? text : fail('invalid-value', at, 'another string', time.expects)
  },
  schema: () => ({ type: 'string', format: 'date-time' }),
}

export const json: Shape<Json> = {
  expects: 'a JSON value',
  read: (value, at) =>
    value === undefined
      ? fail('missing-field', at, 'nothing', 'a JSON value')
      : frozenCopy(value as Json, at),
  schema: () => ({}),
}

export const jsonObject: Shape<JsonObject> = {
  expects: 'an object',
  read: (value, at) =>
    isObject(value)
      ? (frozenCopy(value, at) as JsonObject)
      : fail('invalid-type', at, describe(value), 'an object'),
  schema: () => ({ type: 'object' }),
}

/** One of a few words. */
export function word<const T extends string>(...words: readonly T[]): Shape<T> {
  const expects = words.map((each) => JSON.stringify(each)).join(' or ')
  return {
    expects,
    read: (value, at) => {
      const found = words.find((each) => each === value)
      if (found !== undefined) return found
      return fail(typeof value === 'string' ? 'invalid-value' : 'invalid-type', at, quote(value), expects)
    },
    schema: () => (words.length === 1 ? { const: words[0] as T } : { enum: [...words] }),
  }
}

/** A mark that is either there or absent; `false` is another way to leave it out. */
export const mark: Shape<true> = {
  expects: 'true',
  read: (value, at) => (value === true ? true : fail('invalid-type', at, describe(value), 'true')),
  schema: () => ({ const: true }),
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    expects: 'an array',
    read: (value, at, reading, spare) => {
      if (!Array.isArray(value)) return fail('invalid-type', at, describe(value), 'an array')
      return Object.freeze(
        Array.from(value, (each, index) => item.read(each, below(at, index), reading, spare)),
      )
    },
    schema: (define) => ({ type: 'array', items: item.schema(define) }),
  }
}

/** An object whose keys are free and whose values are alike. */
export function dictionary<T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return {
    expects: 'an object',
    read: (value, at, reading, spare) => {
      const object = jsonObject.read(value, at, reading, spare)
      for (const [key, each] of Object.entries(object)) item.read(each, below(at, key), reading, spare)
      return object as { readonly [key: string]: never }
    },
    schema: (define) => ({ type: 'object', additionalProperties: item.schema(define) }),
  }
}

/** A shape with a further condition, said in both languages. */
export function refined<T>(
  shape: Shape<T>,
  check: (value: T, at: Path | undefined) => void,
  condition: JsonObject,
): Shape<T> {
  return {
    ...shape,
    read: (value, at, reading, spare) => {
      const read = shape.read(value, at, reading, spare)
      check(read, at)
      return read
    },
    schema: (define) => ({ allOf: [shape.schema(define), condition] }),
  }
}
