import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { isEqualJson, type Json, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { Clause } from './conjunction.ts'
import type { SchemaSubset, JsonTypeName } from './schema-subsets.ts'

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
      [
        'object',
        'minProperties maxProperties patternProperties propertyNames dependentRequired dependentSchemas dependencies ' +
          'unevaluatedProperties',
      ],
      ['array', 'items prefixItems additionalItems'],
      ['object', 'properties required additionalProperties'],
    ] as const
  ).flatMap(([type, keywords]) => keywords.split(' ').map((keyword) => [keyword, type])),
)

/** Keywords that constrain values of any type. */
const TYPELESS_KEYWORDS: ReadonlySet<string> = new Set(
  'not if then else $dynamicRef $recursiveRef'.split(' '),
)

/** Functions that pick the tighter of two bounds. */
const TIGHTER_BOUND: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ...'minimum exclusiveMinimum minLength minItems minProperties'
    .split(' ')
    .map((keyword) => [keyword, Math.max] as const),
  ...'maximum exclusiveMaximum maxLength maxItems maxProperties'
    .split(' ')
    .map((keyword) => [keyword, Math.min] as const),
])

/** Exclusive bounds, the inclusive bound that replaces each one, and the conversion for integers. */
const EXCLUSIVE_BOUNDS = [
  ['exclusiveMinimum', 'minimum', (value: number) => Math.floor(value) + 1],
  ['exclusiveMaximum', 'maximum', (value: number) => Math.ceil(value) - 1],
] as const

/** The value of a keyword, and its path. */
interface LocatedValue {
  readonly value: Json
  readonly path: Path | undefined
}

export type SchemaLossReporter = (rule: SchemaRule, path: Path | undefined) => void

/** Returns true for a keyword that does not constrain values, such as `title`. */
export function isAnnotation(keyword: string): boolean {
  return (
    !STRUCTURAL_KEYWORDS.has(keyword) &&
    !KEYWORD_TYPES.has(keyword) &&
    !TYPELESS_KEYWORDS.has(keyword) &&
    keyword !== '$ref'
  )
}

/** Returns true if a keyword can constrain values of a type. */
export function isKeywordForType(keyword: string, type: string): boolean {
  const subject = KEYWORD_TYPES.get(keyword)
  return subject === undefined || subject === type || (subject === 'number' && type === 'integer')
}

/**
 * Returns the only type that the keywords of some clauses constrain; undefined if there are none or several.
 */
export function inferType(clauses: readonly Clause[]): JsonTypeName | undefined {
  const subjects = new Set(
    clauses.flatMap(({ keywords }) => Object.keys(keywords)).map((keyword) => KEYWORD_TYPES.get(keyword)),
  )
  subjects.delete(undefined)
  return subjects.size === 1 ? [...subjects][0] : undefined
}

/**
 * Returns the keywords of some clauses that a subset supports, for values of the given types (`undefined`:
 * any type). Unsupported keywords are reported.
 */
export function fitKeywords(
  clauses: readonly Clause[],
  types: ReadonlySet<JsonTypeName> | undefined,
  subset: SchemaSubset,
  report: SchemaLossReporter,
): { readonly [keyword: string]: Json } {
  const merged = mergeKeywords(clauses, report)
  if (isRelevantKeyword('minimum', types)) replaceBounds(merged, types, subset, report)
  const kept: [string, Json][] = []
  for (const [keyword, located] of merged) {
    if (!isRelevantKeyword(keyword, types) || isTrivialConstraint(keyword, located.value, types)) continue
    const value = fitValue(keyword, located, types, subset, report)
    if (value !== undefined) kept.push([keyword, value])
  }
  // Creates own keys, even for `__proto__`.
  return Object.fromEntries(kept)
}

/** Returns true if a keyword can constrain values of one of these types. */
function isRelevantKeyword(keyword: string, types: ReadonlySet<JsonTypeName> | undefined): boolean {
  const subject = KEYWORD_TYPES.get(keyword)
  if (types === undefined || subject === undefined) return true
  return types.has(subject) || (subject === 'number' && types.has('integer'))
}

/**
 * Returns true for a constraint that every value satisfies. Libraries write them; omitting them loses
 * nothing.
 */
