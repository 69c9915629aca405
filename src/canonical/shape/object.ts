import type { ErrorCode } from '../../errors.ts'
import { freezeCopy, brand, isBranded } from '../../wire/frozen-json.ts'
import { hideFromConsole, isHiddenKey } from '../../wire/hide-from-console.ts'
import { isObject, getOwnValue, isEmptyObject, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'
import { type Extra, UNKNOWN_SLOT } from '../model/extra.ts'
import {
  enumShape,
  isCanonicalValue,
  recordShape,
  throwInvalid,
  throwMissing,
  throwWrongType,
  jsonObjectShape,
  trueShape,
  quoteOrDescribe,
  type ReadContext,
  type ReaderSet,
  type Shape,
  type UnknownKeys,
  type ValueReader,
} from './shape.ts'

/** One field of an object. */
export interface Field<T, Optional extends boolean = boolean> {
  readonly shape: Shape<T>
  /** Other names under which the value is accepted, in order of preference. */
  readonly aliases: readonly string[]
  readonly isOptional: Optional
}

/** One row per key of an interface, required or optional like the key: the compiler keeps both consistent. */
export type ObjectFields<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? Field<Exclude<T[K], undefined>, true>
    : Field<T[K], false>
}

/** A name of a field in another format; not a sentence. */
type FieldAlias = Uncapitalize<string>

export function required<T>(shape: Shape<T>, ...aliases: readonly FieldAlias[]): Field<T, false> {
  return { shape, aliases, isOptional: false }
}

export function optional<T>(shape: Shape<T>, ...aliases: readonly FieldAlias[]): Field<T, true> {
  return { shape, aliases, isOptional: true }
}

/** The field whose value identifies the member of a union. */
export function discriminator<const T extends string>(value: T): Field<T, false> {
  return required(enumShape(value))
}

export const extraField: Field<Extra, true> = optional(recordShape(jsonObjectShape))

/** Creates the shape of an object; one without an `extra` field passes unknown keys to the enclosing object. */
export function objectShape<T extends object>(name: string, fields: ObjectFields<T>): Shape<T> {
  const getPlan = lazy(() => createReadPlan(fields))
  return {
    expects: 'an object',
    read: (value, path, context) => {
      if (!isObject(value)) return throwWrongType(value, path, 'an object')
      const { reader, unknownKeys } = context
      const { rows, keepsUnknown, hides, readExact } = getPlan()
      if (reader.isStrict) {
        const exact = readExact(value, path, context)
        if (exact !== undefined)
          return (keepsUnknown ? brand(exact) : Object.freeze(hides ? hideFromConsole(exact) : exact)) as T
      }
      const unknown: UnknownKeys = {}
      const read = readFields(value, rows, path, { reader, unknownKeys: unknown })
      const [key] = Object.keys(unknown)
      if (reader.isStrict && key !== undefined)
        throwInvalid(
          'unexpected-field',
          child(path, key),
          `the field ${quoteOrDescribe(key)}`,
          'no such field',
        )
      if (keepsUnknown) return brand(addUnknownKeys(read, unknown)) as T
      if (key !== undefined) setKey(unknownKeys, String(path?.key ?? name), Object.freeze(unknown))
      return Object.freeze(hides ? hideFromConsole(read) : read) as T
    },
    accepts: (value) => isObject(value) && getPlan().accepts(value),
    schema: (define) =>
      define(name, () => {
        const { rows } = getPlan()
        return {
          type: 'object',
          properties: Object.fromEntries(rows.map(([key, { shape }]) => [key, shape.schema(define)])),
          required: rows.filter(([, field]) => !field.isOptional).map(([key]) => key),
          additionalProperties: false,
        }
      }),
  }
}

type FieldRows = readonly (readonly [string, Field<unknown>])[]

/** Reads an object; returns undefined for one that it cannot read. */
type ExactReader = (
  source: { readonly [key: string]: unknown },
  path: Path | undefined,
  context: ReadContext,
) => Record<string, unknown> | undefined

/** The way to read an object. */
interface ReadPlan {
  readonly rows: FieldRows
  readonly keepsUnknown: boolean
  /** True if the console does not show all fields. */
  readonly hides: boolean
  readonly readExact: ExactReader
  readonly accepts: (value: { readonly [key: string]: unknown }) => boolean
}

function createReadPlan(fields: object): ReadPlan {
  const rows = Object.entries(fields) as [string, Field<unknown>][]
  return {
    rows,
    keepsUnknown: Object.hasOwn(fields, 'extra'),
    hides: rows.some(([key]) => isHiddenKey(key)),
    readExact: createExactReader(rows),
    accepts: createAcceptor(rows),
  }
}

/**
 * Returns a reader of objects whose keys are all rows of the table, and that lack no required one; it returns undefined for
 * any other object. Reading the keys that an object has is faster than looking for each row.
 */
