import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  removeRepeats,
  setKey,
} from '../wire/json.ts'
import { createUniqueNamer } from '../wire/unique-names.ts'
import {
  type SchemaClauses,
  collectKeyword,
  flattenConjunction,
  isEmptyOrTrueSchema,
} from './schema-conjunction.ts'
import { collectAllowedTypes } from './allowed-values.ts'
import { mergeKeywords, type SchemaLossReporter } from './constraint-keywords.ts'
import { collectPropertySchemas, collectRequiredProperties } from './object-keywords.ts'
import { findRefs, type LocatedSchemas, mapRefs, SchemaReferences } from './schema-references.ts'

/** The merged constraints on an object. */
interface MergedObject {
  /** The keywords without those of the properties. */
  readonly keywords: JsonObject
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  /** The schema of undeclared properties; undefined if it is not specified. */
  readonly additional: Json | undefined
}

interface MergeContext {
  readonly refs: SchemaReferences
  /** The keywords that the provider does not accept at the root; those that cannot be merged are omitted. */
  readonly refusedKeywords: ReadonlySet<string>
  readonly report: SchemaLossReporter
  /** The nesting of alternatives, which a recursive reference would repeat without end. */
  readonly depth: number
}

const MAX_DEPTH = 10
const NO_REPORT: SchemaLossReporter = () => {}

/** A schema that accepts no value; not every provider accepts `false` as a schema. */
const NEVER: JsonSchema = { not: {} }

/**
 * Merges the references, `allOf`, `anyOf` and `oneOf` at the root of a schema into one object schema, for providers that
 * accept none of them there. The result of `allOf` is exact. Alternatives become the properties of all of them, of
 * which those are required that every alternative requires; that is reported.
 */
export function mergeRoot(
  schema: JsonSchema,
  refusedKeywords: ReadonlySet<string>,
  report: SchemaLossReporter,
): JsonSchema {
  const context = { refs: new SchemaReferences(schema), refusedKeywords, report, depth: 0 }
  const merged = mergeObject([{ schema, path: undefined }], context)
  if (merged === undefined) report('schema-never', undefined)
  const { keywords = {}, properties = new Map<string, Json>(), required = [], additional } = merged ?? {}
  const written = {
    ...keywords,
    type: 'object',
    properties: createObject(properties),
    ...([...required].length > 0 && { required: [...required] }),
    ...(additional !== undefined && { additionalProperties: additional }),
  }
  return replaceRoot(written, schema)
}

function mergeObject(schemas: LocatedSchemas, context: MergeContext): MergedObject | undefined {
  const { clauses, unions, isUnsatisfiable } = flattenConjunction(schemas, context)
  if (isUnsatisfiable || collectAllowedTypes(clauses)?.has('object') === false) return undefined
  let merged: MergedObject | undefined = mergeClauses(clauses, context)
  for (const { branches, path } of unions) {
    context.report('schema-alternatives', path)
    if (context.depth >= MAX_DEPTH) continue
    const inner = { ...context, report: NO_REPORT, depth: context.depth + 1 }
    const alternatives = branches.flatMap((branch) => mergeObject([branch], inner) ?? [])
    merged = alternatives.length === 0 ? undefined : merged && addAlternatives(merged, alternatives)
  }
  return merged
}

/** Merges keywords that must all hold. */
function mergeClauses(clauses: SchemaClauses, context: MergeContext): MergedObject {
  // A list of the values that an object may have is not merged.
  for (const keyword of ['enum', 'const'])
    for (const { path } of collectKeyword(clauses, keyword)) context.report('schema-keyword', path)
  const keywords: [string, Json][] = []
  for (const [keyword, { value, path }] of mergeKeywords(clauses, context)) {
    if (context.refusedKeywords.has(keyword)) context.report('schema-keyword', path)
    else keywords.push([keyword, value])
  }
  const declared = collectKeyword(clauses, 'properties').flatMap(({ schema }) =>
    isObject(schema) ? Object.keys(schema) : [],
  )
  const additional = collectKeyword(clauses, 'additionalProperties')
  // Without its own patterns and properties, a clause would forbid what those of other clauses allow.
  const isAmbiguous = clauses.length > 1 && collectKeyword(clauses, 'patternProperties').length > 0
  if (isAmbiguous) for (const { path } of additional) context.report('schema-open', path)
  return {
    keywords: createObject(keywords),
    properties: new Map(
      [...new Set(declared)].map((name) => [name, joinAsAllOf(collectPropertySchemas(name, clauses))]),
    ),
    required: collectRequiredProperties(clauses),
    additional: additional.length === 0 || isAmbiguous ? undefined : joinAsAllOf(additional, false),
  }
}

