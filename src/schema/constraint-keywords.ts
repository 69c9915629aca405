import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { isEqualJson, type Json, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { Clause } from './conjunction.ts'
import type { SchemaSubset, JsonTypeName } from './schema-subsets.ts'

/** Keywords that the walker itself understands, or that say nothing of a value. */
const STRUCTURAL_KEYWORDS: ReadonlySet<string> = new Set(
  'type enum const properties required additionalProperties items prefixItems additionalItems'.split(' '),
)

/** The types that a constraint speaks of; of values of other types it says nothing. */
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
  ).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
)

/** Constraints on values of any type. */
const TYPELESS_KEYWORDS: ReadonlySet<string> = new Set(
  'not if then else $dynamicRef $recursiveRef'.split(' '),
)

/** Of two values that must both hold, the one that implies the other. */
const TIGHTER_BOUND: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ...'minimum exclusiveMinimum minLength minItems minProperties'
    .split(' ')
    .map((word) => [word, Math.max] as const),
  ...'maximum exclusiveMaximum maxLength maxItems maxProperties'
    .split(' ')
    .map((word) => [word, Math.min] as const),
])

/** Exclusive bounds, and what to say where they are not known. */
const EXCLUSIVE_BOUNDS = [
  ['exclusiveMinimum', 'minimum', (value: number) => Math.floor(value) + 1],
  ['exclusiveMaximum', 'maximum', (value: number) => Math.ceil(value) - 1],
] as const

/** What a keyword says, and where. */
interface LocatedValue {
  readonly value: Json
  readonly path: Path | undefined
}

export type SchemaLossReporter = (rule: SchemaRule, path: Path | undefined) => void

/** True for a keyword that is only a remark. */
export function isAnnotation(keyword: string): boolean {
  return (
    !STRUCTURAL_KEYWORDS.has(keyword) &&
    !KEYWORD_TYPES.has(keyword) &&
    !TYPELESS_KEYWORDS.has(keyword) &&
    keyword !== '$ref'
  )
}

/** Whether a keyword may say something of values of a type. */
export function isKeywordForType(keyword: string, type: string): boolean {
  const subject = KEYWORD_TYPES.get(keyword)
  return subject === undefined || subject === type || (subject === 'number' && type === 'integer')
}

/** The one type that the constraints of some clauses speak of; undefined where there is none, or several. */
export function inferType(clauses: readonly Clause[]): JsonTypeName | undefined {
  const subjects = new Set(
    clauses.flatMap(({ keywords }) => Object.keys(keywords)).map((word) => KEYWORD_TYPES.get(word)),
  )
  subjects.delete(undefined)
  return subjects.size === 1 ? [...subjects][0] : undefined
}

/**
 * The keywords of some clauses that a subset takes, for values of the given types (`undefined`: of any). What it does
 * not take is reported.
 */
export function fitKeywords(
  clauses: readonly Clause[],
  types: ReadonlySet<JsonTypeName> | undefined,
  subset: SchemaSubset,
  lose: SchemaLossReporter,
): { readonly [keyword: string]: Json } {
  const merged = mergeKeywords(clauses, lose)
  if (isRelevantKeyword('minimum', types)) replaceBounds(merged, types, subset, lose)
  const kept: [string, Json][] = []
  for (const [keyword, located] of merged) {
    if (!isRelevantKeyword(keyword, types) || isTrivialConstraint(keyword, located.value, types)) continue
    const value = fitValue(keyword, located, types, subset, lose)
    if (value !== undefined) kept.push([keyword, value])
  }
  // Own keys, whatever they are called.
  return Object.fromEntries(kept)
}

/** Whether a keyword says anything of values of these types. */
function isRelevantKeyword(keyword: string, types: ReadonlySet<JsonTypeName> | undefined): boolean {
  const subject = KEYWORD_TYPES.get(keyword)
  if (types === undefined || subject === undefined) return true
  return types.has(subject) || (subject === 'number' && types.has('integer'))
}

