import { isEqualJson, isList, isObject, type Json, type JsonObject, type JsonSchema } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { isAnnotation, type SchemaLossReporter } from './constraint-keywords.ts'
import { mapSubschemas } from './map-subschemas.ts'
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
export function separateKeywords(root: JsonSchema, report: SchemaLossReporter): JsonSchema {
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
