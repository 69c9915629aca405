import { isObject, type Json, type JsonSchema } from '../wire/json.ts'
import { mapSubschemas } from './map-subschemas.ts'

/**
 * Returns a schema of an untrusted source without the patterns that could take more than linear time: a regular expression
 * such as `(a+)+$` would stop the process for minutes. The rest of the schema is still checked.
 *
 * @example
 * omitSlowPatterns({ type: 'string', pattern: '(a+)+$', maxLength: 9 }) // { type: 'string', maxLength: 9 }
 */
export function omitSlowPatterns(schema: JsonSchema): JsonSchema {
  const { pattern, patternProperties, ...rest } = schema
  const named = isObject(patternProperties) ? Object.entries(patternProperties) : []
  const fast = named.filter(([name]) => isLinearPattern(name))
  // A property of a pattern that is not checked would otherwise be an additional one.
  const { additionalProperties: _additional, ...open } = rest
  return mapSubschemas(
    {
      ...(fast.length === named.length ? rest : open),
      ...(isLinearPattern(pattern) && { pattern: pattern as Json }),
      ...(fast.length > 0 && { patternProperties: Object.fromEntries(fast) }),
    },
    undefined,
    omitSlowPatterns,
  )
}

/** The longest pattern that is examined. */
const MAX_PATTERN_CHARACTERS = 1000

/** Escapes and character classes, which count as one character. */
const ATOMS =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]/gsu

/**
 * Returns true for a pattern that an engine with backtracking matches in linear time: at most one place where it can repeat,
 * and an unanchored search is a repetition, too. Groups may not be repeated, and there are no back references.
 */
function isLinearPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_CHARACTERS) return false
  if (/\\(?:[1-9]|k<)/.test(pattern)) return false
  const plain = pattern.replaceAll(ATOMS, 'x')
  const hasRepeatedGroup = /\)[*+{]/.test(plain)
  const quantifiers = plain.match(/[*+]|(?<!\()\?|\{\d+,?\d*\}/g) ?? []
  const longCount = quantifiers.filter(isLongRepetition).length
  const isAnchored = plain.startsWith('^') && !plain.includes('|')
  if (hasRepeatedGroup || longCount + (isAnchored ? 0 : 1) > 1) return false
  return quantifiers.length - longCount <= MAX_SHORT_QUANTIFIERS
}

/** Each optional character may double the ways to match. */
const MAX_SHORT_QUANTIFIERS = 6

/** The largest range of a repetition that counts as short. */
const MAX_SHORT_REPETITION = 8

function isLongRepetition(quantifier: string): boolean {
  if (quantifier === '?') return false
  const bounds = /^\{(\d+)(,?)(\d*)\}$/.exec(quantifier)
  if (bounds === null) return true
  const [, min = '', comma, max = ''] = bounds
  if (comma === '') return false
  return max === '' || Number(max) - Number(min) > MAX_SHORT_REPETITION
}
