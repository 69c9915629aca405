import { isList, isObject, type Json, type JsonSchema, setKey } from '../../wire/json.ts'
import { fitAndReport, type SchemaFitter } from '../shared/fit-schemas.ts'
import { schemaTypesByNumber } from './constants.ts'
import { toCamelCaseSchema } from './key-casing.ts'

/** The style of type names in a schema of this dialect: `OBJECT`, its number, or `object` as in JSON Schema. */
export type TypeStyle = 'upper' | 'number' | 'lower'

const typeStyles: readonly unknown[] = ['upper', 'number', 'lower'] satisfies readonly TypeStyle[]

/** Returns true for a hint that records the type style of a schema in Gemini's own form. */
export function isTypeStyle(hint: unknown): hint is TypeStyle {
  return typeStyles.includes(hint)
}

/** Returns the fitter for JSON Schema or for Gemini's own form; both return lower-case types. */
export function getSchemaFitter(types: unknown): SchemaFitter {
  return isTypeStyle(types) ? fitGeminiSchema : fitJsonSchema
}

const fitJsonSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'gemini-json-schema', location, context).schema,
})

const fitGeminiSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: convertFromGeminiSchema(fitAndReport(schema, 'gemini-openapi', location, context).schema),
})

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const schemaKeywords: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const schemaListKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemaMapKeywords: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'patternProperties'])

/** Returns the type style of a schema, determined by its outermost type. */
export function getTypeStyle({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && schemaTypesByNumber.includes(type) ? 'upper' : 'lower'
}

/**
 * Converts a schema in Gemini's own form to JSON Schema: types are lower case, and `nullable` becomes a type.
 */
export function convertFromGeminiSchema(schema: JsonSchema): JsonSchema {
  return rewriteSchema(toCamelCaseSchema(schema), convertFromGeminiSchema, (node) => {
    const { type, nullable, enum: enumValues, ...rest } = node
    const lowerCaseType = lowerType(type ?? null)
    if (nullable !== true || typeof lowerCaseType !== 'string' || lowerCaseType === 'null')
      return type === undefined ? node : { ...node, type: lowerCaseType }
    return {
      ...rest,
      type: [lowerCaseType, 'null'],
      ...(isList(enumValues) && { enum: [...enumValues, null] }),
    }
  })
}

function lowerType(type: Json): Json {
  const name = typeof type === 'number' ? schemaTypesByNumber[type] : type
  return typeof name === 'string' && schemaTypesByNumber.includes(name) ? name.toLowerCase() : type
}

/**
 * Converts a JSON Schema to Gemini's own form: types have the given style, and the type `null` becomes
 * `nullable`.
 */
export function convertToGeminiSchema(schema: JsonSchema, style: TypeStyle): JsonSchema {
  return rewriteSchema(
    schema,
    (part) => convertToGeminiSchema(part, style),
    (node) => {
      const { type, enum: enumValues, ...rest } = node
      if (!isList(type)) return type === undefined ? node : { ...node, type: formatType(type, style) }
      const [only = null, nullType, ...others] = type
      if (nullType !== 'null' || others.length > 0 || Object.hasOwn(node, 'nullable')) return node
      const values = isList(enumValues) && { enum: enumValues.filter((value) => value !== null) }
      return { ...rest, type: formatType(only, style), nullable: true, ...values }
    },
  )
}

function formatType(type: Json, style: TypeStyle): Json {
  const name = typeof type === 'string' ? type.toUpperCase() : ''
  const number = schemaTypesByNumber.indexOf(name)
  if (number === -1 || style === 'lower') return type
  return style === 'upper' ? name : number
}

/** Rewrites the nested schemas of a schema, then the schema itself. */
function rewriteSchema(
  schema: JsonSchema,
  inner: (schema: JsonSchema) => JsonSchema,
  outer: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const rewriteNested = (value: Json): Json => (isObject(value) ? inner(value) : value)
  const out: Record<string, Json> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (schemaKeywords.has(key)) setKey(out, key, rewriteNested(value))
    else if (schemaListKeywords.has(key) && isList(value)) setKey(out, key, value.map(rewriteNested))
    else if (schemaMapKeywords.has(key) && isObject(value)) setKey(out, key, mapValues(value, rewriteNested))
    else setKey(out, key, value)
  }
  return outer(out)
}

function mapValues(schemasByName: JsonSchema, change: (value: Json) => Json): JsonSchema {
  const out = {}
  for (const [name, value] of Object.entries(schemasByName)) setKey(out, name, change(value))
  return out
}
