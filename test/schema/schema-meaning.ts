import { Validator } from '@cfworker/json-schema'
import type { Json, JsonObject, JsonSchema } from 'interlingua'
import type { Checked } from './subset-checkers.ts'
import { again } from '../law-assertions.ts'

type Node = { readonly [keyword: string]: unknown }

/** Returns true if a schema accepts a value. */
export function accepts(schema: unknown, value: unknown): boolean {
  return new Validator(again(schema) as object, '2020-12').validate(value).valid
}

/** Converts a schema of Gemini's OpenAPI subset to JSON Schema. */
function fromOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(fromOpenApi)
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, nullable, enum: listed, format, properties, items, anyOf, ...rest } = schema as Node
  const number = type === 'INTEGER' || type === 'NUMBER'
  const plain = {
    ...rest,
    ...(typeof type === 'string' && { type: type.toLowerCase() }),
    ...(Array.isArray(listed) && { enum: number ? listed.map(Number) : listed }),
    ...(format !== undefined && format !== 'enum' && { format }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Node).map(([name, part]) => [name, fromOpenApi(part)]),
      ),
    }),
    ...(items !== undefined && { items: fromOpenApi(items) }),
    ...(anyOf !== undefined && { anyOf: fromOpenApi(anyOf) }),
  }
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

/** Converts a schema of Cohere, whose patterns apply to the complete text, to JSON Schema. */
function fromCohere(schema: unknown): unknown {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? `^(?:${value})$` : value,
  )
  return JSON.parse(text) as unknown
}

/** The targets that have their own form of JSON Schema. */
const CONVERSIONS: { readonly [target in Checked]?: (schema: unknown) => unknown } = {
  'gemini-openapi': fromOpenApi,
  cohere: fromCohere,
}

/** Converts a schema of a target to the JSON Schema that means the same. */
export function toPlainMeaning(schema: unknown, target: Checked): unknown {
  return CONVERSIONS[target]?.(schema) ?? schema
}

/**
 * Converts a value for a strict schema: undeclared properties are omitted, and absent ones are null where all
 * are required. Among the alternatives that accept the value, the one that keeps most of it is used.
 */
export function respell(value: Json, schema: unknown, root: JsonSchema): Json {
  const { $ref, anyOf, properties, required = [], items } = schema as Node
  if (typeof $ref === 'string')
    return respell(value, (root['$defs'] as JsonObject)[$ref.slice('#/$defs/'.length)], root)
  if (Array.isArray(anyOf)) {
    const { $defs } = root
    const fitting = anyOf
      .map((branch) => [branch, respell(value, branch, root)] as const)
      .filter(([branch, each]) => accepts({ ...(branch as Node), $defs }, each))
      .map(([, each]) => each)
    return fitting.toSorted((a, b) => countLeaves(b) - countLeaves(a))[0] ?? value
  }
  if (Array.isArray(value)) {
    return items === undefined ? value : (value as readonly Json[]).map((item) => respell(item, items, root))
  }
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const own = value as JsonObject
  return Object.fromEntries(
    Object.entries(properties as Node).flatMap(([name, part]): [string, Json][] => {
      const given = own[name]
      if (Object.hasOwn(own, name) && given !== undefined) return [[name, respell(given, part, root)]]
      return (required as readonly string[]).includes(name) ? [[name, null]] : []
    }),
  )
}

/** Returns the number of leaves of a value, without nulls. */
function countLeaves(value: Json): number {
  if (typeof value !== 'object') return 1
  return value === null
    ? 0
    : Object.values(value).reduce<number>((sum, item) => sum + 1 + countLeaves(item), 0)
}

/** Returns a value without the properties that another value lacks. */
export function kept(value: Json, spelled: Json): Json {
  if (Array.isArray(value) && Array.isArray(spelled)) {
    return value.map((item, index) => kept(item as Json, (spelled as readonly Json[])[index] ?? null))
  }
  if (!isMap(value) || !isMap(spelled)) return value
  const names = Object.keys(value).filter((name) => Object.hasOwn(spelled, name))
  return Object.fromEntries(names.map((name) => [name, kept(value[name] as Json, spelled[name] as Json)]))
}

/** Returns a value with another value for each property that the other lacks. */
export function instead(value: Json, spelled: Json): readonly Json[] {
  if (Array.isArray(value) && Array.isArray(spelled)) {
    return value.flatMap((item, index) =>
      instead(item as Json, (spelled as readonly Json[])[index] ?? null).map((other) =>
        value.with(index, other),
      ),
    )
  }
  if (!isMap(value) || !isMap(spelled)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const others = Object.hasOwn(spelled, name)
      ? instead(item, spelled[name] as Json)
      : ['an odd text', 42.25, ['odd'], { odd: [] }]
    return others.map((other) => Object.fromEntries([...Object.entries(value), [name, other]]))
  })
}

function isMap(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns true if a value contains all of another; it may have nulls where the other has no property. */
export function saysAll(value: Json, other: Json): boolean {
  if (Array.isArray(value) && Array.isArray(other)) {
    return (
      value.length === other.length &&
      value.every((item, index) => saysAll(item as Json, (other as Json[])[index] as Json))
    )
  }
  if (typeof value !== 'object' || typeof other !== 'object' || value === null || other === null)
    return value === other
  if (Array.isArray(value) || Array.isArray(other)) return false
  const [mine, theirs] = [value as JsonObject, other as JsonObject]
  return (
    Object.entries(theirs).every(
      ([name, item]) => Object.hasOwn(mine, name) && saysAll(mine[name] as Json, item),
    ) && Object.entries(mine).every(([name, item]) => Object.hasOwn(theirs, name) || item === null)
  )
}
