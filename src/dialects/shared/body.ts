import { InterlinguaError } from '../../errors.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { describe, isObject, type Json, MAX_DEPTH } from '../../wire/json.ts'

/**
 * A body that came over the wire, or the error that it is none. One that a program made may have keys with nothing behind
 * them: its JSON text has no such keys, and neither has what is read.
 */
export function bodyOf(wire: unknown, what: 'request' | 'response'): { readonly [key: string]: Json } {
  if (isObject(wire)) {
    const body = wire as { readonly [key: string]: Json }
    return hasNothing(body, 0) ? frozenCopy(body) : body
  }
  const found = describe(wire)
  throw new InterlinguaError('invalid-type', `A ${what} must be an object, not ${found}`, {
    path: '',
    found,
    expected: 'an object',
    hint: 'Parse the JSON text of the body first.',
  })
}

/** Whether a value somewhere holds nothing at all; what nests too deeply is left to the copy, which refuses it. */
function hasNothing(value: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return true
  for (const each of Object.values(value)) {
    if (each === undefined) return true
    if (typeof each === 'object' && each !== null && hasNothing(each as object, depth + 1)) return true
  }
  return false
}
