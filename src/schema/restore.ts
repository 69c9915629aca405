import { isList, isObject, type Json, type JsonObject, type JsonSchema, setKey } from '../wire/json.ts'
import { itemSchemas } from './arrays.ts'
import { type Clause, conjunctionOf, type Union } from './conjunction.ts'
import { propertySchemas, requiredIn } from './objects.ts'
import { type Placed, References } from './refs.ts'
import { type Complaint, type Validator, validatorOf } from './validator.ts'

/** Alternatives are tried one by one; beyond this many tries the first one is taken. */
const MAX_TRIES = 10_000

interface Restoring {
  readonly validator: Validator
  readonly refs: References
  tries: number
}

/**
 * Turns an answer to a schema whose optional properties became nullable ({@link fitSchema} with `openai-strict`) into one
 * to the schema itself: a null in place of an optional property that may not be null is left out.
 *
 * @example
 * const schema = { type: 'object', properties: { city: { type: 'string' }, unit: { type: 'string' } }, required: ['city'] }
 * restore({ city: 'Oslo', unit: null }, schema) // { city: 'Oslo' }
 */
export function restore(value: Json, schema: JsonSchema): Json {
  const validator = validatorOf(schema)
  const restoring = { validator, refs: new References(validator.root), tries: 0 }
  return restoreBy([{ schema: validator.root, at: undefined }], value, restoring)
}

function restoreBy(schemas: readonly Placed[], value: Json, restoring: Restoring): Json {
  if (!holdsNull(value)) return value
  const { clauses, unions } = conjunctionOf(schemas, {
    refs: restoring.refs,
    follow: () => true,
    lose: () => {},
  })
  const [union, ...others] = unions
  if (union !== undefined) {
    const rest: readonly Placed[] = [
      ...clauses.map(({ keywords, at }) => ({ schema: keywords, at })),
      ...others.map(({ branches, at }) => ({ schema: { anyOf: branches.map(({ schema }) => schema) }, at })),
    ]
    return nearest(union, rest, value, restoring)
  }
  if (isList(value)) {
    return value.map((item, index) => restoreBy(itemSchemas(clauses, index), item, restoring))
  }
  return isObject(value) ? restoreObject(clauses, value, restoring) : value
}

function holdsNull(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(holdsNull))
}

function restoreObject(clauses: readonly Clause[], value: JsonObject, restoring: Restoring): JsonObject {
  const required = requiredIn(clauses)
  const restored = {}
  for (const [name, item] of Object.entries(value)) {
    const schemas = propertySchemas(name, clauses)
    const absent = item === null && !required.has(name) && !takesNull(schemas, restoring)
    if (!absent) setKey(restored, name, restoreBy(schemas, item, restoring))
  }
  return restored
}

function takesNull(schemas: readonly Placed[], { validator }: Restoring): boolean {
  return schemas.every(({ schema }) => validator.complaints(null, schema).length === 0)
}

/** By the alternative that the restored value fits best; the first of equals. */
function nearest({ branches }: Union, rest: readonly Placed[], value: Json, restoring: Restoring): Json {
  let best: { readonly value: Json; readonly distance: number } | undefined
  for (const branch of branches) {
    if (best !== undefined && (best.distance === 0 || ++restoring.tries > MAX_TRIES)) break
    const restored = restoreBy([...rest, branch], value, restoring)
    const complaints = restoring.validator.complaints(restored, branch.schema)
    const distance = complaints.reduce((sum, complaint) => sum + weightOf(complaint), 0)
    if (best === undefined || distance < best.distance) best = { value: restored, distance }
  }
  return best?.value ?? value
}

/** A value of another type or with another mark is further away than one that breaks a bound. */
function weightOf({ instanceLocation, keyword }: Complaint): number {
  if (keyword === 'type' && instanceLocation === '#') return 10_000
  return keyword === 'const' || keyword === 'enum' ? 100 : 1
}
