import { format as formatTests } from '@cfworker/json-schema'
import { isObject } from '../wire/json.ts'
import { compilePatternTest, type CountSteps, type PatternTest } from './compile-pattern-test.ts'
import { tryParseUrl } from '../wire/urls.ts'

/** A schema with keywords. */
export type KeywordSchema = { readonly [keyword: string]: unknown }

/** Returns what is wrong with a value, or undefined. */
type ScalarCheck = (
  value: unknown,
  expected: unknown,
  schema: KeywordSchema,
  countSteps: CountSteps,
) => string | undefined

/** Texts that are longer do not match a format; the tests of some take more than linear time. */
const MAX_FORMAT_CHARS = 4_096

/** Keywords that compare a value with the value of the keyword, without other schemas. */
export const SCALAR_CHECKS: { readonly [keyword: string]: ScalarCheck } = {
  type: (value, expected) => {
    const types: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
    const isInteger = typeof value === 'number' && Number.isInteger(value)
    if (types.includes(getJsonType(value)) || (isInteger && types.includes('integer'))) return undefined
    return `Expected ${types.join(' or ')}, found ${getJsonType(value)}.`
  },
  const: (value, expected, _schema, countSteps) =>
    toComparableText(value, countSteps) === toComparableText(expected, countSteps)
      ? undefined
      : `Expected ${quoteJson(expected)}.`,
  enum: (value, expected, _schema, countSteps) => {
    if (!Array.isArray(expected)) return undefined
    if (getEnumTexts(expected, countSteps).has(toComparableText(value, countSteps))) return undefined
    return `Expected one of ${quoteList(expected)}.`
  },
  minimum: (value, expected, { exclusiveMinimum }) =>
    checkBound(value, expected, (a, b) => a > b || (a === b && exclusiveMinimum !== true), 'at least'),
  maximum: (value, expected, { exclusiveMaximum }) =>
    checkBound(value, expected, (a, b) => a < b || (a === b && exclusiveMaximum !== true), 'at most'),
  exclusiveMinimum: (value, expected) => checkBound(value, expected, (a, b) => a > b, 'more than'),
  exclusiveMaximum: (value, expected) => checkBound(value, expected, (a, b) => a < b, 'less than'),
  multipleOf: (value, expected) => checkBound(value, expected, isMultipleOf, 'a multiple of'),
  minLength: (value, expected) =>
    checkSize(countCharacters(value), expected, (a, b) => a >= b, 'at least', 'characters'),
  maxLength: (value, expected) =>
    checkSize(countCharacters(value), expected, (a, b) => a <= b, 'at most', 'characters'),
  minItems: (value, expected) =>
    checkSize(countItems(value), expected, (a, b) => a >= b, 'at least', 'items'),
  maxItems: (value, expected) => checkSize(countItems(value), expected, (a, b) => a <= b, 'at most', 'items'),
  minProperties: (value, expected) =>
    checkSize(countProperties(value), expected, (a, b) => a >= b, 'at least', 'properties'),
  maxProperties: (value, expected) =>
    checkSize(countProperties(value), expected, (a, b) => a <= b, 'at most', 'properties'),
  uniqueItems: (value, expected, _schema, countSteps) => {
    if (expected !== true || !Array.isArray(value)) return undefined
    const texts = new Set(value.map((item) => toComparableText(item, countSteps)))
    return texts.size === value.length ? undefined : 'Expected different items.'
  },
  pattern: (value, expected, _schema, countSteps) => {
    if (typeof value !== 'string' || typeof expected !== 'string') return undefined
    return matchesPattern(expected, value, countSteps)
      ? undefined
      : `Expected text that matches ${quoteJson(expected)}.`
  },
  format: (value, expected) => {
    if (typeof value !== 'string' || typeof expected !== 'string') return undefined
    const isValid = value.length <= MAX_FORMAT_CHARS && matchesFormat(expected, value)
    return isValid || !Object.hasOwn(formatTests, expected) ? undefined : `Expected the format ${expected}.`
  },
}

/** Returns true if a text matches a pattern; a pattern that cannot be matched in linear time matches everything. */
export function matchesPattern(pattern: string, text: string, countSteps: CountSteps): boolean {
  return getPatternTest(pattern)?.(text, countSteps) ?? true
}

/** Returns whether a pattern can be matched in linear time; throws if it is invalid. */
export function isPatternChecked(pattern: string): boolean {
  return getPatternTest(pattern) !== undefined
}

function getPatternTest(pattern: string): PatternTest | undefined {
  if (patternTests.has(pattern)) return patternTests.get(pattern)
  const test = compilePatternTest(pattern)
  if (patternTests.size >= MAX_CACHED_PATTERNS) patternTests.clear()
  patternTests.set(pattern, test)
  return test
}

const MAX_CACHED_PATTERNS = 500
const patternTests = new Map<string, PatternTest | undefined>()

/** The expression that the validator's package has for URLs takes exponential time. */
function matchesFormat(name: string, text: string): boolean {
  if (name === 'url') return /^(?:https?|ftp):/i.test(text) && tryParseUrl(text) !== undefined
  return formatTests[name]?.(text) ?? true
}

function getJsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const enumTexts = new WeakMap<readonly unknown[], ReadonlySet<string>>()

function getEnumTexts(values: readonly unknown[], countSteps: CountSteps): ReadonlySet<string> {
  const known = enumTexts.get(values) ?? new Set(values.map((value) => toComparableText(value, countSteps)))
  enumTexts.set(values, known)
  return known
}

/** Returns the same text for equal JSON values: keys are sorted. */
function toComparableText(value: unknown, countSteps: CountSteps): string {
  const isScalar = typeof value !== 'object' || value === null
  const text = isScalar ? `${typeof value}${JSON.stringify(value)}` : JSON.stringify(value, sortKeys)
  countSteps(text.length / 8)
  return text
}

function sortKeys(_key: string, item: unknown): unknown {
  if (!isObject(item)) return item
  return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Issues are sent to the model, and there may be many. */
const MAX_QUOTED_CHARS = 200
const MAX_QUOTED_VALUES = 20

function quoteJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text
}

function quoteList(values: readonly unknown[]): string {
  const quoted = values.slice(0, MAX_QUOTED_VALUES).map(quoteJson)
  return [...quoted, ...(values.length > MAX_QUOTED_VALUES ? ['…'] : [])].join(', ')
}

function checkBound(
  value: unknown,
  bound: unknown,
  isWithin: (value: number, bound: number) => boolean,
  words: string,
): string | undefined {
  if (typeof value !== 'number' || typeof bound !== 'number' || isWithin(value, bound)) return undefined
  return `Expected ${words} ${bound}.`
}

function checkSize(
  size: number | undefined,
  bound: unknown,
  isWithin: (value: number, bound: number) => boolean,
  words: string,
  unit: string,
): string | undefined {
  if (size === undefined || typeof bound !== 'number' || isWithin(size, bound)) return undefined
  return `Expected ${words} ${bound} ${unit}, found ${size}.`
}

/** Counts characters as JSON Schema does: a surrogate pair is one. */
function countCharacters(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  let count = 0
  for (let index = 0; index < value.length; count++) index += (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return count
}

function countItems(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

function countProperties(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined
}

function isMultipleOf(value: number, divisor: number): boolean {
  if (!(divisor > 0)) return false
  const quotient = value / divisor
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0
  // Decimal fractions are not exact as numbers: 0.3 / 0.1 is 2.9999999999999996.
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient))
}
