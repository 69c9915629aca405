import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, MAX_JSON_DEPTH, type JsonObject } from '../../wire/json.ts'

/** A text, or the empty one for anything else. */
export function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The `text` of a wire block; nothing where it has none. */
export function getBlockText(block: JsonObject | undefined): string {
  return toStringOrEmpty(block?.['text'])
}

/**
 * A body that came over the wire, or the error that it is none. One that a program made may have keys with nothing behind
 * them: its JSON text has no such keys, and neither has what is read.
 */
export function checkBody(wire: unknown, bodyKind: 'request' | 'response'): { readonly [key: string]: Json } {
  if (isObject(wire)) {
    const body = wire as { readonly [key: string]: Json }
    return hasUndefined(body, 0) ? freezeCopy(body) : body
  }
  const found = describeType(wire)
  throw new InterlinguaError('invalid-type', `A ${bodyKind} must be an object, not ${found}`, {
    path: '',
    found,
    expected: 'an object',
    hint: 'Parse the JSON text of the body first.',
  })
}

/** Whether a value somewhere holds nothing at all; what nests too deeply is left to the copy, which refuses it. */
function hasUndefined(value: object, depth: number): boolean {
  if (depth > MAX_JSON_DEPTH) return true
  for (const each of Object.values(value)) {
    if (each === undefined) return true
    if (typeof each === 'object' && each !== null && hasUndefined(each as object, depth + 1)) return true
  }
  return false
}
