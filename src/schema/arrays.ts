import { type JsonObject, ownValue } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import { type Clause, placesOf, said } from './conjunction.ts'
import { inside, type Place, type Writer } from './place.ts'
import type { Placed } from './refs.ts'
import { isAny, oneOf } from './spelling.ts'

/** What one clause says of the items of a list: of the first ones by place, and of the rest. */
interface ListFacts {
  readonly first: readonly Placed[]
  readonly rest: Placed | undefined
}

/** Older drafts say places as a list of `items`, and the rest as `additionalItems`. */
function factsOf({ keywords, at }: Clause): ListFacts {
  const items = ownValue(keywords, 'items')
  const older = Array.isArray(items)
  const places = older ? 'items' : 'prefixItems'
  const others = older ? 'additionalItems' : 'items'
  const rest = ownValue(keywords, others)
  return {
    first: placesOf(ownValue(keywords, places), below(at, places)),
    rest: rest === undefined ? undefined : { schema: rest, at: below(at, others) },
  }
}

/** What must hold for the item at a place. */
export function itemSchemas(clauses: readonly Clause[], index: number): readonly Placed[] {
  return clauses.map(factsOf).flatMap(({ first, rest }) => first[index] ?? rest ?? [])
}

/** The keywords of a list, and how long it may be because of them. */
export interface ListKeywords {
  readonly keywords: JsonObject
  readonly longest?: { readonly length: number; readonly at: Path | undefined }
}

export function listKeywords(clauses: readonly Clause[], place: Place, writer: Writer): ListKeywords {
  const places = Math.max(0, ...clauses.map((clause) => factsOf(clause).first.length))
  const first: JsonObject[] = []
  for (let index = 0; index <= places; index++) {
    const schemas = itemSchemas(clauses, index)
    const written = schemas.length === 0 ? {} : writer.node(schemas, inside(place, place.optional))
    if (written === undefined) {
      // Nothing can stand here, so the list ends before.
      return {
        keywords: itemsOf(first, undefined, clauses, writer),
        longest: { length: index, at: schemas[0]?.at },
      }
    }
    if (index === places) return { keywords: itemsOf(first, written, clauses, writer) }
    first.push(written)
  }
  return { keywords: {} }
}

function itemsOf(
  first: readonly JsonObject[],
  rest: JsonObject | undefined,
  clauses: readonly Clause[],
  { subset, lose }: Writer,
): JsonObject {
  if (first.length > 0 && subset.prefixItems) {
    return { prefixItems: first, ...(rest !== undefined && !isAny(rest) && { items: rest }) }
  }
  if (first.length > 0) {
    const places = [...said(clauses, 'prefixItems'), ...said(clauses, 'items')]
    lose('schema-tuple', places.find(({ schema }) => Array.isArray(schema))?.at)
  }
  const items = oneOf(rest === undefined ? first : [...first, rest], subset) ?? {}
  if (subset.strict && isAny(items)) lose('not-strict-any', clauses[0]?.at)
  return isAny(items) && Object.keys(items).length === 0 && !subset.itemsNeeded ? {} : { items }
}
