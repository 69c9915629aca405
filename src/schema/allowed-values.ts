import { type Json, stableStringify } from '../wire/json.ts'
import { type Clause, collectKeyword, flattenConjunction } from './conjunction.ts'
import { JSON_TYPES, type JsonTypeName } from './schema-subsets.ts'
import { collectPropertySchemas, collectRequired } from './object-keywords.ts'
import type { LocatedSchema, SchemaReferences } from './references.ts'

/**
 * Returns true if no value can satisfy two of these schemas, as far as simple checks show: they have
 * different types, list different values, or require a property that distinguishes them. For such schemas
 * `oneOf` is the same as `anyOf`.
 */
export function areExclusive(branches: readonly LocatedSchema[], refs: SchemaReferences): boolean {
  const clausesByBranch = branches.map((branch) => collectClauses([branch], refs))
  return clausesByBranch.every((a, index) =>
    clausesByBranch.slice(index + 1).every((b) => isExclusivePair(a, b, refs)),
  )
}

/** Returns the clauses of schemas that must all hold, without alternatives inside them. */
function collectClauses(schemas: readonly LocatedSchema[], refs: SchemaReferences): readonly Clause[] {
  return flattenConjunction(schemas, { refs, shouldFollow: () => true, report: () => {} }).clauses
}

function isExclusivePair(a: readonly Clause[], b: readonly Clause[], refs: SchemaReferences): boolean {
  if (isConflicting(a, b)) return true
  // Only objects have properties: a value of another type satisfies every constraint on properties.
  if (
    ![a, b].every(
      (clauses) => collectAllowedTypes(clauses)?.has('object') && collectAllowedTypes(clauses)?.size === 1,
    )
  )
    return false
  const shared = [...collectRequired(a)].filter((name) => collectRequired(b).has(name))
  return shared.some((name) =>
    isConflicting(
      collectClauses(collectPropertySchemas(name, a), refs),
      collectClauses(collectPropertySchemas(name, b), refs),
    ),
  )
}

/** Returns true for clauses with different types or different values. */
function isConflicting(a: readonly Clause[], b: readonly Clause[]): boolean {
  const bothTyped = collectKeyword(a, 'type').length > 0 && collectKeyword(b, 'type').length > 0
  if (bothTyped && collectAllowedTypes([...a, ...b])?.size === 0) return true
  const [valuesOfA, valuesOfB] = [listAllowedValues(a), listAllowedValues(b)]
  return valuesOfA !== undefined && valuesOfB !== undefined && !hasCommonValue(valuesOfA, valuesOfB)
}

function listAllowedValues(clauses: readonly Clause[]): readonly Json[] | undefined {
  return collectAllowedValues(clauses, collectAllowedTypes(clauses))
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
export function collectAllowedTypes(clauses: readonly Clause[]): ReadonlySet<JsonTypeName> | undefined {
  let common: ReadonlySet<JsonTypeName> | undefined
  for (const { schema: value } of collectKeyword(clauses, 'type')) {
    const listed = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isJsonTypeName)
    common = common === undefined ? simplifyTypes(new Set(listed)) : intersectTypes(common, new Set(listed))
  }
  return common
}

function isJsonTypeName(name: unknown): name is JsonTypeName {
  return (JSON_TYPES as readonly unknown[]).includes(name)
}

function intersectTypes(
  a: ReadonlySet<JsonTypeName>,
  b: ReadonlySet<JsonTypeName>,
): ReadonlySet<JsonTypeName> {
  return simplifyTypes(new Set(JSON_TYPES.filter((type) => isTypeAllowed(a, type) && isTypeAllowed(b, type))))
}

/** Returns true if a type is allowed; `number` allows `integer`. */
function isTypeAllowed(types: ReadonlySet<JsonTypeName>, type: JsonTypeName): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'))
}

function simplifyTypes(types: ReadonlySet<JsonTypeName>): ReadonlySet<JsonTypeName> {
  return new Set(JSON_TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number'))))
}

/** Returns the values that all clauses list and whose type is allowed; undefined if no clause lists values. */
export function collectAllowedValues(
  clauses: readonly Clause[],
  types: ReadonlySet<JsonTypeName> | undefined,
): readonly Json[] | undefined {
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

/** Returns true if two lists have a value in common. */
function hasCommonValue(some: readonly Json[], others: readonly Json[]): boolean {
  const keys = new Set(others.map(stableStringify))
  return some.some((value) => keys.has(stableStringify(value)))
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
