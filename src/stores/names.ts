import { fail } from '../canonical/shape/shape.ts'
import { describe } from '../wire/json.ts'
import { below } from '../wire/pointer.ts'

/** Long enough for any honest id, short enough for every backend's index. */
const MAX_LENGTH = 256

/** A lone half of a surrogate pair, or the character that PostgreSQL's texts cannot hold. */
const unstorable = /\p{Cs}|\0/u

/** A text that every backend can hold, whatever it was. */
export function storable(text: string): string {
  return text.replaceAll(new RegExp(unstorable, 'gu'), '\ufffd')
}

/** An id, a tenant, a section, a label: some text that every backend can hold. */
export function checkName(value: unknown, what: string): string {
  const text = checkText(value, what)
  return text === '' ? fail('invalid-value', below(undefined, what), 'an empty string', 'a name') : text
}

/** A title or a search: may be empty. */
export function checkText(value: unknown, what: string): string {
  const at = below(undefined, what)
  if (typeof value !== 'string') return fail('invalid-type', at, describe(value), 'a string')
  if (value.length > MAX_LENGTH) {
    return fail('invalid-value', at, `${value.length} characters`, `at most ${MAX_LENGTH} characters`)
  }
  return unstorable.test(value)
    ? fail(
        'invalid-value',
        at,
        'a text with characters that cannot be stored',
        'well-formed text without NUL',
      )
    : value
}

/** Several of something; a text would be taken for its letters. */
export function checkList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  return fail('invalid-type', below(undefined, what), describe(value), 'a list')
}

/** A number of things to give: whole, and at least one. */
export function checkCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return fail('invalid-value', below(undefined, what), describe(value), 'a whole number above 0')
}
