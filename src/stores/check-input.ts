import { throwInvalid } from '../canonical/shape/shape.ts'
import { describeType } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'

/** Maximum length of an id or label; fits the index of every backend. */
const MAX_NAME_LENGTH = 256

/** Matches a lone surrogate or NUL, which PostgreSQL cannot store. */
const UNSTORABLE_PATTERN = /\p{Cs}|\0/u

/** Replaces characters that a backend cannot store. */
export function replaceUnstorable(text: string): string {
  return text.replaceAll(new RegExp(UNSTORABLE_PATTERN, 'gu'), '\ufffd')
}

/** Checks an id, tenant, section or label: a non-empty string that every backend can store. */
export function checkName(value: unknown, what: string): string {
  const text = checkText(value, what)
  return text === ''
    ? throwInvalid('invalid-value', child(undefined, what), 'an empty string', 'a name')
    : text
}

/** Checks a title or search text; may be empty. */
export function checkText(value: unknown, what: string): string {
  const path = child(undefined, what)
  if (typeof value !== 'string') return throwInvalid('invalid-type', path, describeType(value), 'a string')
  if (value.length > MAX_NAME_LENGTH) {
    return throwInvalid(
      'invalid-value',
      path,
      `${value.length} characters`,
      `at most ${MAX_NAME_LENGTH} characters`,
    )
  }
  return UNSTORABLE_PATTERN.test(value)
    ? throwInvalid(
        'invalid-value',
        path,
        'a string with characters that cannot be stored',
        'well-formed Unicode without NUL',
      )
    : value
}

/** Checks that a value is an array; a string would be iterated by character. */
export function checkList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  return throwInvalid('invalid-type', child(undefined, what), describeType(value), 'a list')
}

/** Checks that a value is a positive integer. */
export function checkCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return throwInvalid('invalid-value', child(undefined, what), describeType(value), 'an integer above 0')
}
