import { type JsonObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { type SchemaClauses, listLocatedSchemas, collectKeyword } from './schema-conjunction.ts'
import { isAnySchema, joinAsAnyOf, type NestedSchemaWriter } from './write-alternatives.ts'
import type { LocatedKeywords, LocatedSchema, LocatedSchemas } from './schema-references.ts'

/** The item schemas of one clause: those of the first items by index, and that of the remaining items. */
interface ArrayFacts {
  readonly first: LocatedSchemas
  readonly rest: LocatedSchema | undefined
}

/** Reads the item schemas. Older drafts use a list of `items` and `additionalItems` for `prefixItems` and `items`. */
function readArrayFacts({ schema, path }: LocatedKeywords): ArrayFacts {
  const isOlderDraft = Array.isArray(getOwnValue(schema, 'items'))
  const prefixKeyword = isOlderDraft ? 'items' : 'prefixItems'
  const restKeyword = isOlderDraft ? 'additionalItems' : 'items'
  const rest = getOwnValue(schema, restKeyword)
  return {
    first: listLocatedSchemas(getOwnValue(schema, prefixKeyword), child(path, prefixKeyword)),
    rest: rest === undefined ? undefined : { schema: rest, path: child(path, restKeyword) },
  }
}

/** The item schemas of all clauses. */
export interface ItemSchemas {
  /** The number of items that have schemas of their own. */
  readonly prefixLength: number
  /** Returns the schemas of the item at an index. */
  at(index: number): LocatedSchemas
}

export function readItemSchemas(clauses: SchemaClauses): ItemSchemas {
  const facts = clauses
    .map(readArrayFacts)
    .filter(({ first, rest }) => first.length > 0 || rest !== undefined)
  return {
    prefixLength: facts.reduce((length, { first }) => Math.max(length, first.length), 0),
    at: (index) => facts.flatMap(({ first, rest }) => first[index] ?? rest ?? []),
  }
}

/** The keywords of an array, and the maximum length that follows from its item schemas. */
export interface ArrayKeywords {
  readonly keywords: JsonObject
  readonly maxLength?: { readonly length: number; readonly path: Path | undefined }
}

export function writeArrayKeywords(clauses: SchemaClauses, writer: NestedSchemaWriter): ArrayKeywords {
  const items = readItemSchemas(clauses)
  const first: JsonObject[] = []
  for (let index = 0; index <= items.prefixLength; index++) {
    const schemas = items.at(index)
    const written = schemas.length === 0 ? {} : writer.write(schemas)
    if (written === undefined) {
      // No item is possible at this index, so the array ends before it.
      const maxLength = { length: index, path: schemas[0]?.path }
      return { keywords: writeItems(first, undefined, clauses, writer), maxLength }
    }
    if (index === items.prefixLength) return { keywords: writeItems(first, written, clauses, writer) }
    first.push(written)
  }
  return { keywords: {} }
}

function writeItems(
  first: readonly JsonObject[],
  rest: JsonObject | undefined,
  clauses: SchemaClauses,
  { subset, report }: NestedSchemaWriter,
): JsonObject {
  if (first.length > 0 && subset.supportsPrefixItems)
    return { prefixItems: first, ...(rest !== undefined && !isAnySchema(rest) && { items: rest }) }
  if (first.length > 0) {
    const prefixes = [...collectKeyword(clauses, 'prefixItems'), ...collectKeyword(clauses, 'items')]
    report('schema-tuple', prefixes.find(({ schema }) => Array.isArray(schema))?.path)
  }
  const items = joinAsAnyOf(rest === undefined ? first : [...first, rest], subset) ?? {}
  if (subset.isStrict && isAnySchema(items)) report('not-strict-any', clauses[0]?.path)
  return isAnySchema(items) && Object.keys(items).length === 0 && !subset.requiresItems ? {} : { items }
}
