import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, type JsonObject, MAX_JSON_DEPTH } from '../../wire/json.ts'

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
  return Array.isArray(value)
    ? value.some((item) => isUndefinedInside(item, depth))
    : hasUndefinedKey(value as JsonObject, depth)
}

/** Allocates no list: every body is walked. */
function hasUndefinedKey(value: JsonObject, depth: number): boolean {
  for (const key in value) if (isUndefinedInside(value[key], depth) && Object.hasOwn(value, key)) return true
  return false
}

function isUndefinedInside(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined
  return hasUndefined(value, depth + 1)
}
