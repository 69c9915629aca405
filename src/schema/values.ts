import { type Json, stableText } from '../wire/json.ts'
import { type Clause, said } from './conjunction.ts'
import { TYPES, type TypeName } from './targets.ts'

/** The type of a JSON value; whole numbers are `integer`. */
function typeOf(value: Json): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

/** The types that all clauses allow; undefined where none of them speaks of types. */
export function typesOf(clauses: readonly Clause[]): ReadonlySet<TypeName> | undefined {
  let common: ReadonlySet<TypeName> | undefined
  for (const { schema: value } of said(clauses, 'type')) {
    const listed = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isType)
    common = common === undefined ? simplest(new Set(listed)) : both(common, new Set(listed))
  }
  return common
}

function isType(name: unknown): name is TypeName {
  return (TYPES as readonly unknown[]).includes(name)
}

function both(a: ReadonlySet<TypeName>, b: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  return simplest(new Set(TYPES.filter((type) => allows(a, type) && allows(b, type))))
}

/** Whole numbers are numbers. */
function allows(types: ReadonlySet<TypeName>, type: TypeName): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'))
}

function simplest(types: ReadonlySet<TypeName>): ReadonlySet<TypeName> {
  return new Set(TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number'))))
}

/** The values that all clauses list and whose type is allowed; undefined where nothing is listed. */
export function valuesOf(
  clauses: readonly Clause[],
  types: ReadonlySet<TypeName> | undefined,
): readonly Json[] | undefined {
  const constants = said(clauses, 'const').map(({ schema }) => [schema as Json])
  const enums = said(clauses, 'enum').flatMap(({ schema }) =>
    Array.isArray(schema) ? [schema as readonly Json[]] : [],
  )
  const [first, ...others] = [...constants, ...enums]
  const elsewhere = others.map((list) => new Set(list.map(stableText)))
  const seen = new Set<string>()
  return first?.filter((value) => {
    const key = stableText(value)
    const fits =
      !seen.has(key) &&
      (types === undefined || allows(types, typeOf(value))) &&
      elsewhere.every((keys) => keys.has(key))
    seen.add(key)
    return fits
  })
}

/** Whether two lists have a value in common. */
export function overlap(some: readonly Json[], others: readonly Json[]): boolean {
  const keys = new Set(others.map(stableText))
  return some.some((value) => keys.has(stableText(value)))
}

/** Values by type, in the order of {@link TYPES}; all numbers stand together. */
export function groupsOf(values: readonly Json[]): readonly (readonly [TypeName, readonly Json[]])[] {
  const numbers = values.filter((value) => typeof value === 'number')
  const number = numbers.every((value) => Number.isInteger(value)) ? 'integer' : 'number'
  return TYPES.map((type): readonly [TypeName, readonly Json[]] => [
    type,
    type === number ? numbers : values.filter((value) => typeof value !== 'number' && typeOf(value) === type),
  ]).filter(([, group]) => group.length > 0)
}
