import type { ErrorCode } from '../../errors.ts'
import { freezeCopy, brand } from '../../wire/frozen-json.ts'
import { describeType, isObject, getOwnValue, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type Extra, UNKNOWN_SLOT } from '../model/extra.ts'
import {
  recordShape,
  throwInvalid,
  jsonObjectShape,
  trueShape,
  quoteShort,
  type ReadContext,
  type Shape,
  type UnknownKeys,
} from './shape.ts'
import { hideWhenPrinted, isHidden } from '../../wire/inspect.ts'

interface FieldRowBase<T> {
  readonly shape: Shape<T>
  readonly description: string
  /** Other names under which the value is accepted, in order of preference. */
  readonly aliases: readonly string[]
}

export interface RequiredField<T> extends FieldRowBase<T> {
  readonly isOptional: false
}

export interface OptionalField<T> extends FieldRowBase<T> {
  readonly isOptional: true
}

/** One row per key of an interface, required or optional like the key: the compiler keeps both consistent. */
export type Fields<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? OptionalField<Exclude<T[K], undefined>>
    : RequiredField<T[K]>
}

export function requiredField<T>(
  shape: Shape<T>,
  description: string,
  ...aliases: string[]
): RequiredField<T> {
  return { shape, description, aliases, isOptional: false }
}

export function optionalField<T>(
  shape: Shape<T>,
  description: string,
  ...aliases: string[]
): OptionalField<T> {
  return { shape, description, aliases, isOptional: true }
}

/** The slots of an `extra` field. */
export const extraShape: Shape<Extra> = recordShape(jsonObjectShape)

/**
 * Creates the shape of an object. An object with an `extra` field keeps its unknown keys there; others pass
 * them to the enclosing object.
 */
export function objectShape<T extends object>(name: string, fields: Fields<T>): Shape<T> {
  const rows = Object.entries(fields) as [string, RequiredField<unknown> | OptionalField<unknown>][]
  const keepsUnknown = Object.hasOwn(fields, 'extra')
  const hides = rows.some(([key]) => isHidden(key))
  return {
    expects: 'an object',
    read: (value, path, context, unknownKeys) => {
      if (!isObject(value)) return throwInvalid('invalid-type', path, describeType(value), 'an object')
      const unknown: UnknownKeys = {}
      const read = readFields(value, rows, path, context, unknown)
      throwIfUnknown(unknown, path, context)
      if (keepsUnknown) return brand(addUnknownKeys(read, unknown)) as T
      if (Object.keys(unknown).length > 0)
        setKey(unknownKeys, String(path?.key ?? name), Object.freeze(unknown))
      return Object.freeze(hides ? hideWhenPrinted(read) : read) as T
    },
    schema: (define) =>
      define(name, () => ({
        type: 'object',
        properties: Object.fromEntries(
          rows.map(([key, { shape, description }]) => [key, { ...shape.schema(define), description }]),
        ),
        required: rows.filter(([, field]) => !field.isOptional).map(([key]) => key),
        additionalProperties: false,
      })),
  }
}

/** Reads the fields of a table; keys that no row reads are added to `unknown`. */
export function readFields(
  source: { readonly [key: string]: unknown },
  rows: readonly (readonly [string, RequiredField<unknown> | OptionalField<unknown>])[],
  path: Path | undefined,
  context: ReadContext,
  unknown: UnknownKeys,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const taken = new Set<string>()
  for (const [key, field] of rows) {
    const from = findKey(source, key, field, context)
    if (from === undefined) {
      if (!field.isOptional) throwInvalid('missing-field', child(path, key), 'nothing', field.shape.expects)
      continue
    }
    taken.add(from)
    const value = source[from]
    if (!context.isStrict && field.isOptional && isAbsentValue(value, field)) continue
    out[key] = field.shape.read(value, child(path, from), context, unknown)
  }
  for (const [key, value] of Object.entries(source)) {
    if (!taken.has(key) && value !== undefined) setKey(unknown, key, freezeCopy(value, child(path, key)))
  }
  return out
}

/** Returns true for a value by which other formats mark an optional field as absent. */
function isAbsentValue(value: unknown, field: OptionalField<unknown>): boolean {
  return value === null || (value === false && field.shape === trueShape)
}

/** Adds unknown keys to the `unknown` slot, after those of an earlier parse. */
export function addUnknownKeys(
  object: Record<string, unknown>,
  unknown: UnknownKeys,
): Record<string, unknown> {
  if (Object.keys(unknown).length === 0) return object
  const extra = object['extra'] as Extra | undefined
  const merged = Object.freeze({ ...extra?.[UNKNOWN_SLOT], ...unknown })
  return { ...object, extra: Object.freeze({ ...extra, [UNKNOWN_SLOT]: merged }) }
}

/** Throws for an unknown key in strict reading. */
function throwIfUnknown(unknown: UnknownKeys, path: Path | undefined, context: ReadContext): void {
  const [key] = Object.keys(unknown)
  if (!context.isStrict || key === undefined) return
  throwInvalid('unexpected-field', child(path, key), `the field ${quoteShort(key)}`, 'no such field')
}

/** Creates the shape of a union that is discriminated by `type` or another key. */
export function unionShape<T extends object>(
  key: string,
  shapes: { readonly [tag: string]: Shape<T> },
  unknownTag: ErrorCode,
): Shape<T> {
  const expects = Object.keys(shapes).join(', ')
  return {
    expects: 'an object',
    read: (value, path, context, unknownKeys) => {
      if (!isObject(value)) return throwInvalid('invalid-type', path, describeType(value), 'an object')
      const tag = getOwnValue(value, key)
      if (tag === undefined)
        return throwInvalid('missing-field', child(path, key), 'nothing', `one of ${expects}`)
      const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
      if (shape === undefined)
        return throwInvalid(unknownTag, child(path, key), quoteShort(tag), `one of ${expects}`)
      return shape.read(value, path, context, unknownKeys)
    },
    schema: (define) => ({ oneOf: [...new Set(Object.values(shapes))].map((shape) => shape.schema(define)) }),
  }
}

function findKey(
  source: object,
  key: string,
  field: RequiredField<unknown> | OptionalField<unknown>,
  { isStrict }: ReadContext,
): string | undefined {
  const names = isStrict ? [key] : [key, ...field.aliases]
  return names.find((name) => getOwnValue(source, name) !== undefined)
}
