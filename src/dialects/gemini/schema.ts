import { isList, isObject, type Json, type JsonSchema, setKey } from '../../wire/json.ts'
import { fitted, type SchemaFit } from '../shared/schemas.ts'
import { schemaTypes } from './codes.ts'
import { camelSchema } from './spelling.ts'

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
const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'patternProperties'])

/** The style of a schema, by its outermost type. */
export function styleOf({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && schemaTypes.includes(type) ? 'upper' : 'lower'
}

/** A schema of this format as JSON Schema: types in small letters, and null is one of them. */
export function lowered(schema: JsonSchema): JsonSchema {
  return rewritten(camelSchema(schema), lowered, (node) => {
    const { type, nullable, enum: listed, ...rest } = node
    const small = smallType(type ?? null)
    if (nullable !== true || typeof small !== 'string' || small === 'null')
      return type === undefined ? node : { ...node, type: small }
    return { ...rest, type: [small, 'null'], ...(isList(listed) && { enum: [...listed, null] }) }
  })
}

function smallType(type: Json): Json {
  const word = typeof type === 'number' ? schemaTypes[type] : type
  return typeof word === 'string' && schemaTypes.includes(word) ? word.toLowerCase() : type
}

/** A JSON Schema in this format, with its types in a style: one type, and a flag for null. */
export function raised(schema: JsonSchema, style: TypeStyle): JsonSchema {
  return rewritten(
    schema,
    (part) => raised(part, style),
    (node) => {
      const { type, enum: listed, ...rest } = node
      if (!isList(type)) return type === undefined ? node : { ...node, type: styled(type, style) }
      const [only = null, nothing, ...others] = type
      if (nothing !== 'null' || others.length > 0 || Object.hasOwn(node, 'nullable')) return node
      const values = isList(listed) && { enum: listed.filter((value) => value !== null) }
      return { ...rest, type: styled(only, style), nullable: true, ...values }
    },
  )
}

function styled(type: Json, style: TypeStyle): Json {
  const word = typeof type === 'string' ? type.toUpperCase() : ''
  const number = schemaTypes.indexOf(word)
  if (number === -1 || style === 'lower') return type
  return style === 'upper' ? word : number
}

/** A schema whose parts are rewritten, and then itself. */
function rewritten(
  schema: JsonSchema,
  inner: (schema: JsonSchema) => JsonSchema,
  outer: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const inside = (value: Json): Json => (isObject(value) ? inner(value) : value)
  const out: Record<string, Json> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (schemas.has(key)) setKey(out, key, inside(value))
    else if (lists.has(key) && isList(value)) setKey(out, key, value.map(inside))
    else if (maps.has(key) && isObject(value)) setKey(out, key, mapped(value, inside))
    else setKey(out, key, value)
  }
  return outer(out)
}

function mapped(schemasByName: JsonSchema, change: (value: Json) => Json): JsonSchema {
  const out = {}
  for (const [name, value] of Object.entries(schemasByName)) setKey(out, name, change(value))
  return out
}
