import type { SchemaLossRule } from '../canonical/losses/loss-catalog.ts'
import { isEqualJson, type Json, type JsonObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { SchemaClauses } from './schema-conjunction.ts'
import type { JsonTypeSet, SchemaSubset, JsonTypeName } from './schema-subsets.ts'

/** What Cohere excludes from patterns, even where it is literal text: anchors and lookarounds. */
const EXCLUDED_SYNTAX = /[\^$]|\?[=!<]/

/**
 * Converts a pattern to one that applies to the complete text: removes the anchors around it. Returns undefined for a pattern
 * that would mean something else, or that contains an anchor or a lookaround.
 */
function toBarePattern(pattern: string): string | undefined {
  const [, bare] = /^\^([^]+)\$$/.exec(pattern) ?? []
  const isBare = bare !== undefined && !EXCLUDED_SYNTAX.test(bare) && isComplete(bare)
  return isBare ? bare : undefined
}

/** Returns true for a valid pattern that its anchors enclose: no choice as in `^a|b$`, whose sides have one anchor each. */
function isComplete(bare: string): boolean {
  try {
    // Invalid after a backslash that belongs to the removed anchor.
    new RegExp(bare, 'u')
  } catch {
    return false
  }
  let depth = 0
  for (const char of bare.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '')) {
    if (char === '|' && depth === 0) return false
    depth += char === '(' ? 1 : char === ')' ? -1 : 0
  }
  return true
}

export type SchemaLossReporter = (rule: SchemaLossRule, path: Path | undefined) => void

/** The subset of a target, and the function that reports what the subset cannot express. */
export interface SubsetContext {
  readonly subset: SchemaSubset
  readonly report: SchemaLossReporter
}

/** The value of a keyword, and its path. */
interface LocatedValue {
  readonly value: Json
  readonly path: Path | undefined
}

/** Keywords that the schema writer handles itself. */
const STRUCTURAL_KEYWORDS: ReadonlySet<string> = new Set(
  'type enum const properties required additionalProperties items prefixItems additionalItems'.split(' '),
)

/** The type of value that each keyword constrains; values of other types are not affected. */
const KEYWORD_TYPES: ReadonlyMap<string, JsonTypeName> = new Map(
  (
    [
      ['number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'],
      ['string', 'pattern format minLength maxLength'],
      ['array', 'minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems'],
      ['array', 'items prefixItems additionalItems'],
      ['object', 'minProperties maxProperties patternProperties propertyNames unevaluatedProperties'],
      ['object', 'dependentRequired dependentSchemas dependencies properties required additionalProperties'],
    ] as const
  ).flatMap(([type, keywords]) => keywords.split(' ').map((keyword) => [keyword, type])),
)

/** Keywords that constrain values of any type. */
const TYPELESS_KEYWORDS = new Set('not if then else $ref $dynamicRef $recursiveRef'.split(' '))

/** Functions that pick the tighter of two bounds. */
const TIGHTER_BOUND: ReadonlyMap<string, (a: number, b: number) => number> = new Map(
  (
    [
      [Math.max, 'minimum exclusiveMinimum minLength minItems minProperties'],
      [Math.min, 'maximum exclusiveMaximum maxLength maxItems maxProperties'],
    ] as const
  ).flatMap(([choose, keywords]) => keywords.split(' ').map((keyword) => [keyword, choose])),
)

/** Exclusive bounds, the inclusive bound that replaces each one, and the conversion for integers. */
const EXCLUSIVE_BOUNDS = [
  ['exclusiveMinimum', 'minimum', (value: number) => Math.floor(value) + 1],
  ['exclusiveMaximum', 'maximum', (value: number) => Math.ceil(value) - 1],
] as const

/** Returns true for a keyword that does not constrain values, such as `title`. */
export function isAnnotation(keyword: string): boolean {
  return !STRUCTURAL_KEYWORDS.has(keyword) && !KEYWORD_TYPES.has(keyword) && !TYPELESS_KEYWORDS.has(keyword)
}

/** Returns true if a keyword can constrain values of one of these types; undefined means any type. */
export function isKeywordFor(types: ReadonlySet<string> | undefined, keyword: string): boolean {
  const subject = KEYWORD_TYPES.get(keyword)
  if (types === undefined || subject === undefined) return true
  return types.has(subject) || (subject === 'number' && types.has('integer'))
}

/** Returns the only type that the keywords of some clauses constrain; undefined if there are none or several. */
export function inferTypeFromKeywords(clauses: SchemaClauses): JsonTypeName | undefined {
  const keywords = clauses.flatMap(({ schema }) => Object.keys(schema))
  const subjects = new Set(keywords.flatMap((keyword) => KEYWORD_TYPES.get(keyword) ?? []))
  return subjects.size === 1 ? [...subjects][0] : undefined
}

/** Returns the keywords that a subset supports, for values of the given types; the others are reported. */
export function fitKeywords(
  clauses: SchemaClauses,
  types: JsonTypeSet | undefined,
  context: SubsetContext,
): JsonObject {
  const merged = mergeKeywords(clauses, context)
  if (isKeywordFor(types, 'minimum')) replaceBounds(merged, context, types)
  const kept: [string, Json][] = []
  for (const [keyword, located] of merged) {
    if (!isKeywordFor(types, keyword) || isTrivialConstraint(keyword, located.value, types)) continue
    const value = fitValue(keyword, located, types, context)
    if (value !== undefined) kept.push([keyword, value])
  }
  // Creates own keys, even for `__proto__`.
  return Object.fromEntries(kept)
}

