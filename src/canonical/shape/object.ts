import type { ErrorCode } from '../../errors.ts'
import { frozenCopy, seal } from '../../wire/frozen.ts'
import { describe, isObject, ownValue, setKey } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Extra, UNKNOWN } from '../model/extra.ts'
import { dictionary, fail, jsonObject, mark, quote, type Reading, type Shape, type Spare } from './shape.ts'

interface FieldBase<T> {
  readonly shape: Shape<T>
  readonly description: string
  /** Other names under which the value is accepted, in order of preference. */
  readonly aliases: readonly string[]
}

export interface RequiredField<T> extends FieldBase<T> {
  readonly optional: false
}

export interface OptionalField<T> extends FieldBase<T> {
  readonly optional: true
}

/** A row per key of an interface, whether it is required included: the compiler keeps both in step. */
export type Fields<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? OptionalField<Exclude<T[K], undefined>>
    : RequiredField<T[K]>
}

export function required<T>(shape: Shape<T>, description: string, ...aliases: string[]): RequiredField<T> {
  return { shape, description, aliases, optional: false }
}

export function optional<T>(shape: Shape<T>, description: string, ...aliases: string[]): OptionalField<T> {
  return { shape, description, aliases, optional: true }
}

/** Extra slots: objects by name. */
export const extraShape: Shape<Extra> = dictionary(jsonObject)

/** The shape of an object. One that has an `extra` field keeps its unknown keys there, others hand them up. */
export function objectShape<T extends object>(name: string, fields: Fields<T>): Shape<T> {
  const rows = Object.entries(fields) as [string, RequiredField<unknown> | OptionalField<unknown>][]
  const keepsUnknown = Object.hasOwn(fields, 'extra')
  return {
    expects: 'an object',
    read: (value, at, reading, spare) => {
      if (!isObject(value)) return fail('invalid-type', at, describe(value), 'an object')
      const unknown: Spare = {}
      const read = readFields(value, rows, at, reading, unknown)
      refuseUnknown(unknown, at, reading)
      if (keepsUnknown) return seal(withUnknown(read, unknown)) as T
      if (Object.keys(unknown).length > 0) setKey(spare, String(at?.key ?? name), Object.freeze(unknown))
      return Object.freeze(read) as T
    },
    schema: (define) =>
      define(name, () => ({
        type: 'object',
        properties: Object.fromEntries(
          rows.map(([key, { shape, description }]) => [key, { ...shape.schema(define), description }]),
        ),
        required: rows.filter(([, field]) => !field.optional).map(([key]) => key),
        additionalProperties: false,
      })),
  }
}

/** Reads the fields of a table; keys that no row takes go to `unknown`. */
export function readFields(
  source: { readonly [key: string]: unknown },
  rows: readonly (readonly [string, RequiredField<unknown> | OptionalField<unknown>])[],
  at: Path | undefined,
  reading: Reading,
  unknown: Spare,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const taken = new Set<string>()
  for (const [key, field] of rows) {
    const from = findKey(source, key, field, reading)
    if (from === undefined) {
      if (!field.optional) fail('missing-field', below(at, key), 'nothing', field.shape.expects)
      continue
    }
    taken.add(from)
    const value = source[from]
    if (!reading.strict && field.optional && isBlank(value, field)) continue
    out[key] = field.shape.read(value, below(at, from), reading, unknown)
  }
  for (const [key, value] of Object.entries(source)) {
    if (!taken.has(key) && value !== undefined) setKey(unknown, key, frozenCopy(value, below(at, key)))
  }
  return out
}

/** Ways in which others write that an optional field is absent. */
function isBlank(value: unknown, field: OptionalField<unknown>): boolean {
  return value === null || (value === false && field.shape === mark)
}

/** Puts unknown keys into the `unknown` slot beside what an earlier parse found. */
export function withUnknown(object: Record<string, unknown>, unknown: Spare): Record<string, unknown> {
  if (Object.keys(unknown).length === 0) return object
  const extra = object['extra'] as Extra | undefined
  const merged = Object.freeze({ ...extra?.[UNKNOWN], ...unknown })
  return { ...object, extra: Object.freeze({ ...extra, [UNKNOWN]: merged }) }
}

/** In strict reading an unknown key is an error. */
function refuseUnknown(unknown: Spare, at: Path | undefined, reading: Reading): void {
  const [key] = Object.keys(unknown)
  if (!reading.strict || key === undefined) return
  fail('unexpected-field', below(at, key), `the field ${quote(key)}`, 'no such field')
}

/** A union told apart by its `type` (or another key). */
export function tagged<T extends object>(
  key: string,
  shapes: { readonly [tag: string]: Shape<T> },
  unknownTag: ErrorCode,
): Shape<T> {
  const expects = Object.keys(shapes).join(', ')
  return {
    expects: 'an object',
    read: (value, at, reading, spare) => {
      if (!isObject(value)) return fail('invalid-type', at, describe(value), 'an object')
      const tag = ownValue(value, key)
      if (tag === undefined) return fail('missing-field', below(at, key), 'nothing', `one of ${expects}`)
      const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
      if (shape === undefined) return fail(unknownTag, below(at, key), quote(tag), `one of ${expects}`)
      return shape.read(value, at, reading, spare)
    },
    schema: (define) => ({ oneOf: [...new Set(Object.values(shapes))].map((shape) => shape.schema(define)) }),
  }
}

function findKey(
  source: object,
  key: string,
  field: RequiredField<unknown> | OptionalField<unknown>,
  { strict }: Reading,
): string | undefined {
  const names = strict ? [key] : [key, ...field.aliases]
  return names.find((name) => ownValue(source, name) !== undefined)
}