function createExactReader(rows: FieldRows): ExactReader {
  const positionOf = new Map(rows.map(([key], position) => [key, position]))
  const requiredCount = rows.filter(([, { isOptional }]) => !isOptional).length
  return (source, path, context) => {
    const positions: number[] = []
    let found = 0
    for (const key of Object.keys(source)) {
      const position = positionOf.get(key)
      if (position === undefined || source[key] === undefined) return undefined
      if (rows[position]?.[1].isOptional === false) found += 1
      insertSorted(positions, position)
    }
    if (found < requiredCount) return undefined
    const out: Record<string, unknown> = {}
    for (const position of positions) {
      const [key, field] = rows[position] as readonly [string, Field<unknown>]
      out[key] = field.shape.read(source[key], child(path, key), context)
    }
    return out
  }
}

/** Adds a number to a short list in ascending order. Most keys are in order: calling a sort takes longer than the rest. */
function insertSorted(numbers: number[], added: number): void {
  let at = numbers.length
  for (; at > 0; at--) {
    const before = numbers[at - 1] ?? 0
    if (before < added) break
    numbers[at] = before
  }
  numbers[at] = added
}

/** Returns a function that is true for objects with all required fields, no unknown ones, and values that are accepted. */
function createAcceptor(rows: FieldRows): ReadPlan['accepts'] {
  const fields = new Map(rows)
  const requiredCount = rows.filter(([, { isOptional }]) => !isOptional).length
  return (source) => {
    let found = 0
    for (const key in source) {
      const value = source[key]
      if (value === undefined || !Object.hasOwn(source, key)) continue
      const field = fields.get(key)
      if (field === undefined || !isCanonicalValue(field.shape, value)) return false
      if (!field.isOptional) found += 1
    }
    return found === requiredCount
  }
}

/** Reads the fields of a table; keys that no row reads are added to the unknown keys of the context. */
export function readFields(
  source: { readonly [key: string]: unknown },
  rows: FieldRows,
  path: Path | undefined,
  context: ReadContext,
): Record<string, unknown> {
  const { isStrict } = context.reader
  const out: Record<string, unknown> = {}
  const taken: string[] = [] // few: searching a list is faster than building a set
  for (const [key, field] of rows) {
    const from = findFieldName(source, key, isStrict ? [] : field.aliases)
    if (from === undefined) {
      if (!field.isOptional) throwMissing(child(path, key), field.shape.expects)
      continue
    }
    taken.push(from)
    const value = source[from]
    // Other formats mark an optional field as absent by null, and a flag by false.
    const isAbsent = value === null || (value === false && field.shape === trueShape)
    if (!isStrict && field.isOptional && isAbsent) continue
    out[key] = field.shape.read(value, child(path, from), context)
  }
  for (const key of Object.keys(source)) {
    const value = source[key]
    if (value !== undefined && !taken.includes(key))
      setKey(context.unknownKeys, key, freezeCopy(value, child(path, key)))
  }
  return out
}

/** Returns the first name of a field under which the source has a value. */
function findFieldName(source: object, key: string, aliases: readonly string[]): string | undefined {
  if (getOwnValue(source, key) !== undefined) return key
  return aliases.find((name) => getOwnValue(source, name) !== undefined)
}

/** Adds unknown keys to the `unknown` slot, after those of an earlier parse. */
export function addUnknownKeys(object: Record<string, unknown>, keys: UnknownKeys): Record<string, unknown> {
  if (isEmptyObject(keys)) return object
  const extra = object['extra'] as Extra | undefined
  const merged = Object.freeze({ ...extra?.[UNKNOWN_SLOT], ...keys })
  return { ...object, extra: Object.freeze({ ...extra, [UNKNOWN_SLOT]: merged }) }
}

/** Creates the shape of a union that is discriminated by `type` or another key. */
export function unionShape<T extends object>(
  key: string,
  unknownTag: ErrorCode,
  shapes: { readonly [tag: string]: Shape<T> },
): Shape<T> {
  const expects = `one of ${Object.keys(shapes).join(', ')}`
  return {
    expects: 'an object',
    read: (value, path, context) => {
      if (!isObject(value)) return throwWrongType(value, path, 'an object')
      const tag = getOwnValue(value, key)
      if (tag === undefined) return throwMissing(child(path, key), expects)
      const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
      if (shape === undefined)
        return throwInvalid(unknownTag, child(path, key), quoteOrDescribe(tag), expects)
      return shape.read(value, path, context)
    },
    accepts(value) {
      const tag = isObject(value) ? getOwnValue(value, key) : undefined
      const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
      return shape !== undefined && isCanonicalValue(shape, value)
    },
    schema: (define) => ({ oneOf: [...new Set(Object.values(shapes))].map((shape) => shape.schema(define)) }),
  }
}

/**
 * Returns a shape that the reader of the context may read in other forms, too. Branded objects with the tag are returned as
 * they are: only parts have a canonical `type`, and only messages have a `role`.
 */
export function adaptableShape<T extends object>(
  tag: string,
  shape: Shape<T>,
  pickReader: (reader: ReaderSet) => ValueReader<T> | undefined,
): Shape<T> {
  const isOurs = (value: unknown): value is T =>
    isObject(value) && isBranded(value) && Object.hasOwn(value, tag)
  return {
    ...shape,
    read: (value, path, context) =>
      isOurs(value) ? value : (pickReader(context.reader) ?? shape.read)(value, path, context),
    accepts: (value) => isOurs(value) || isCanonicalValue(shape, value),
  }
}
