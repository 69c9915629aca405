import { isList, isObject, type Json, type JsonSchema, setKey } from '../../wire/json.ts'
import { fitAndReport, type SchemaFitter } from '../shared/fit-schemas.ts'
import { schemaTypesByNumber } from './constants.ts'
import { toCamelCaseSchema } from './key-casing.ts'

/** How a schema of this format names types: `OBJECT`, its number, or `object` as JSON Schema does. */
export type TypeStyle = 'upper' | 'number' | 'lower'

const typeStyles: readonly unknown[] = ['upper', 'number', 'lower'] satisfies readonly TypeStyle[]

/** Whether a hint says that a schema came in the provider's own form, and how its types were named. */
export function isTypeStyle(hint: unknown): hint is TypeStyle {
  return typeStyles.includes(hint)
}

/** How a schema is said, types in small letters: as JSON Schema, or in the provider's own form. */
export function getSchemaFitter(types: unknown): SchemaFitter {
  return isTypeStyle(types) ? fitGeminiSchema : fitJsonSchema
}

const fitJsonSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'gemini-json-schema', location, context).schema,
})

const fitGeminiSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: convertFromGeminiSchema(fitAndReport(schema, 'gemini-openapi', location, context).schema),
})

/** Keywords below which schemas stand: one, a list of them, or a map. */
const schemaKeywords: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const schemaListKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemaMapKeywords: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'patternProperties'])

/** The style of a schema, by its outermost type. */
export function getTypeStyle({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && schemaTypesByNumber.includes(type) ? 'upper' : 'lower'
}

/** A schema of this format as JSON Schema: types in small letters, and null is one of them. */
export function convertFromGeminiSchema(schema: JsonSchema): JsonSchema {
  return rewriteSchema(toCamelCaseSchema(schema), convertFromGeminiSchema, (node) => {
    const { type, nullable, enum: listed, ...rest } = node
    const small = lowerType(type ?? null)
    if (nullable !== true || typeof small !== 'string' || small === 'null')
      return type === undefined ? node : { ...node, type: small }
    return { ...rest, type: [small, 'null'], ...(isList(listed) && { enum: [...listed, null] }) }
  })
}

function lowerType(type: Json): Json {
  const word = typeof type === 'number' ? schemaTypesByNumber[type] : type
  return typeof word === 'string' && schemaTypesByNumber.includes(word) ? word.toLowerCase() : type
}

/** A JSON Schema in this format, with its types in a style: one type, and a flag for null. */
export function convertToGeminiSchema(schema: JsonSchema, style: TypeStyle): JsonSchema {
  return rewriteSchema(
    schema,
    (part) => convertToGeminiSchema(part, style),
    (node) => {
      const { type, enum: listed, ...rest } = node
      if (!isList(type)) return type === undefined ? node : { ...node, type: formatType(type, style) }
      const [only = null, nothing, ...others] = type
      if (nothing !== 'null' || others.length > 0 || Object.hasOwn(node, 'nullable')) return node
      const values = isList(listed) && { enum: listed.filter((value) => value !== null) }
      return { ...rest, type: formatType(only, style), nullable: true, ...values }
    },
  )
}

function formatType(type: Json, style: TypeStyle): Json {
  const word = typeof type === 'string' ? type.toUpperCase() : ''
  const number = schemaTypesByNumber.indexOf(word)
  if (number === -1 || style === 'lower') return type
  return style === 'upper' ? word : number
}

/** A schema whose parts are rewritten, and then itself. */
function rewriteSchema(
  schema: JsonSchema,
  inner: (schema: JsonSchema) => JsonSchema,
  outer: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const inside = (value: Json): Json => (isObject(value) ? inner(value) : value)
  const out: Record<string, Json> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (schemaKeywords.has(key)) setKey(out, key, inside(value))
    else if (schemaListKeywords.has(key) && isList(value)) setKey(out, key, value.map(inside))
    else if (schemaMapKeywords.has(key) && isObject(value)) setKey(out, key, mapValues(value, inside))
    else setKey(out, key, value)
  }
  return outer(out)
}

function mapValues(schemasByName: JsonSchema, change: (value: Json) => Json): JsonSchema {
  const out = {}
  for (const [name, value] of Object.entries(schemasByName)) setKey(out, name, change(value))
  return out
}
