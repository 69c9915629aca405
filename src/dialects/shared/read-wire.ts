import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, MAX_JSON_DEPTH, type JsonObject } from '../../wire/json.ts'

/** Returns a string unchanged, and an empty string for any other value. */
export function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the `text` of a wire block, or an empty string. */
export function getBlockText(block: JsonObject | undefined): string {
  return toStringOrEmpty(block?.['text'])
}

/**
 * Returns a received body; throws if it is not an object. Keys with the value `undefined`, which a body from
 * a program may have, are removed as in its JSON text.
 */
export function checkBody(wire: unknown, bodyKind: 'request' | 'response'): { readonly [key: string]: Json } {
  if (isObject(wire)) {
    const body = wire as { readonly [key: string]: Json }
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
