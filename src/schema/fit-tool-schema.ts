import { isEqualJson, isList, isObject, type Json, type JsonObject, type JsonSchema } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { isAnnotation, type SchemaLossReporter } from './constraint-keywords.ts'
import { mapSubschemas } from './map-subschemas.ts'
import { mergeRoot, replaceRoot } from './merge-schema-root.ts'
import type { ToolSchemaTarget } from './schema-subsets.ts'
import { SchemaReferences } from './schema-references.ts'

/** The number of references that are replaced by their targets: targets can contain further ones. */
const MAX_EXPANSIONS = 1000

/** Keywords whose meaning depends on other keywords of the same schema, so that they cannot join another schema. */
const DEPENDENT_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems ' +
    'contains minContains maxContains unevaluatedItems if then else anyOf oneOf allOf'
  ).split(' '),
)

interface SeparationContext {
  readonly refs: SchemaReferences
  readonly report: SchemaLossReporter
  expansions: number
}

/** Rewrites the schemas inside a schema: no keyword is beside a `$ref`, and no `type` beside alternatives. */
function separateKeywords(root: JsonSchema, report: SchemaLossReporter): JsonSchema {
  const context = { refs: new SchemaReferences(root), report, expansions: 0 }
  const visit = (given: JsonSchema, givenPath: Path | undefined): JsonSchema => {
    const { schema, path } = expandReference(given, givenPath, context)
    return moveTypesIntoAlternatives(mapSubschemas(schema, path, visit), path, context)
  }
  return mapSubschemas(root, undefined, visit)
}

/**
 * Replaces a `$ref` beside other keywords by its target, to which it adds these keywords. A description beside the reference
 * takes precedence over that of the target. What cannot be added is reported.
 */
function expandReference(
  schema: JsonSchema,
  path: Path | undefined,
  context: SeparationContext,
): { readonly schema: JsonSchema; readonly path: Path | undefined } {
  const { $ref, ...others } = schema
  const keywords = Object.entries(others)
  if (typeof $ref !== 'string' || keywords.length === 0) return { schema, path }
  const target = context.refs.resolve($ref)
  // A recursive reference would be replaced without end, and so would many nested ones.
  const isExpandable = isObject(target?.schema) && !context.refs.canReach($ref, $ref)
  const base =
    isExpandable && ++context.expansions <= MAX_EXPANSIONS ? (target.schema as JsonObject) : { $ref }
  const added = keywords.filter(([keyword, value]) => {
    if (canJoin(keyword, base)) return true
    if (!isEqualJson(base[keyword], value))
      context.report(isAnnotation(keyword) ? 'schema-annotation' : 'schema-keyword', child(path, keyword))
    return false
  })
  return { schema: { ...base, ...Object.fromEntries(added) }, path: target?.path }
}

function canJoin(keyword: string, base: JsonObject): boolean {
  if ('$ref' in base) return false
  return isAnnotation(keyword) || (!Object.hasOwn(base, keyword) && !DEPENDENT_KEYWORDS.has(keyword))
}

/** Moves the types of a schema with alternatives into the alternatives. */
function moveTypesIntoAlternatives(
  schema: JsonSchema,
  path: Path | undefined,
  context: SeparationContext,
): JsonSchema {
  const { refs, report } = context
  const { type, ...others } = schema
  const keyword = (['anyOf', 'oneOf'] as const).find((each) => isList(schema[each]))
  if (type === undefined || keyword === undefined) return schema
  const types: readonly Json[] = [type].flat()
  const branches = (schema[keyword] as readonly Json[]).map((branch): Json => {
    if (!isObject(branch)) return branch
    const { $ref } = branch
    const target = typeof $ref === 'string' ? refs.resolve($ref)?.schema : branch
    const declared: readonly Json[] = isObject(target) ? [(target as JsonObject)['type'] ?? []].flat() : []
    const [first = null, ...rest] = declared.length === 0 ? types : intersectTypes(declared, types)
    if ($ref === undefined && first !== null) {
      const typed = { ...branch, type: rest.length === 0 ? first : [first, ...rest] }
      return moveTypesIntoAlternatives(typed, path, context)
    }
    // The types of a reference, and of an alternative that accepts no value, cannot be restricted.
    if (!isEqualJson([first, ...rest], declared)) report('schema-keyword', child(path, 'type'))
    return branch
  })
  return { ...others, [keyword]: branches }
}

