import { throwInvalid } from '../canonical/shape/shape.ts'
import { describeType } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'

/** Maximum length of an id or label; fits the index of every backend. */
const MAX_NAME_LENGTH = 256

/** Matches a lone surrogate or NUL, which PostgreSQL cannot store. */
const UNSTORABLE_PATTERN = /\p{Cs}|\0/u

/** Replaces characters that a backend cannot store. */
export function replaceUnstorableCharacters(text: string): string {
  return text.replaceAll(new RegExp(UNSTORABLE_PATTERN, 'gu'), '\ufffd')
}

/** Throws the error for an argument with an invalid value. */
export function throwInvalidValue(argument: string, found: string, expected: string, hint?: string): never {
  return throwInvalid('invalid-value', child(undefined, argument), found, expected, hint)
}

/** Throws the error for an argument of the wrong type. */
export function throwInvalidType(argument: string, value: unknown, expected: string, hint?: string): never {
  return throwInvalid('invalid-type', child(undefined, argument), describeType(value), expected, hint)
}

/** The most frequent cause of a missing address of a storage. */
const ADDRESS_HINT = 'If it is read from an environment variable, check that the variable is set.'

/**
 * Checks the URL of a server without quoting it, since it may contain a password. The drivers connect to a server of this
 * machine if it is missing, and take other text for the name of a host.
 */
export function checkServerUrl(url: unknown, pattern: RegExp, example: string): string {
  const expected = `a URL such as ${example}`
  if (typeof url !== 'string') return throwInvalidType('url', url, expected, ADDRESS_HINT)
  if (pattern.test(url)) return url
  const [scheme] = /^[a-z][a-z+.-]*:/i.exec(url) ?? []
  const found = url.trim() === '' ? 'an empty string' : scheme ? `the protocol ${scheme}` : 'no protocol'
  return throwInvalidValue('url', found, expected, url.trim() === '' ? ADDRESS_HINT : undefined)
}

/** Refuses an empty path: SQLite would open a database that it deletes when it is closed. */
export function checkDatabasePath(path: string): void {
  if (path.trim() === '')
    throwInvalidValue('database', 'an empty string', 'the path of a file, or `:memory:`', ADDRESS_HINT)
}

/** Checks an id, tenant, section or label: a non-empty string that every backend can store. */
export function checkIdentifier(value: unknown, argument: string): string {
  return checkText(value, argument) || throwInvalidValue(argument, 'an empty string', 'a name')
}

/** Checks a title or search text; may be empty. */
export function checkText(value: unknown, argument: string): string {
  if (typeof value !== 'string') return throwInvalidType(argument, value, 'a string')
  if (value.length > MAX_NAME_LENGTH)
    throwInvalidValue(argument, `${value.length} characters`, `at most ${MAX_NAME_LENGTH} characters`)
  if (!UNSTORABLE_PATTERN.test(value)) return value
  const found = 'a string with characters that cannot be stored'
  return throwInvalidValue(argument, found, 'well-formed Unicode without NUL')
}

/** Checks a time and returns it in the form in which times are stored and compared. */
export function checkTime(value: unknown, argument: string): string {
  const time = typeof value === 'string' || value instanceof Date ? new Date(value) : undefined
  if (time === undefined) return throwInvalidType(argument, value, 'an ISO 8601 time or a Date')
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  // Times are compared as text: a year of more than four digits starts with a sign, and would be before all others.
  if (/^\d{4}-/.test(text)) return text
  return throwInvalidValue(argument, 'an invalid time', 'a time such as 2026-01-31T00:00:00Z, before 10000')
}

/** Checks that a value is an array; a string would be iterated by character. */
export function checkList(value: unknown, argument: string): readonly unknown[] {
  return Array.isArray(value) ? value : throwInvalidType(argument, value, 'a list')
}

/** Checks that a value is a positive integer. */
export function checkCount(value: unknown, argument: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return throwInvalidValue(argument, describeType(value), 'an integer above 0')
}

/** Checks that a value is a number; `NaN` would be compared as if there were no limit. */
export function checkLimit(value: unknown, argument: string): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  return throwInvalidType(argument, value, 'a number')
}

/** Checks a time-out: a whole number of milliseconds, or `Infinity` for none. */
export function checkTimeout(value: unknown, argument: string): number {
  if (value === Infinity || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return value
  return throwInvalidValue(
    argument,
    describeType(value),
    'a whole number of milliseconds above 0, or Infinity',
  )
}

/** Throws the error for a cursor that no page contained. */
export function throwInvalidCursor(): never {
  return throwInvalidValue('cursor', 'an invalid cursor', 'a cursor returned with a page')
}
