import { type Json, stableStringify } from '../wire/json.ts'
import { type SchemaClauses, collectKeyword, flattenConjunction } from './schema-conjunction.ts'
import { JSON_TYPES, type JsonTypeSet, type JsonTypeName } from './schema-subsets.ts'
import { collectPropertySchemas, collectRequiredProperties } from './object-keywords.ts'
import type { LocatedSchemas, SchemaReferences } from './schema-references.ts'

/** Returns true if simple checks show that no value satisfies two of the schemas: `oneOf` is `anyOf` then. */
export function areSchemasExclusive(branches: LocatedSchemas, refs: SchemaReferences): boolean {
  const all = branches.map((branch) => collectClauses([branch], refs))
  return all.every((a, index) => all.slice(index + 1).every((b) => isExclusivePair(a, b, refs)))
}

/** Returns the clauses of schemas that must all hold, without alternatives inside them. */
function collectClauses(schemas: LocatedSchemas, refs: SchemaReferences): SchemaClauses {
  return flattenConjunction(schemas, { refs }).clauses
}

function isExclusivePair(a: SchemaClauses, b: SchemaClauses, refs: SchemaReferences): boolean {
  if (isConflicting(a, b)) return true
  // Only objects have properties: a value of another type satisfies every constraint on properties.
  if (!isObjectOnly(a) || !isObjectOnly(b)) return false
  const shared = [...collectRequiredProperties(a)].filter((name) => collectRequiredProperties(b).has(name))
  return shared.some((name) =>
    isConflicting(
      collectClauses(collectPropertySchemas(name, a), refs),
      collectClauses(collectPropertySchemas(name, b), refs),
    ),
  )
}

function isObjectOnly(clauses: SchemaClauses): boolean {
  const types = collectAllowedTypes(clauses)
  return types?.size === 1 && types.has('object')
}

/** Returns true for clauses with different types or different values. */
function isConflicting(a: SchemaClauses, b: SchemaClauses): boolean {
  const bothTyped = collectKeyword(a, 'type').length > 0 && collectKeyword(b, 'type').length > 0
  if (bothTyped && collectAllowedTypes([...a, ...b])?.size === 0) return true
  const bothListValues = collectAllowedValues(a) !== undefined && collectAllowedValues(b) !== undefined
  return bothListValues && collectAllowedValues([...a, ...b])?.length === 0
}

/** Returns the type of a JSON value; integers are `integer`. */
function jsonTypeOf(value: Json): JsonTypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

/** Returns the types that all clauses allow; undefined if none of them has a `type`. */
export function collectAllowedTypes(clauses: SchemaClauses): JsonTypeSet | undefined {
  let common: JsonTypeSet | undefined
  for (const { schema: value } of collectKeyword(clauses, 'type')) {
    const listed = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isJsonTypeName)
    common = common === undefined ? simplifyTypes(new Set(listed)) : intersectTypes(common, new Set(listed))
  }
  return common
}

function isJsonTypeName(name: unknown): name is JsonTypeName {
  return (JSON_TYPES as readonly unknown[]).includes(name)
}

function intersectTypes(a: JsonTypeSet, b: JsonTypeSet): JsonTypeSet {
  return simplifyTypes(new Set(JSON_TYPES.filter((type) => isTypeAllowed(a, type) && isTypeAllowed(b, type))))
}

/** Returns true if a type is allowed; `number` allows `integer`. */
function isTypeAllowed(types: JsonTypeSet, type: JsonTypeName): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'))
}

function simplifyTypes(types: JsonTypeSet): JsonTypeSet {
  return new Set(JSON_TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number'))))
}

/** Returns the values that all clauses list and whose type is allowed; undefined if no clause lists values. */
export function collectAllowedValues(clauses: SchemaClauses): readonly Json[] | undefined {
  const types = collectAllowedTypes(clauses)
  const constants = collectKeyword(clauses, 'const').map(({ schema }) => [schema as Json])
  const enums = collectKeyword(clauses, 'enum').flatMap(({ schema }) =>
    Array.isArray(schema) ? [schema as readonly Json[]] : [],
  )
  const [first, ...others] = [...constants, ...enums]
  const otherKeys = others.map((list) => new Set(list.map(stableStringify)))
  const seen = new Set<string>()
  return first?.filter((value) => {
    const key = stableStringify(value)
    const fits =
      !seen.has(key) &&
      (types === undefined || isTypeAllowed(types, jsonTypeOf(value))) &&
      otherKeys.every((keys) => keys.has(key))
    seen.add(key)
    return fits
  })
}

/** Groups values by type, in the order of {@link JSON_TYPES}; all numbers form one group. */
export function groupByType(values: readonly Json[]): readonly (readonly [JsonTypeName, readonly Json[]])[] {
  const numbers = values.filter((value) => typeof value === 'number')
  const number = numbers.every((value) => Number.isInteger(value)) ? 'integer' : 'number'
  return JSON_TYPES.map((type): readonly [JsonTypeName, readonly Json[]] => [
    type,
    type === number
      ? numbers
      : values.filter((value) => typeof value !== 'number' && jsonTypeOf(value) === type),
  ]).filter(([, group]) => group.length > 0)
}