/** Adds the properties of alternatives, of which one holds, to an object. */
function addAlternatives(
  { keywords, properties, required, additional }: MergedObject,
  alternatives: readonly MergedObject[],
): MergedObject {
  const added = new Map<string, Json>()
  const names = new Set(alternatives.flatMap((each) => [...each.properties.keys()]))
  for (const name of names) {
    // An alternative that does not declare the property says nothing about it.
    const schemas = alternatives.flatMap((each) => each.properties.get(name) ?? [])
    const own = properties.get(name)
    const alternative = joinAsAnyOf(schemas)
    added.set(name, own === undefined ? alternative : joinAsAllOf([toLocated(own), toLocated(alternative)]))
  }
  const [first, ...others] = alternatives
  const alwaysRequired = [...(first?.required ?? [])].filter((name) =>
    others.every((each) => each.required.has(name)),
  )
  const areAllClosed = alternatives.every((each) => each.additional === false)
  return {
    keywords,
    properties: new Map([...properties, ...added]),
    required: new Set([...required, ...alwaysRequired]),
    additional: additional ?? (areAllClosed && properties.size === 0 ? false : undefined),
  }
}

function toLocated(schema: Json): LocatedSchemas[number] {
  return { schema, path: undefined }
}

/** Joins schemas that must all hold; `never` is written if no value can satisfy them. */
function joinAsAllOf(schemas: LocatedSchemas, never: Json = NEVER): Json {
  const constraints = schemas.map(({ schema }) => schema as Json).filter((each) => !isEmptyOrTrueSchema(each))
  if (constraints.includes(false)) return never
  const unique = removeRepeats(constraints)
  const [first = {}, ...others] = unique
  return others.length === 0 ? first : { allOf: unique }
}

/** Joins alternatives; constants, which tell alternatives apart, become one list of values. */
function joinAsAnyOf(schemas: readonly Json[]): Json {
  const unique = removeRepeats(schemas)
  const [first = {}, ...others] = unique
  if (others.length === 0) return first
  const constants = unique.flatMap((schema) => (isPlainConstant(schema) ? [schema['const'] as Json] : []))
  const { type } = isObject(first) ? first : {}
  const haveSameType = unique.every((schema) => isObject(schema) && isEqualJson(schema['type'], type))
  if (constants.length < unique.length || !haveSameType) return { anyOf: unique }
  return { ...(type !== undefined && { type }), enum: constants }
}

function isPlainConstant(schema: Json): schema is JsonObject {
  return (
    isObject(schema) &&
    'const' in schema &&
    Object.keys(schema).every((key) => key === 'const' || key === 'type')
  )
}

function createObject(entries: Iterable<readonly [string, Json]>): JsonObject {
  const object = {}
  for (const [key, value] of entries) setKey(object, key, value)
  return object
}

/**
 * Replaces the root of a schema and keeps its definitions. If the schema refers to its root, or to something inside it, the
 * original root becomes a definition.
 */
export function replaceRoot(written: JsonSchema, original: JsonSchema): JsonSchema {
  const { $defs, definitions, ...root } = original
  const hasMoved = [...findRefs(original)].some((ref) => ref.startsWith('#') && !isDefinitionRef(ref))
  const known = isObject($defs) ? $defs : {}
  const name = createUniqueNamer(new Set(Object.keys(known)))('root')
  const kept = {
    ...written,
    ...(($defs !== undefined || hasMoved) && { $defs: hasMoved ? { ...known, [name]: root } : known }),
    ...(definitions !== undefined && { definitions }),
  }
  const isPointer = (ref: string): boolean => ref === '#' || ref.startsWith('#/')
  return mapRefs(kept, (ref) =>
    isPointer(ref) && !isDefinitionRef(ref) ? `#/$defs/${name}${ref.slice(1)}` : ref,
  )
}

function isDefinitionRef(ref: string): boolean {
  return /^#\/(?:\$defs|definitions)\//.test(ref)
}
