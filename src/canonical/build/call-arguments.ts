import { freezeCopy, freezeParsed } from '../../wire/frozen-json.ts'
import { memoizeFrozen } from '../../wire/memoize.ts'
import { isEqualJson, isObject, type JsonObject } from '../../wire/json.ts'
import type { ToolCallPart } from '../model/part.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** The fields of a tool call that hold its arguments. */
export type CallArguments = Pick<ToolCallPart, 'arguments' | 'rawArguments' | 'invalidArguments'>

/**
 * Parses the argument text of a tool call. Text that is not a JSON object is kept as `invalidArguments` and never
 * becomes `{}`. The empty text, which some hosts send for a call without arguments, means `{}`.
 *
 * @example
 * parseArguments('{"city": "Oslo"}') // { arguments: { city: 'Oslo' }, rawArguments: '{"city": "Oslo"}' }
 * parseArguments('{"city": ')        // { invalidArguments: '{"city": ' }
 */
export function parseArguments(text: string): CallArguments {
  if (text === '') return { arguments: Object.freeze({}), rawArguments: text }
  const value = parseObject(text)
  if (value === undefined) return { invalidArguments: text }
  // Not remembered: most arguments that are parsed are not written as text again.
  return JSON.stringify(value) === text ? { arguments: value } : { arguments: value, rawArguments: text }
}

/** Returns the JSON text of arguments. That of frozen ones is cached, since it is sent again with every turn. */
export const stringifyFrozenArguments: (value: JsonObject) => string = memoizeFrozen((value: JsonObject) =>
  JSON.stringify(value),
)

/**
 * Returns the argument text of a tool call: the provider's own text while it still has the same meaning.
 *
 * @example
 * stringifyArguments(toolCall({ name: 'weather', arguments: { city: 'Oslo' } })) // '{"city":"Oslo"}'
 */
export function stringifyArguments(call: CallArguments): string {
  return withTypedErrors(() => {
    if (call.invalidArguments !== undefined) return call.invalidArguments
    const { arguments: value = {}, rawArguments: raw } = call
    if (raw !== undefined && isEqualJson(parseArguments(raw).arguments, value)) return raw
    return stringifyFrozenArguments(value)
  }, [call])
}

/** Arguments as callers pass them: an object, or the text that a provider sent. */
export function normalizeArguments(input: JsonObject | string | undefined): CallArguments {
  return typeof input === 'string' ? parseArguments(input) : { arguments: freezeCopy(input ?? {}) }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (freezeParsed(value) as JsonObject) : undefined
  } catch {
    return undefined // Not JSON, or nested too deeply to be parsed: the text is kept.
  }
}
