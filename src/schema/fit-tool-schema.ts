import { isList, isObject, type Json, type JsonObject, type JsonSchema } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { SchemaLossReporter } from './constraint-keywords.ts'
import { separateKeywords } from './separate-keywords.ts'
import { mapSubschemas } from './map-subschemas.ts'
import { mergeRoot, replaceRoot } from './merge-schema-root.ts'
import type { ToolSchemaTarget } from './schema-subsets.ts'

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
