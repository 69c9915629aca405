import { isList, isObject, type Json, type JsonObject, type JsonSchema, setKey } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createSchemaHint,
  encodeSchema,
  fitAndReport,
  type SchemaFitter,
  type SchemaLocation,
} from '../shared/fit-schemas.ts'
import type { GeminiHints } from './hints.ts'
import { toCamelCaseSchema } from './key-casing.ts'

/** The style of type names in Gemini's own form of a schema: `OBJECT`, its number, or `object`. */
type TypeStyle = 'upper' | 'number' | 'lower'

/** Schema types by number. */
const typeNames = ['TYPE_UNSPECIFIED', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']

/** Fits a schema that is sent as JSON Schema. */
const fitJsonSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: fitAndReport(schema, 'gemini-json-schema', location, context).schema,
})

/** Fits a schema that is sent in Gemini's own form. */
const fitGeminiSchema: SchemaFitter = ({ schema }, location, context) => ({
  schema: convertFromGeminiSchema(fitAndReport(schema, 'gemini-openapi', location, context).schema),
})

/** Decodes a schema from the field of JSON Schema, or else from that of Gemini's own form. */
export function decodeSchema(
  jsonSchema: Json | undefined,
  geminiSchema: Json | undefined,
): { readonly schema: JsonSchema; readonly hints: GeminiHints } | undefined {
  if (isObject(jsonSchema))
    return { schema: jsonSchema, hints: createSchemaHint({ schema: jsonSchema }, fitJsonSchema) }
  if (!isObject(geminiSchema)) return undefined
  const schema = convertFromGeminiSchema(geminiSchema)
  const fitHints = createSchemaHint({ schema }, fitGeminiSchema)
  return { schema, hints: { schemaTypeStyle: getTypeStyle(geminiSchema), ...fitHints } }
}

/** Encodes a schema as the field of JSON Schema, or of Gemini's own form if it was decoded from that. */
export function encodeSchemaField(
  schema: JsonSchema,
  keys: { readonly json: string; readonly gemini: string },
  hints: GeminiHints,
  location: SchemaLocation,
  context: EncodeContext,
): JsonObject {
  const style = hints['schemaTypeStyle']
  if (style !== 'upper' && style !== 'number' && style !== 'lower')
    return { [keys.json]: encodeSchema({ schema }, fitJsonSchema, hints, location, context).schema }
  const fitted = encodeSchema({ schema }, fitGeminiSchema, hints, location, context).schema
  return { [keys.gemini]: convertToGeminiSchema(fitted, style) }
}

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const schemaKeywords: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not'])
const schemaListKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const schemaMapKeywords: ReadonlySet<string> = new Set(['properties', '$defs', 'defs', 'patternProperties'])

/** Returns the type style of a schema, determined by its outermost type. */
function getTypeStyle({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && typeNames.includes(type) ? 'upper' : 'lower'
}

/** Converts Gemini's own form to JSON Schema: types become lower case, and `nullable` becomes a type. */
function convertFromGeminiSchema(schema: JsonSchema): JsonSchema {
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
  const name = typeof type === 'number' ? typeNames[type] : type
  return typeof name === 'string' && typeNames.includes(name) ? name.toLowerCase() : type
}

/** Converts JSON Schema to Gemini's own form: types get a style, and the type `null` becomes `nullable`. */
function convertToGeminiSchema(schema: JsonSchema, style: TypeStyle): JsonSchema {
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
  const number = typeNames.indexOf(name)
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
  return outer(
    mapEntries(schema, (value, key) => {
      if (schemaKeywords.has(key)) return rewriteNested(value)
      if (schemaListKeywords.has(key) && isList(value)) return value.map(rewriteNested)
      return schemaMapKeywords.has(key) && isObject(value) ? mapEntries(value, rewriteNested) : value
    }),
  )
}

function mapEntries(object: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  const out = {}
  for (const [key, value] of Object.entries(object)) setKey(out, key, change(value, key))
  return out
}
