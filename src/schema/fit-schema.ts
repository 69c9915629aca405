import type { SchemaLossRule } from '../canonical/losses/loss-catalog.ts'
import { createLoss } from '../canonical/losses/create-loss.ts'
import { buildLossRuleTable } from '../canonical/losses/loss-rule-table.ts'
import { schemaLossRules } from '../canonical/losses/schema-loss-rules.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { InterlinguaError } from '../errors.ts'
import { freezeCopy } from '../wire/frozen-json.ts'
import { type JsonObject, type JsonSchema, isObject } from '../wire/json.ts'
import { type Path, toPath, toPointer } from '../wire/json-pointer.ts'
import { lazy, memoizeBySchema } from '../wire/memoize.ts'
import { findIneffectiveKeywords } from './find-ineffective-keywords.ts'
import { type LocatedSchema, SchemaReferences } from './schema-references.ts'
import type { SchemaLossReporter } from './constraint-keywords.ts'
import { toJsonSchema } from './schema-source.ts'
import { fitToolSchema } from './fit-tool-schema.ts'
import {
  type SchemaTarget,
  type SchemaSubset,
  SCHEMA_SUBSETS,
  type SchemaLimits,
  type ToolSchemaTarget,
} from './schema-subsets.ts'
import { SchemaWriter } from './schema-writer.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/** The size of a schema, in the terms of its limits. */
type SchemaSize = { -readonly [limit in keyof SchemaLimits]: number }

/** Returns true if a written schema exceeds the limits. The target of a reference counts once. */
function isOverLimits(schema: JsonObject, limits: SchemaLimits): boolean {
  const size = {
    ...limits,
    maxDepth: 0,
    maxProperties: 0,
    maxEnumValues: 0,
    maxTotalChars: 0,
    maxLongEnumChars: 0,
  }
  measureSchema(schema, 0, size)
  return (Object.keys(size) as (keyof SchemaLimits)[]).some((key) => size[key] > limits[key])
}

function measureSchema(schema: unknown, above: number, size: SchemaSize): void {
  if (!isObject(schema)) return
  const { properties, items, anyOf, $defs, enum: listed, const: constant } = schema
  const depth = isObject(properties) || isObject(items) ? above + 1 : above
  size.maxDepth = Math.max(size.maxDepth, depth)
  if (isObject(properties)) size.maxProperties += Object.keys(properties).length
  const values: readonly unknown[] = Array.isArray(listed) ? listed : []
  const chars = values.concat(constant ?? []).reduce<number>((sum, value) => sum + String(value).length, 0)
  size.maxEnumValues += values.length
  size.maxTotalChars += chars
  if (values.length > size.longEnumMinValues) size.maxLongEnumChars = Math.max(size.maxLongEnumChars, chars)
  for (const map of [properties, $defs]) {
    for (const [name, part] of Object.entries(isObject(map) ? map : {})) {
      size.maxTotalChars += name.length
      measureSchema(part, map === $defs ? 0 : depth, size)
    }
  }
  measureSchema(items, depth, size)
  for (const part of Array.isArray(anyOf) ? anyOf : []) measureSchema(part, above, size)
}

/** A change to a schema. */
export interface SchemaLoss extends Loss {
  readonly rule: SchemaLossRule
}

/** A schema in the subset of one target. */
export interface FittedSchema {
  readonly schema: JsonSchema
  /** True if the schema may be sent as strict: the target then guarantees that values match this schema. */
  readonly strict: boolean
  /** The parts of the schema that changed, with pointers into the original schema. */
  readonly losses: readonly SchemaLoss[]
}

const getLossRules = /* @__PURE__ */ lazy(() => buildLossRuleTable(schemaLossRules))

/**
 * Keywords for tools that process schemas: neither a model nor a provider reads them. JSON Schema 2020-12 allows
 * implementations to remove `$comment` at any time (core, section 8.3).
 */
const UNREAD_KEYWORDS: ReadonlySet<unknown> = new Set(['$schema', '$vocabulary', '$comment'])

/** The rules for a strict target: with such a loss, the guarantee would be about another schema. */
const STRICT_RULE_FOR: { readonly [rule in SchemaLossRule]?: SchemaLossRule } = {
  'schema-ref': 'not-strict-ref',
  'schema-recursion': 'not-strict-recursion',
  'schema-size': 'not-strict-size',
  'schema-union': 'not-strict-size',
  'schema-never': 'not-strict-never',
}

/**
 * Rewrites a schema in the subset of JSON Schema that a target supports. The result accepts every value that
 * the schema accepts, and possibly more: omitted constraints are listed in `losses`. Strict targets forbid
 * undeclared properties and, for OpenAI, make optional properties required and nullable ({@link
 * stripStrictNulls} removes such nulls from values). A schema that cannot be rewritten as strict is returned
 * unchanged with `strict: false` and the reason in `losses`.
 *
 * @example
 * const { schema, losses } = fitSchema({ type: 'integer', exclusiveMinimum: 0, multipleOf: 5 }, 'gemini-json-schema')
 * // schema: { type: 'integer', minimum: 1 }, losses: [{ rule: 'schema-keyword', path: '/multipleOf', … }]
 */
