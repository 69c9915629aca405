import { isObject, type JsonObject } from '../wire/json.ts'
import type { SchemaLimits } from './targets.ts'

interface Size {
  depth: number
  properties: number
  enumValues: number
  characters: number
  longestEnum: number
}

/** True where a written schema is larger than it may be. What a reference leads to counts once, where it is defined. */
export function exceeds(schema: JsonObject, limits: SchemaLimits): boolean {
  const size: Size = { depth: 0, properties: 0, enumValues: 0, characters: 0, longestEnum: 0 }
  measure(schema, 0, size, limits)
  return (
    size.depth > limits.depth ||
    size.properties > limits.properties ||
    size.enumValues > limits.enumValues ||
    size.characters > limits.characters ||
    size.longestEnum > limits.enumCharacters
  )
}

function measure(schema: unknown, above: number, size: Size, limits: SchemaLimits): void {
  if (!isObject(schema)) return
  const { properties, items, anyOf, $defs, enum: listed, const: constant } = schema
  const depth = isObject(properties) || isObject(items) ? above + 1 : above
  size.depth = Math.max(size.depth, depth)
  if (isObject(properties)) size.properties += Object.keys(properties).length
  const values: readonly unknown[] = Array.isArray(listed) ? listed : []
  const text = values.concat(constant ?? []).reduce<number>((sum, value) => sum + String(value).length, 0)
  size.enumValues += values.length
  size.characters += text
  if (values.length > limits.longEnum) size.longestEnum = Math.max(size.longestEnum, text)
  for (const map of [properties, $defs]) {
    for (const [name, part] of Object.entries(isObject(map) ? map : {})) {
      size.characters += name.length
      measure(part, map === $defs ? 0 : depth, size, limits)
    }
  }
  measure(items, depth, size, limits)
  for (const part of Array.isArray(anyOf) ? anyOf : []) measure(part, above, size, limits)
}