/** Constraints that everything satisfies: libraries write them, and leaving them out loses nothing. */
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
    // All whole numbers that JSON can carry safely.
    case 'minimum':
      return typeof value === 'number' && value <= Number.MIN_SAFE_INTEGER && types?.has('number') === false
    case 'maximum':
      return typeof value === 'number' && value >= Number.MAX_SAFE_INTEGER && types?.has('number') === false
    default:
      return false
  }
}

function mergeKeywords(clauses: readonly Clause[], lose: SchemaLossReporter): Map<string, LocatedValue> {
  const merged = new Map<string, LocatedValue>()
  for (const { keywords, path } of clauses) {
    for (const keyword of Object.keys(keywords)) {
      if (STRUCTURAL_KEYWORDS.has(keyword)) continue
      const located = { value: getOwnValue(keywords, keyword) as Json, path: child(path, keyword) }
      const known = merged.get(keyword)
      merged.set(keyword, known === undefined ? located : pickTighter(keyword, known, located, lose))
    }
  }
  return merged
}

/** Of two things said under one keyword the tighter; where neither implies the other, the first. */
function pickTighter(
  keyword: string,
  a: LocatedValue,
  b: LocatedValue,
  lose: SchemaLossReporter,
): LocatedValue {
  if (isEqualJson(a.value, b.value)) return a
  const choose = TIGHTER_BOUND.get(keyword)
  if (choose !== undefined && typeof a.value === 'number' && typeof b.value === 'number') {
    return choose(a.value, b.value) === a.value ? a : b
  }
  lose(isAnnotation(keyword) ? 'schema-annotation' : 'schema-keyword', b.path)
  return a
}

/** Says exclusive bounds as inclusive ones where only those are known: exactly for whole numbers. */
function replaceBounds(
  merged: Map<string, LocatedValue>,
  types: ReadonlySet<JsonTypeName> | undefined,
  { supportedKeywords }: SchemaSubset,
  lose: SchemaLossReporter,
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
    if (!exact) lose('schema-bound', located.path)
    const bound = { value: exact ? nextWhole(located.value) : located.value, path: located.path }
    const known = merged.get(inclusive)
    merged.set(inclusive, known === undefined ? bound : pickTighter(inclusive, known, bound, lose))
  }
}

/** A value as the subset takes it; undefined, and reported, where it does not. */
function fitValue(
  keyword: string,
  { value, path }: LocatedValue,
  types: ReadonlySet<JsonTypeName> | undefined,
  subset: SchemaSubset,
  lose: SchemaLossReporter,
): Json | undefined {
  if (!subset.supportedKeywords.has(keyword)) {
    lose(unsupportedKeywordRule(keyword), path)
    return undefined
  }
  const text = typeof value === 'string' ? value : ''
  if (keyword === 'format' && subset.supportedFormats?.has(text) === false) {
    lose('schema-format', path)
    return undefined
  }
  const wide =
    subset.supportsOnlyIntegerBounds &&
    KEYWORD_TYPES.get(keyword) === 'number' &&
    !(types?.size === 1 && types.has('integer'))
  const loose = keyword === 'pattern' && subset.requiresAnchoredPatterns && !/^\^[^]*\$$/.test(text)
  if (wide === true || loose === true || isMalformed(keyword, value)) {
    lose('schema-keyword', path)
    return undefined
  }
  if (keyword === 'minItems' && subset.maxMinItems !== undefined && Number(value) > subset.maxMinItems) {
    lose('schema-bound', path)
    return subset.maxMinItems
  }
  return value
}

function unsupportedKeywordRule(keyword: string): SchemaRule {
  if (isAnnotation(keyword)) return 'schema-annotation'
  return keyword === 'format' ? 'schema-format' : 'schema-keyword'
}

/** A bound that is not a number (as the oldest drafts had), or a pattern that is not text. */
function isMalformed(keyword: string, value: Json): boolean {
  if (TIGHTER_BOUND.has(keyword) || keyword === 'multipleOf') return typeof value !== 'number'
  return (
    (keyword === 'pattern' || keyword === 'format' || keyword === 'description') && typeof value !== 'string'
  )
}
