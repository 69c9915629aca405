import { Validator } from '@cfworker/json-schema'
import type { Json, JsonObject, JsonSchema } from 'interlingua'
import { again } from '../law-assertions.ts'

type Node = { readonly [keyword: string]: unknown }

/** Whether a schema accepts a value. */
export function accepts(schema: unknown, value: unknown): boolean {
  return new Validator(again(schema) as object, '2020-12').validate(value).valid
}

/** A schema in Gemini's words, said as JSON Schema. */
export function fromOpenApi(schema: unknown): unknown {
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

/**
 * A value as a strict schema wants it: undeclared properties are left out, and (where all are required) absent ones are
 * null. Of the alternatives that then accept the value the one is taken that says the most of it.
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
    return fitting.toSorted((a, b) => said(b) - said(a))[0] ?? value
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

/** How much a value says: its leaves, nulls aside. */
function said(value: Json): number {
  if (typeof value !== 'object') return 1
  return value === null ? 0 : Object.values(value).reduce<number>((sum, item) => sum + 1 + said(item), 0)
}

/** What a value still says in another spelling: without the properties that the other has not. */
export function kept(value: Json, spelled: Json): Json {
  if (Array.isArray(value) && Array.isArray(spelled)) {
    return value.map((item, index) => kept(item as Json, (spelled as readonly Json[])[index] ?? null))
  }
  if (!isMap(value) || !isMap(spelled)) return value
  const names = Object.keys(value).filter((name) => Object.hasOwn(spelled, name))
  return Object.fromEntries(names.map((name) => [name, kept(value[name] as Json, spelled[name] as Json)]))
}

/** The value with something else in place of each property that the other spelling has not. */
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

/** Whether a value says all that another says; it may have nulls in places where the other has nothing. */
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
