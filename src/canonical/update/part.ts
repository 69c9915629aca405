import type { JsonObject } from '../../wire/json.ts'
import { normalizeArguments } from '../build/call-arguments.ts'
import type { Part, ToolCallPart } from '../model/part.ts'
import { partShape } from '../shape/part.ts'
import { readCanonicalValue } from '../shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/**
 * Returns the part with fields changed, or removed by `undefined`. A signature is not sent with changed content.
 *
 * @example
 * updatePart(text('Hello'), { cache: { ttl: 'long' } })
 */
export function updatePart<T extends Part>(
  part: T,
  changes: { readonly [K in Exclude<keyof T, 'type'>]?: T[K] | undefined },
): T {
  return withTypedErrors(() => readCanonicalValue(partShape, { ...part, ...changes }) as T, [part, changes])
}

/**
 * Returns the tool call with other arguments: an object, or the text that a provider sent.
 *
 * @example
 * withArguments(call, { city: 'Rome' })
 */
export function withArguments(call: ToolCallPart, given: JsonObject | string): ToolCallPart {
  return withTypedErrors(() => {
    const none = { arguments: undefined, rawArguments: undefined, invalidArguments: undefined }
    return updatePart(call, { ...none, ...normalizeArguments(given) })
  }, [call, given])
}
