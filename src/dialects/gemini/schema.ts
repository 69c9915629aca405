import { isList, isObject, type Json, type JsonSchema, setKey } from '../../wire/json.ts'
import { fitted, type SchemaFit } from '../shared/schemas.ts'
import { schemaTypes } from './codes.ts'

/** How a schema of this format names types: `OBJECT`, its number, or `object` as JSON Schema does. */
export type TypeStyle = 'upper' | 'number' | 'lower'

const styles: readonly unknown[] = ['upper', 'number', 'lower'] satisfies readonly TypeStyle[]

/** Whether a hint says that a schema came in the provider's own form, and how its types were named. */
export function isStyle(hint: unknown): hint is TypeStyle {
  return styles.includes(hint)
}

/** How a schema is said, types in small letters: as JSON Schema, or in the provider's own form. */
export function fitFor(types: unknown): SchemaFit {
  return isStyle(types) ? ownSchemas : jsonSchemas
}

const jsonSchemas: SchemaFit = ({ schema }, place, encoding) => ({
  schema: fitted(schema, 'gemini-json-schema', place, encoding).schema,
})

const ownSchemas: SchemaFit = ({ schema }, place, encoding) => ({
  schema: lowered(fitted(schema, 'gemini-openapi', place, encoding).schema),
})

/** Keywords below which schemas stand: one, a list of them, or a map. */
const schemas: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additional_properties',
  'not',
])
const lists: ReadonlySet<string> = new Set([
  'anyOf',
  'any_of',
  'oneOf',
  'allOf',
  'prefixItems',
  'prefix_items',
])
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'patternProperties'])

/** The style of a schema, by its outermost type. */
export function styleOf({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && schemaTypes.includes(type) ? 'upper' : 'lower'
}

/** A schema of this format as JSON Schema: types in small letters. */
export function lowered(schema: JsonSchema): JsonSchema {
  return retyped(schema, (type) => {
    const word = typeof type === 'number' ? schemaTypes[type] : type
    return typeof word === 'string' && schemaTypes.includes(word) ? word.toLowerCase() : type
  })
}

/** A JSON Schema with its types in another style. */
export function raised(schema: JsonSchema, style: TypeStyle): JsonSchema {
  if (style === 'lower') return schema
  return retyped(schema, (type) => {
    const word = typeof type === 'string' ? type.toUpperCase() : ''
    const number = schemaTypes.indexOf(word)
    return number === -1 ? type : style === 'upper' ? word : number
  })
}

function retyped(schema: JsonSchema, change: (type: Json) => Json): JsonSchema {
  const inside = (value: Json): Json => (isObject(value) ? retyped(value, change) : value)
  const out = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'type') setKey(out, key, change(value))
    else if (schemas.has(key)) setKey(out, key, inside(value))
    else if (lists.has(key) && isList(value)) setKey(out, key, value.map(inside))
    else if (maps.has(key) && isObject(value)) setKey(out, key, mapped(value, inside))
    else setKey(out, key, value)
  }
  return out
}

function mapped(schemasByName: JsonSchema, change: (value: Json) => Json): JsonSchema {
  const out = {}
  for (const [name, value] of Object.entries(schemasByName)) setKey(out, name, change(value))
  return out
}
