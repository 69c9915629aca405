import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { type ElementLimits, resolveStreamLimits, type StreamLimits } from '../../wire/stream-limits.ts'
import { checkListLengths, exceedsElementLimit, findSmallestLimit } from './element-limits.ts'

/** A received body, which is a JSON object. */
export type ReceivedBody = { readonly [key: string]: Json }

/** What a walk over a body finds, in the order of importance. */
const NOTHING = 0
/** A list exceeds the limit for its key. */
const HAS_LONG_LIST = 1
/** A value contains `undefined`, or is so deep that the copy refuses it. The walk ends there: the body may have cycles. */
const MUST_BE_COPIED = 2

/**
 * Returns a received body; throws if it is not an object, or if a list has more elements than the limits allow: each costs more
 * than its bytes. Keys with the value `undefined`, which a body from a program may have, are removed as in its JSON text.
 */
export function checkBody(
  wire: unknown,
  bodyKind: 'request' | 'response',
  limits: StreamLimits | undefined,
): ReceivedBody {
  if (!isObject(wire)) throw createBodyTypeError(wire, bodyKind)
  const resolved = resolveStreamLimits(limits)
  const findings = inspect(wire, resolved, findSmallestLimit(resolved), 0)
  const body = (findings === MUST_BE_COPIED ? freezeCopy(wire) : wire) as ReceivedBody
  if (findings !== NOTHING) checkListLengths(body, resolved)
  return body
}

/**
 * Decodes a body. A value that is not JSON is found where the decoder copies it, so the error of the body itself replaces that
 * of the copy: its path is that of the caller.
 */
export function decodeBody<Decoded>(body: ReceivedBody, decode: (body: ReceivedBody) => Decoded): Decoded {
  try {
    return decode(body)
  } catch (error) {
    if (error instanceof InterlinguaError && error.code === 'not-json') freezeCopy(body)
    throw error
  }
}

function createBodyTypeError(wire: unknown, bodyKind: string): InterlinguaError {
  const found = describeType(wire)
  return new InterlinguaError('invalid-type', `The ${bodyKind} body is ${found}; it must be a JSON object`, {
    path: '',
    found,
    expected: 'an object',
    hint: 'Pass the parsed body: call `JSON.parse` on its text first.',
  })
}

/** Allocates nothing: every body is walked. A list of `shortLength` is within every limit. */
function inspect(value: object, limits: Required<ElementLimits>, shortLength: number, depth: number): number {
  if (depth > MAX_JSON_DEPTH) return MUST_BE_COPIED
  let found = NOTHING
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && found !== MUST_BE_COPIED; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && item !== null)
        found = Math.max(found, inspect(item, limits, shortLength, depth + 1))
      else if (item === undefined && index in value) found = MUST_BE_COPIED
    }
    return found
  }
  for (const key in value) {
    const item = (value as { readonly [key: string]: unknown })[key]
    if (typeof item === 'object' && item !== null) {
      found = Math.max(found, inspect(item, limits, shortLength, depth + 1))
      if (Array.isArray(item) && item.length > shortLength && exceedsElementLimit(key, item.length, limits))
        found = Math.max(found, HAS_LONG_LIST)
    } else if (item === undefined && Object.hasOwn(value, key)) found = MUST_BE_COPIED
    if (found === MUST_BE_COPIED) break
  }
  return found
}
