import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { equalJson, type Json, ownValue } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import type { Clause } from './conjunction.ts'
import type { Subset, TypeName } from './targets.ts'

/** Keywords that the walker itself understands, or that say nothing of a value. */
const STRUCTURE: ReadonlySet<string> = new Set(
  'type enum const properties required additionalProperties items prefixItems additionalItems'.split(' '),
)

/** The types that a constraint speaks of; of values of other types it says nothing. */
const SUBJECTS: ReadonlyMap<string, TypeName> = new Map(
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
const ANYWHERE: ReadonlySet<string> = new Set('not if then else $dynamicRef $recursiveRef'.split(' '))

/** Of two values that must both hold, the one that implies the other. */
const TIGHTER: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ...'minimum exclusiveMinimum minLength minItems minProperties'
    .split(' ')
    .map((word) => [word, Math.max] as const),
  ...'maximum exclusiveMaximum maxLength maxItems maxProperties'
    .split(' ')
    .map((word) => [word, Math.min] as const),
])

/** Exclusive bounds, and what to say where they are not known. */
const BOUNDS = [
  ['exclusiveMinimum', 'minimum', (value: number) => Math.floor(value) + 1],
  ['exclusiveMaximum', 'maximum', (value: number) => Math.ceil(value) - 1],
] as const

/** What a keyword says, and where. */
interface Said {
  readonly value: Json
  readonly at: Path | undefined
}

export type Lose = (rule: SchemaRule, at: Path | undefined) => void

/** True for a keyword that is only a remark. */
export function isAnnotation(keyword: string): boolean {
  return !STRUCTURE.has(keyword) && !SUBJECTS.has(keyword) && !ANYWHERE.has(keyword) && keyword !== '$ref'
}

/** Whether a keyword may say something of values of a type. */
export function subjectIs(keyword: string, type: string): boolean {
  const subject = SUBJECTS.get(keyword)
  return subject === undefined || subject === type || (subject === 'number' && type === 'integer')
}

/** The one type that the constraints of some clauses speak of; undefined where there is none, or several. */
export function subjectOf(clauses: readonly Clause[]): TypeName | undefined {
  const subjects = new Set(
    clauses.flatMap(({ keywords }) => Object.keys(keywords)).map((word) => SUBJECTS.get(word)),
  )
  subjects.delete(undefined)
  return subjects.size === 1 ? [...subjects][0] : undefined
}

/**
 * The keywords of some clauses that a subset takes, for values of the given types (`undefined`: of any). What it does
 * not take is reported.
 */
export function keptKeywords(
  clauses: readonly Clause[],
  types: ReadonlySet<TypeName> | undefined,
  subset: Subset,
  lose: Lose,
): { readonly [keyword: string]: Json } {
  const merged = mergedKeywords(clauses, lose)
  if (speaks('minimum', types)) replaceBounds(merged, types, subset, lose)
  const kept: [string, Json][] = []
  for (const [keyword, said] of merged) {
    if (!speaks(keyword, types) || isIdle(keyword, said.value, types)) continue
    const value = fitValue(keyword, said, types, subset, lose)
    if (value !== undefined) kept.push([keyword, value])
  }
  // Own keys, whatever they are called.
  return Object.fromEntries(kept)
}

/** Whether a keyword says anything of values of these types. */
function speaks(keyword: string, types: ReadonlySet<TypeName> | undefined): boolean {
  const subject = SUBJECTS.get(keyword)
  if (types === undefined || subject === undefined) return true
  return types.has(subject) || (subject === 'number' && types.has('integer'))
}

/** Constraints that everything satisfies: libraries write them, and leaving them out loses nothing. */
function isIdle(keyword: string, value: Json, types: ReadonlySet<TypeName> | undefined): boolean {
  switch (keyword) {
    case 'propertyNames':
      return equalJson(value, { type: 'string' }) || equalJson(value, {})
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

function mergedKeywords(clauses: readonly Clause[], lose: Lose): Map<string, Said> {
  const merged = new Map<string, Said>()
  for (const { keywords, at } of clauses) {
    for (const keyword of Object.keys(keywords)) {
      if (STRUCTURE.has(keyword)) continue
      const said = { value: ownValue(keywords, keyword) as Json, at: below(at, keyword) }
      const known = merged.get(keyword)
      merged.set(keyword, known === undefined ? said : tighter(keyword, known, said, lose))
    }
  }
  return merged
}

/** Of two things said under one keyword the tighter; where neither implies the other, the first. */
function tighter(keyword: string, a: Said, b: Said, lose: Lose): Said {
  if (equalJson(a.value, b.value)) return a
  const choose = TIGHTER.get(keyword)
  if (choose !== undefined && typeof a.value === 'number' && typeof b.value === 'number') {
    return choose(a.value, b.value) === a.value ? a : b
  }
  lose(isAnnotation(keyword) ? 'schema-annotation' : 'schema-keyword', b.at)
  return a
}

/** Says exclusive bounds as inclusive ones where only those are known: exactly for whole numbers. */
function replaceBounds(
  merged: Map<string, Said>,
  types: ReadonlySet<TypeName> | undefined,
  { keeps }: Subset,
  lose: Lose,
): void {
  for (const [exclusive, inclusive, nextWhole] of BOUNDS) {
    const said = merged.get(exclusive)
    if (keeps.has(exclusive) || !keeps.has(inclusive) || typeof said?.value !== 'number') continue
    merged.delete(exclusive)
    const exact = types !== undefined && !types.has('number')
    if (!exact) lose('schema-bound', said.at)
    const bound = { value: exact ? nextWhole(said.value) : said.value, at: said.at }
    const known = merged.get(inclusive)
    merged.set(inclusive, known === undefined ? bound : tighter(inclusive, known, bound, lose))
  }
}

/** A value as the subset takes it; undefined, and reported, where it does not. */
function fitValue(
  keyword: string,
  { value, at }: Said,
  types: ReadonlySet<TypeName> | undefined,
  subset: Subset,
  lose: Lose,
): Json | undefined {
  if (!subset.keeps.has(keyword)) {
    lose(refusalOf(keyword), at)
    return undefined
  }
  const text = typeof value === 'string' ? value : ''
  if (keyword === 'format' && subset.formats?.has(text) === false) {
    lose('schema-format', at)
    return undefined
  }
  const wide =
    subset.integerBounds && SUBJECTS.get(keyword) === 'number' && !(types?.size === 1 && types.has('integer'))
  const loose = keyword === 'pattern' && subset.anchoredPatterns && !/^\^[^]*\$$/.test(text)
  if (wide === true || loose === true || isMistaken(keyword, value)) {
    lose('schema-keyword', at)
    return undefined
  }
  if (keyword === 'minItems' && subset.minItems !== undefined && Number(value) > subset.minItems) {
    lose('schema-bound', at)
    return subset.minItems
  }
  return value
}

function refusalOf(keyword: string): SchemaRule {
  if (isAnnotation(keyword)) return 'schema-annotation'
  return keyword === 'format' ? 'schema-format' : 'schema-keyword'
}

/** A bound that is not a number (as the oldest drafts had), or a pattern that is not text. */
function isMistaken(keyword: string, value: Json): boolean {
  if (TIGHTER.has(keyword) || keyword === 'multipleOf') return typeof value !== 'number'
  return (
    (keyword === 'pattern' || keyword === 'format' || keyword === 'description') && typeof value !== 'string'
  )
}
