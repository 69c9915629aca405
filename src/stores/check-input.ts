import { throwInvalid } from '../canonical/shape/shape.ts'
import { describeType } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'

/** Long enough for any honest id, short enough for every backend's index. */
const MAX_NAME_LENGTH = 256

/** A lone half of a surrogate pair, or the character that PostgreSQL's texts cannot hold. */
const UNSTORABLE_PATTERN = /\p{Cs}|\0/u

/** A text that every backend can hold, whatever it was. */
export function replaceUnstorable(text: string): string {
  return text.replaceAll(new RegExp(UNSTORABLE_PATTERN, 'gu'), '\ufffd')
}

/** An id, a tenant, a section, a label: some text that every backend can hold. */
export function checkName(value: unknown, what: string): string {
  const text = checkText(value, what)
  return text === ''
    ? throwInvalid('invalid-value', child(undefined, what), 'an empty string', 'a name')
    : text
}

/** A title or a search: may be empty. */
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
        'a text with characters that cannot be stored',
        'well-formed text without NUL',
      )
    : value
}

/** Several of something; a text would be taken for its letters. */
export function checkList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  return throwInvalid('invalid-type', child(undefined, what), describeType(value), 'a list')
}

/** A number of things to give: whole, and at least one. */
export function checkCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return throwInvalid('invalid-value', child(undefined, what), describeType(value), 'a whole number above 0')
}
