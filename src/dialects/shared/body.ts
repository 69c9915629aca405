import { InterlinguaError } from '../../errors.ts'
import { describe, isObject, type Json } from '../../wire/json.ts'

/** A body that came over the wire, or the error that it is none. */
export function bodyOf(wire: unknown, what: 'request' | 'response'): { readonly [key: string]: Json } {
  if (isObject(wire)) return wire as { readonly [key: string]: Json }
  const found = describe(wire)
  throw new InterlinguaError('invalid-type', `A ${what} must be an object, not ${found}`, {
    path: '',
    found,
    expected: 'an object',
    hint: 'Parse the JSON text of the body first.',
  })
}
