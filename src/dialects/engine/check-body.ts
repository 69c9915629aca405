import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, MAX_JSON_DEPTH } from '../../wire/json.ts'

/** A received body, which is a JSON object. */
export type ReceivedBody = { readonly [key: string]: Json }

/**
 * Returns a received body; throws if it is not an object. Keys with the value `undefined`, which a body from
 * a program may have, are removed as in its JSON text.
 */
export function checkBody(wire: unknown, bodyKind: 'request' | 'response'): ReceivedBody {
  if (isObject(wire)) {
    const body = wire as ReceivedBody
    return hasUndefined(body, 0) ? freezeCopy(body) : body
  }
  const found = describeType(wire)
  throw new InterlinguaError('invalid-type', `The ${bodyKind} body is ${found}; it must be a JSON object`, {
    path: '',
    found,
    expected: 'an object',
    hint: 'Pass the parsed body: call `JSON.parse` on its text first.',
  })
}

/** Returns true if a value contains `undefined`, or is so deep that the copy refuses it. */
function hasUndefined(value: object, depth: number): boolean {
  if (depth > MAX_JSON_DEPTH) return true
  for (const each of Object.values(value)) {
    if (each === undefined) return true
    if (typeof each === 'object' && each !== null && hasUndefined(each as object, depth + 1)) return true
  }
  return false
}