function intersectTypes(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const allows = (types: readonly Json[], type: Json): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [...new Set([...a.filter((type) => allows(b, type)), ...b.filter((type) => allows(a, type))])]
}

/** The requirements of a provider for the schemas of tools that are not strict. All else is sent unchanged. */
interface ToolSchemaRules {
  /** Keywords that the provider does not accept at the root. */
  readonly refusedAtRoot: ReadonlySet<string>
  /** Requires `properties` in each object and `items` in each array. */
  readonly requiresMembers?: true
  /** Accepts no other keyword in a schema with `$ref`, and no `type` in a schema with `anyOf`. */
  readonly separatesKeywords?: true
}

const COMBINED_SCHEMAS = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const

const TOOL_SCHEMA_RULES: { readonly [target in ToolSchemaTarget]: ToolSchemaRules } = {
  /**
   * The messages of its errors (2025): "schema must have type 'object' and not have
   * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "object schema missing properties", "array schema missing items".
   */
  'openai-tools': {
    refusedAtRoot: new Set([...COMBINED_SCHEMAS, 'enum', 'not']),
    requiresMembers: true,
  },
  /** The message of its error (2025): "input_schema does not support oneOf, allOf, or anyOf at the top level". */
  'anthropic-tools': { refusedAtRoot: new Set(COMBINED_SCHEMAS) },
  /**
   * The messages of its errors (2026): "conflicting keywords found after $ref expansion", "when using anyOf, type should
   * be defined in anyOf items instead of the parent schema".
   */
  'moonshot-tools': {
    refusedAtRoot: new Set(COMBINED_SCHEMAS),
    requiresMembers: true,
    separatesKeywords: true,
  },
}

/** Rewrites the schema of a tool so that a provider accepts it without strict mode. */
export function fitToolSchema(
  schema: JsonSchema,
  target: ToolSchemaTarget,
  report: SchemaLossReporter,
): JsonSchema {
  const { refusedAtRoot, requiresMembers, separatesKeywords } = TOOL_SCHEMA_RULES[target]
  const separated = separatesKeywords ? separateKeywords(schema, report) : schema
  const isRefused = Object.keys(separated).some((keyword) => refusedAtRoot.has(keyword))
  const merged = isRefused ? mergeRoot(separated, refusedAtRoot, report) : separated
  const root = merged['type'] === 'object' ? merged : replaceRoot({ ...merged, type: 'object' }, merged)
  if (root !== merged) report('schema-root', undefined)
  // The original root may have become a definition.
  const fitted = separatesKeywords ? separateKeywords(root, () => {}) : root
  return requiresMembers ? addMembers(fitted, undefined, report) : fitted
}

/** Adds `properties` to objects and `items` to arrays. The schemas keep their meaning; properties that are no map have none. */
function addMembers(schema: JsonSchema, path: Path | undefined, report: SchemaLossReporter): JsonSchema {
  const { items, prefixItems, additionalItems = {}, ...others } = schema
  const types: readonly Json[] = [schema['type'] ?? []].flat()
  // Older drafts have a list of schemas in `items`, which the current draft calls `prefixItems`.
  const isTuple = isList(items)
  const prefix = isTuple ? items : prefixItems
  const rest = isTuple ? additionalItems : (items ?? (types.includes('array') ? {} : undefined))
  const { properties } = schema
  const lacksProperties = types.includes('object') && !isObject(properties)
  if (lacksProperties && properties !== undefined) report('schema-ineffective', child(path, 'properties'))
  const completed: JsonObject = {
    ...others,
    ...(lacksProperties && { properties: {} }),
    ...(prefix !== undefined && { prefixItems: prefix }),
    ...(rest !== undefined && { items: rest }),
    ...(!isTuple && schema['additionalItems'] !== undefined && { additionalItems }),
  }
  return mapSubschemas(completed, path, (part, partPath) => addMembers(part, partPath, report))
}
