import { mapSubschemas, someSchema } from '../../schema/map-subschemas.ts'
import { isList, isObject, type Json, type JsonObject, type JsonSchema } from '../../wire/json.ts'
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
import { shareSchema } from '../../wire/memoize.ts'

/** The style of type names in Gemini's own form of a schema: `OBJECT`, its number, or `object`. */
type TypeStyle = 'upper' | 'number' | 'lower'

/** Schema types by number. */
const UNSPECIFIED_TYPE = 'TYPE_UNSPECIFIED'
const typeNames = [UNSPECIFIED_TYPE, 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']

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
  if (isObject(jsonSchema)) {
    // Some clients send Gemini's own form in the field of JSON Schema.
    const schema = shareSchema(hasGeminiTypes(jsonSchema) ? convertFromGeminiSchema(jsonSchema) : jsonSchema)
    return { schema, hints: createSchemaHint({ schema }, fitJsonSchema) }
  }
  if (!isObject(geminiSchema)) return undefined
  const schema = shareSchema(convertFromGeminiSchema(geminiSchema))
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

/** Returns the type style of a schema, determined by its outermost type. */
function getTypeStyle({ type }: JsonSchema): TypeStyle {
  if (typeof type === 'number') return 'number'
  return typeof type === 'string' && typeNames.includes(type) ? 'upper' : 'lower'
}

/** Returns true for a schema that contains a type in upper case. */
function hasGeminiTypes(schema: JsonSchema): boolean {
  return someSchema(schema, ({ type = [] }) =>
    [type].flat().some((name) => typeNames.includes(name as string)),
  )
}

/** Converts Gemini's own form to JSON Schema: types become lower case, and `nullable` becomes a type. */
function convertFromGeminiSchema(schema: JsonSchema): JsonSchema {
  const node = mapSubschemas(toCamelCaseSchema(schema), undefined, convertFromGeminiSchema)
  const { type = UNSPECIFIED_TYPE, nullable, enum: enumValues, ...rest } = node
  const lowerCaseType = isList(type) ? type.map(lowerType) : lowerType(type)
  if (lowerCaseType === UNSPECIFIED_TYPE.toLowerCase()) return omitType(node)
  if (nullable !== true || typeof lowerCaseType !== 'string' || lowerCaseType === 'null')
    return { ...node, type: lowerCaseType }
  return {
    ...rest,
    type: [lowerCaseType, 'null'],
    ...(isList(enumValues) && { enum: [...enumValues, null] }),
  }
}

function omitType({ type: _type, ...others }: JsonSchema): JsonSchema {
  return others
}

/** Returns the name of a type in JSON Schema. Types are numbers, or names in any case. */
function lowerType(type: Json): Json {
  const name = typeof type === 'number' ? typeNames[type] : type
  return typeof name === 'string' && typeNames.includes(name.toUpperCase()) ? name.toLowerCase() : type
}

/** Converts JSON Schema to Gemini's own form: types get a style, and the type `null` becomes `nullable`. */
function convertToGeminiSchema(schema: JsonSchema, style: TypeStyle): JsonSchema {
  const node = mapSubschemas(schema, undefined, (part) => convertToGeminiSchema(part, style))
  const { type, enum: enumValues, ...rest } = node
  if (!isList(type)) return type === undefined ? node : { ...node, type: formatType(type, style) }
  const [only = null, nullType, ...others] = type
  if (nullType !== 'null' || others.length > 0 || Object.hasOwn(node, 'nullable')) return node
  const values = isList(enumValues) && { enum: enumValues.filter((value) => value !== null) }
  return { ...rest, type: formatType(only, style), nullable: true, ...values }
}

function formatType(type: Json, style: TypeStyle): Json {
  const name = typeof type === 'string' ? type.toUpperCase() : ''
  const number = typeNames.indexOf(name)
  if (number === -1 || style === 'lower') return type
  return style === 'upper' ? name : number
}
