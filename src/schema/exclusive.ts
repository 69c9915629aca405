import type { Json } from '../wire/json.ts'
import { type Clause, conjunctionOf, said } from './conjunction.ts'
import { propertySchemas, requiredIn } from './objects.ts'
import type { Placed, References } from './refs.ts'
import { overlap, typesOf, valuesOf } from './values.ts'

/**
 * Whether no value can satisfy two of these schemas, as far as that is plain to see: they are of different types, list
 * different values, or require a property that tells them apart. Then one of them is the same as only one of them.
 */
export function areExclusive(branches: readonly Placed[], refs: References): boolean {
  const sides = branches.map((branch) => clausesOf([branch], refs))
  return sides.every((a, index) => sides.slice(index + 1).every((b) => exclude(a, b, refs)))
}

/** What must hold, alternatives inside it aside. */
function clausesOf(schemas: readonly Placed[], refs: References): readonly Clause[] {
  return conjunctionOf(schemas, { refs, follow: () => true, lose: () => {} }).clauses
}

function exclude(a: readonly Clause[], b: readonly Clause[], refs: References): boolean {
  if (clash(a, b)) return true
  // Only objects have properties: a value of another type satisfies whatever is said of them.
  if (![a, b].every((side) => typesOf(side)?.has('object') && typesOf(side)?.size === 1)) return false
  const shared = [...requiredIn(a)].filter((name) => requiredIn(b).has(name))
  return shared.some((name) =>
    clash(clausesOf(propertySchemas(name, a), refs), clausesOf(propertySchemas(name, b), refs)),
  )
}

/** Different types, or different values. */
function clash(a: readonly Clause[], b: readonly Clause[]): boolean {
  const bothTyped = said(a, 'type').length > 0 && said(b, 'type').length > 0
  if (bothTyped && typesOf([...a, ...b])?.size === 0) return true
  const [mine, theirs] = [listed(a), listed(b)]
  return mine !== undefined && theirs !== undefined && !overlap(mine, theirs)
}

function listed(clauses: readonly Clause[]): readonly Json[] | undefined {
  return valuesOf(clauses, typesOf(clauses))
}
