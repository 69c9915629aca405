import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { markerEscapes } from './constants.ts'

/** JSON types and the types that they are written as. */
const TYPE_NAMES: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  array: 'any[]',
  object: 'object',
}

const toTypeName = (type: Json | undefined): string =>
  typeof type === 'string' && Object.hasOwn(TYPE_NAMES, type) ? (TYPE_NAMES[type] ?? 'any') : 'any'

/** Writes a JSON Schema as a TypeScript-like type. What a type cannot express is omitted. */
export function writeType(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any'
  const { type, enum: values, const: constant, anyOf, oneOf, items, properties } = schema
  if (constant !== undefined) return writeLiteral(constant)
  if (Array.isArray(values) && values.length > 0) return itemsOf(values).map(writeLiteral).join(' | ')
  const variants = anyOf ?? oneOf
  if (Array.isArray(variants) && variants.length > 0) return itemsOf(variants).map(writeMember).join(' | ')
  if (Array.isArray(type))
    return itemsOf(type)
      .map((each) => toTypeName(each))
      .join(' | ')
  if (type === 'array' && items !== undefined) return `${writeMember(items)}[]`
  if (isObject(properties)) return writeObject(schema)
  return toTypeName(type)
}

const writeLiteral = (value: Json): string => markerEscapes.escapeJson(JSON.stringify(value))

/** Writes a type inside of another one, in parentheses if it consists of several. */
function writeMember(schema: Json): string {
  const type = writeType(schema)
  return isUnion(schema) ? `(${type})` : type
}

function isUnion(schema: Json): boolean {
  if (!isObject(schema)) return false
  const { type, enum: values, anyOf, oneOf } = schema
  return [type, values, anyOf, oneOf].some((list) => Array.isArray(list) && list.length > 1)
}

/** Writes the properties of an object: descriptions are comments above them, and defaults after them. */
function writeObject({ properties, required }: JsonObject): string {
  const names = new Set(itemsOf(required))
  const lines = Object.entries(properties as JsonObject).flatMap(([key, schema]) => {
    const { description, default: given } = isObject(schema) ? schema : {}
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : writeLiteral(key)
    const note = given === undefined ? '' : ` // default: ${writeLiteral(given)}`
    const property = `${name}${names.has(key) ? '' : '?'}: ${writeType(schema)},${note}`
    return typeof description === 'string' ? [...writeComment(description), property] : [property]
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
}

/** Writes a description as comments, one for each line. */
export function writeComment(description: string): readonly string[] {
  return markerEscapes
    .escape(description)
    .split('\n')
    .map((line) => (line === '' ? '//' : `// ${line}`))
}