/** Returns true for a constraint that every value satisfies, as libraries write them: omitting it loses nothing. */
function isTrivialConstraint(keyword: string, value: Json, types: JsonTypeSet | undefined): boolean {
  switch (keyword) {
    case 'propertyNames':
      return isEqualJson(value, { type: 'string' }) || isEqualJson(value, {})
    case 'uniqueItems':
      return value === false
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return value === 0
    // All integers that JSON numbers represent exactly.
    case 'minimum':
      return typeof value === 'number' && value <= Number.MIN_SAFE_INTEGER && types?.has('number') === false
    case 'maximum':
      return typeof value === 'number' && value >= Number.MAX_SAFE_INTEGER && types?.has('number') === false
    default:
      return false
  }
}

/** Merges the keywords of clauses that must all hold, without those of types, enums, properties and items. */
export function mergeKeywords(
  clauses: SchemaClauses,
  context: Pick<SubsetContext, 'report'>,
): Map<string, LocatedValue> {
  const merged = new Map<string, LocatedValue>()
  for (const { schema, path } of clauses) {
    for (const keyword of Object.keys(schema)) {
      const located = { value: getOwnValue(schema, keyword) as Json, path: child(path, keyword) }
      if (!STRUCTURAL_KEYWORDS.has(keyword)) mergeKeyword(merged, keyword, located, context)
    }
  }
  return merged
}

/** Keeps the tighter of two values of one keyword; if neither implies the other, the second is reported as lost. */
function mergeKeyword(
  merged: Map<string, LocatedValue>,
  keyword: string,
  added: LocatedValue,
  { report }: Pick<SubsetContext, 'report'>,
): void {
  const known = merged.get(keyword)
  if (known === undefined) {
    merged.set(keyword, added)
    return
  }
  const choose = TIGHTER_BOUND.get(keyword)
  if (isEqualJson(known.value, added.value)) return
  if (choose === undefined || typeof known.value !== 'number' || typeof added.value !== 'number')
    report(isAnnotation(keyword) ? 'schema-annotation' : 'schema-keyword', added.path)
  else if (choose(known.value, added.value) !== known.value) merged.set(keyword, added)
}

/** Replaces exclusive bounds with inclusive ones if only those are supported; the result is exact for integers. */
function replaceBounds(merged: Map<string, LocatedValue>, context: SubsetContext, types?: JsonTypeSet): void {
  const { supportedKeywords } = context.subset
  for (const [exclusive, inclusive, nextWhole] of EXCLUSIVE_BOUNDS) {
    const { value, path } = merged.get(exclusive) ?? {}
    const isReplaced = supportedKeywords.has(inclusive) && !supportedKeywords.has(exclusive)
    if (!isReplaced || typeof value !== 'number') continue
    merged.delete(exclusive)
    const isExact = types?.has('number') === false
    if (!isExact) context.report('schema-bound', path)
    mergeKeyword(merged, inclusive, { value: isExact ? nextWhole(value) : value, path }, context)
  }
}

/** Returns the value of a keyword as the subset supports it; undefined, and reported, if it does not. */
function fitValue(
  keyword: string,
  { value, path }: LocatedValue,
  types: JsonTypeSet | undefined,
  { subset, report }: SubsetContext,
): Json | undefined {
  const lossRule = findLossRule(keyword, value, types, subset)
  if (lossRule !== undefined) {
    report(lossRule, path)
    return undefined
  }
  if (keyword === 'minItems' && subset.maxMinItems !== undefined && Number(value) > subset.maxMinItems) {
    report('schema-bound', path)
    return subset.maxMinItems
  }
  const isPattern = keyword === 'pattern' && typeof value === 'string'
  return isPattern && subset.hasBarePatterns ? toBarePattern(value) : value
}

/** Returns the rule by which a keyword with this value is omitted, if the subset does not support it. */
function findLossRule(
  keyword: string,
  value: Json,
  types: JsonTypeSet | undefined,
  subset: SchemaSubset,
): SchemaLossRule | undefined {
  const isSupported = subset.supportedKeywords.has(keyword)
  if (!isSupported && isAnnotation(keyword)) return 'schema-annotation'
  const text = typeof value === 'string' ? value : ''
  if (keyword === 'format' && (!isSupported || subset.supportedFormats?.has(text) === false))
    return 'schema-format'
  const isNotInteger =
    subset.supportsOnlyIntegerBounds &&
    KEYWORD_TYPES.get(keyword) === 'number' &&
    !(types?.size === 1 && types.has('integer'))
  const isUnanchored = keyword === 'pattern' && subset.requiresAnchoredPatterns && !/^\^[^]*\$$/.test(text)
  const isNotBare = keyword === 'pattern' && subset.hasBarePatterns && toBarePattern(text) === undefined
  const isLost = !isSupported || isNotInteger || isUnanchored || isNotBare || isMalformed(keyword, value)
  return isLost ? 'schema-keyword' : undefined
}

/** Returns true for a bound that is not a number (as in the oldest drafts) or a pattern that is not text. */
function isMalformed(keyword: string, value: Json): boolean {
  if (TIGHTER_BOUND.has(keyword) || keyword === 'multipleOf') return typeof value !== 'number'
  return ['pattern', 'format', 'description'].includes(keyword) && typeof value !== 'string'
}
