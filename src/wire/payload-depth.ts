import { InterlinguaError } from '../errors.ts'
import { type Json, MAX_JSON_DEPTH } from './json.ts'

/**
 * Returns a payload of a stream; throws if it nests too deep for the functions that read it. The text it was parsed from shows
 * for most payloads that they cannot: each level takes two characters.
 */
export function checkPayloadDepth<T extends Json | undefined>(payload: T, text: string): T {
  if (text.length > 2 * MAX_JSON_DEPTH && isTooDeep(payload)) throw createPayloadDepthError()
  return payload
}

/** Returns true for a value that nests deeper than untrusted JSON may. */
export function isTooDeep(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1))
}

/** Creates the error for a payload that nests too deep. */
export function createPayloadDepthError(): InterlinguaError {
  return new InterlinguaError(
    'too-deep',
    `An element of the stream nests deeper than ${MAX_JSON_DEPTH} levels`,
    {
      found: `more than ${MAX_JSON_DEPTH} levels`,
      expected: `at most ${MAX_JSON_DEPTH} levels`,
      hint: 'No provider sends JSON this deep: check where the stream comes from.',
    },
  )
}