function isTrivialConstraint(
  keyword: string,
  value: Json,
  types: ReadonlySet<JsonTypeName> | undefined,
): boolean {
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

function mergeKeywords(clauses: readonly Clause[], report: SchemaLossReporter): Map<string, LocatedValue> {
  const merged = new Map<string, LocatedValue>()
  for (const { keywords, path } of clauses) {
    for (const keyword of Object.keys(keywords)) {
      if (STRUCTURAL_KEYWORDS.has(keyword)) continue
      const located = { value: getOwnValue(keywords, keyword) as Json, path: child(path, keyword) }
      const known = merged.get(keyword)
      merged.set(keyword, known === undefined ? located : pickTighter(keyword, known, located, report))
    }
  }
  return merged
}

/**
 * Returns the tighter of two values of one keyword; if neither implies the other, the second is reported as
 * lost.
 */
function pickTighter(
  keyword: string,
  a: LocatedValue,
  b: LocatedValue,
  report: SchemaLossReporter,
): LocatedValue {
  if (isEqualJson(a.value, b.value)) return a
  const choose = TIGHTER_BOUND.get(keyword)
  if (choose !== undefined && typeof a.value === 'number' && typeof b.value === 'number') {
    return choose(a.value, b.value) === a.value ? a : b
  }
  report(isAnnotation(keyword) ? 'schema-annotation' : 'schema-keyword', b.path)
  return a
}

/**
 * Replaces exclusive bounds with inclusive ones if only those are supported; the result is exact for
 * integers.
 */
function replaceBounds(
  merged: Map<string, LocatedValue>,
  types: ReadonlySet<JsonTypeName> | undefined,
  { supportedKeywords }: SchemaSubset,
  report: SchemaLossReporter,
): void {
  for (const [exclusive, inclusive, nextWhole] of EXCLUSIVE_BOUNDS) {
    const located = merged.get(exclusive)
    if (
      supportedKeywords.has(exclusive) ||
      !supportedKeywords.has(inclusive) ||
      typeof located?.value !== 'number'
    )
      continue
    merged.delete(exclusive)
    const exact = types !== undefined && !types.has('number')
    if (!exact) report('schema-bound', located.path)
    const bound = { value: exact ? nextWhole(located.value) : located.value, path: located.path }
    const known = merged.get(inclusive)
    merged.set(inclusive, known === undefined ? bound : pickTighter(inclusive, known, bound, report))
  }
}

/** Returns the value of a keyword as the subset supports it; undefined, and reported, if it does not. */
function fitValue(
  keyword: string,
  { value, path }: LocatedValue,
  types: ReadonlySet<JsonTypeName> | undefined,
  subset: SchemaSubset,
  report: SchemaLossReporter,
): Json | undefined {
  if (!subset.supportedKeywords.has(keyword)) {
    report(unsupportedKeywordRule(keyword), path)
    return undefined
  }
  const text = typeof value === 'string' ? value : ''
  if (keyword === 'format' && subset.supportedFormats?.has(text) === false) {
    report('schema-format', path)
    return undefined
  }
  const isNotInteger =
    subset.supportsOnlyIntegerBounds &&
    KEYWORD_TYPES.get(keyword) === 'number' &&
    !(types?.size === 1 && types.has('integer'))
  const isUnanchored = keyword === 'pattern' && subset.requiresAnchoredPatterns && !/^\^[^]*\$$/.test(text)
  if (isNotInteger === true || isUnanchored === true || isMalformed(keyword, value)) {
    report('schema-keyword', path)
    return undefined
  }
  if (keyword === 'minItems' && subset.maxMinItems !== undefined && Number(value) > subset.maxMinItems) {
    report('schema-bound', path)
    return subset.maxMinItems
  }
  return value
}

function unsupportedKeywordRule(keyword: string): SchemaRule {
  if (isAnnotation(keyword)) return 'schema-annotation'
  return keyword === 'format' ? 'schema-format' : 'schema-keyword'
}

/** Returns true for a bound that is not a number (as in the oldest drafts) or a pattern that is not text. */
function isMalformed(keyword: string, value: Json): boolean {
  if (TIGHTER_BOUND.has(keyword) || keyword === 'multipleOf') return typeof value !== 'number'
  return (
    (keyword === 'pattern' || keyword === 'format' || keyword === 'description') && typeof value !== 'string'
  )
}
