import { type JsonObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { type Clause, locateItems, collectKeyword } from './conjunction.ts'
import { enterChild, type WritePosition, type SubschemaWriter } from './write-context.ts'
import type { LocatedSchema } from './references.ts'
import { isAnySchema, joinAlternatives } from './write-alternatives.ts'

/** What one clause says of the items of a list: of the first ones by place, and of the rest. */
interface ArrayFacts {
  readonly first: readonly LocatedSchema[]
  readonly rest: LocatedSchema | undefined
}

/** Older drafts say places as a list of `items`, and the rest as `additionalItems`. */
function readArrayFacts({ keywords, path }: Clause): ArrayFacts {
  const items = getOwnValue(keywords, 'items')
  const older = Array.isArray(items)
  const places = older ? 'items' : 'prefixItems'
  const others = older ? 'additionalItems' : 'items'
  const rest = getOwnValue(keywords, others)
  return {
    first: locateItems(getOwnValue(keywords, places), child(path, places)),
    rest: rest === undefined ? undefined : { schema: rest, path: child(path, others) },
  }
}

/** What must hold for the item at a place. */
export function collectItemSchemas(clauses: readonly Clause[], index: number): readonly LocatedSchema[] {
  return clauses.map(readArrayFacts).flatMap(({ first, rest }) => first[index] ?? rest ?? [])
}

/** The keywords of a list, and how long it may be because of them. */
export interface ArrayKeywords {
  readonly keywords: JsonObject
  readonly maxLength?: { readonly length: number; readonly path: Path | undefined }
}

export function writeArrayKeywords(
  clauses: readonly Clause[],
  place: WritePosition,
  writer: SubschemaWriter,
): ArrayKeywords {
  const places = Math.max(0, ...clauses.map((clause) => readArrayFacts(clause).first.length))
  const first: JsonObject[] = []
  for (let index = 0; index <= places; index++) {
    const schemas = collectItemSchemas(clauses, index)
    const written = schemas.length === 0 ? {} : writer.write(schemas, enterChild(place, place.isOptional))
    if (written === undefined) {
      // Nothing can stand here, so the list ends before.
      return {
        keywords: writeItems(first, undefined, clauses, writer),
        maxLength: { length: index, path: schemas[0]?.path },
      }
    }
    if (index === places) return { keywords: writeItems(first, written, clauses, writer) }
    first.push(written)
  }
  return { keywords: {} }
}

function writeItems(
  first: readonly JsonObject[],
  rest: JsonObject | undefined,
  clauses: readonly Clause[],
  { subset, report }: SubschemaWriter,
): JsonObject {
  if (first.length > 0 && subset.supportsPrefixItems) {
    return { prefixItems: first, ...(rest !== undefined && !isAnySchema(rest) && { items: rest }) }
  }
  if (first.length > 0) {
    const places = [...collectKeyword(clauses, 'prefixItems'), ...collectKeyword(clauses, 'items')]
    report('schema-tuple', places.find(({ schema }) => Array.isArray(schema))?.path)
  }
  const items = joinAlternatives(rest === undefined ? first : [...first, rest], subset) ?? {}
  if (subset.isStrict && isAnySchema(items)) report('not-strict-any', clauses[0]?.path)
  return isAnySchema(items) && Object.keys(items).length === 0 && !subset.requiresItems ? {} : { items }
}