export function fitSchema(schema: JsonSchema | boolean, target: SchemaTarget): FittedSchema {
  return withTypedErrors(() => {
    if (!Object.hasOwn(SCHEMA_FITTERS, target)) {
      throw new InterlinguaError('invalid-value', `Unknown schema target '${target}'`, {
        found: 'another name',
        expected: Object.keys(SCHEMA_FITTERS).join(', '),
        hint: 'Use one of the listed targets.',
      })
    }
    return SCHEMA_FITTERS[target](typeof schema === 'boolean' ? toJsonSchema(schema) : schema)
  }, [schema, target])
}

const SCHEMA_FITTERS: { readonly [target in SchemaTarget]: (schema: JsonSchema) => FittedSchema } = {
  'openai-strict': createFitter('openai-strict'),
  'anthropic-strict': createFitter('anthropic-strict'),
  'gemini-openapi': createFitter('gemini-openapi'),
  'gemini-json-schema': createFitter('gemini-json-schema'),
  ollama: createFitter('ollama'),
  'ollama-tools': createFitter('ollama-tools'),
  cohere: createFitter('cohere'),
  'openai-tools': createToolFitter('openai-tools'),
  'anthropic-tools': createToolFitter('anthropic-tools'),
  'moonshot-tools': createToolFitter('moonshot-tools'),
  plain: memoizeBySchema((schema) => Object.freeze({ schema, strict: false, losses: Object.freeze([]) })),
}

function createFitter(target: keyof typeof SCHEMA_SUBSETS): (schema: JsonSchema) => FittedSchema {
  return memoizeBySchema((schema) => fitToSubset(schema, target))
}

/** Losses of one schema, each once, and the function that reports them. */
function collectLosses(
  target: SchemaTarget,
  isStrict: boolean,
): { readonly losses: ReadonlyMap<string, SchemaLoss>; readonly report: SchemaLossReporter } {
  const losses = new Map<string, SchemaLoss>()
  const report: SchemaLossReporter = (rule, path) => {
    if (rule === 'schema-annotation' && UNREAD_KEYWORDS.has(path?.key)) return
    const actualRule = (isStrict && STRICT_RULE_FOR[rule]) || rule
    const pointer = toPointer(path)
    losses.set(`${actualRule} ${pointer}`, createLoss(getLossRules(), actualRule, path, { dialect: target }))
  }
  return { losses, report }
}

function createToolFitter(target: ToolSchemaTarget): (schema: JsonSchema) => FittedSchema {
  return memoizeBySchema((schema) => {
    const { losses, report } = collectLosses(target, false)
    const fitted = freezeCopy(fitToolSchema(schema, target, report))
    return Object.freeze({ schema: fitted, strict: false, losses: Object.freeze([...losses.values()]) })
  })
}

function fitToSubset(schema: JsonSchema, target: keyof typeof SCHEMA_SUBSETS): FittedSchema {
  const subset: SchemaSubset = SCHEMA_SUBSETS[target]
  const { losses, report } = collectLosses(target, subset.isStrict === true)
  const written = writeSchema(schema, subset, report)
  for (const path of findIneffectiveKeywords(schema)) report('schema-ineffective', path)
  const all = [...losses.values()]
  const refusals = all.filter(({ rule }) => rule.startsWith('not-strict-'))
  if (refusals.length > 0) return Object.freeze({ schema, strict: false, losses: Object.freeze(refusals) })
  const strict = subset.isStrict === true
  return Object.freeze({ schema: freezeCopy(written), strict, losses: Object.freeze(all) })
}

function writeSchema(schema: JsonSchema, subset: SchemaSubset, report: SchemaLossReporter): JsonObject {
  const refs = new SchemaReferences(schema)
  const writer = new SchemaWriter(subset, refs, report)
  const writeTarget = (target: LocatedSchema, ref: string): JsonObject | undefined => {
    const position = { expandedRefs: [ref], currentDefinition: ref, isOptional: false, depth: 0 }
    return writer.writeExpanded([target], position)
  }
  const root = writeTarget({ schema, path: undefined }, '#')
  if (root === undefined) report('schema-never', undefined)
  else if (subset.rootType === 'object' && root['type'] !== 'object') report('not-strict-root', undefined)
  const definitions: [string, JsonObject][] = []
  // Writing a definition may add further definitions to the map, which this loop then visits.
  for (const [ref, name] of writer.definitionNames) {
    const target = refs.resolve(ref)
    const body = target && writeTarget(target, ref)
    if (body === undefined) report('schema-never', target?.path)
    definitions.push([name, body ?? {}])
  }
  const ownRoot = resolveRoot(root, definitions)
  const written = { ...ownRoot, ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }) }
  if (subset.sizeLimits !== undefined && isOverLimits(written, subset.sizeLimits))
    report('schema-size', undefined)
  return written
}

/**
 * Returns a root without a reference: nothing may stand beside one, such as the definitions. A root becomes a reference if its
 * alternatives are the same one.
 */
function resolveRoot(
  root: JsonObject | undefined,
  definitions: readonly (readonly [name: string, body: JsonObject])[],
): JsonObject | undefined {
  const [, body] = definitions.find(([name]) => root?.['$ref'] === `#/$defs/${name}`) ?? []
  return body ?? root
}

/** Reports the losses of a fitted schema to an encoder, with paths below the path of the schema. */
export function reportSchemaLosses(
  { losses }: FittedSchema,
  base: Path | undefined,
  report: (rule: SchemaLossRule, path: Path | undefined) => void,
): void {
  for (const { rule, path } of losses) {
    report(rule, toPath(path, base))
  }
}
