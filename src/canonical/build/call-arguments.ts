import { freezeCopy } from '../../wire/frozen-json.ts'
import { memoizeFrozen } from '../../wire/memoize.ts'
import { isEqualJson, isObject, type JsonObject } from '../../wire/json.ts'
import type { ToolCallPart } from '../model/part.ts'

/** The three fields in which a call keeps what it was given. */
export type CallArguments = Pick<ToolCallPart, 'arguments' | 'rawArguments' | 'invalidArguments'>

/**
 * Reads the text of a call's arguments. What is not a JSON object is kept verbatim and never becomes `{}`;
 * the empty text, which some hosts send for a call without arguments, means `{}`.
 *
 * @example
 * readArguments('{"city": "Oslo"}') // { arguments: { city: 'Oslo' }, rawArguments: '{"city": "Oslo"}' }
 * readArguments('{"city": ')        // { invalidArguments: '{"city": ' }
 */
export function parseArguments(text: string): CallArguments {
  if (text === '') return { arguments: Object.freeze({}), rawArguments: text }
  const value = parseObject(text)
  if (value === undefined) return { invalidArguments: text }
  return stringifyObject(value) === text ? { arguments: value } : { arguments: value, rawArguments: text }
}

/** The text of arguments, which come back with each turn. */
const stringifyObject = memoizeFrozen((value: JsonObject) => JSON.stringify(value))

/**
 * The text to send for a call's arguments: the text that came while it still says the same, else a fresh encoding.
 *
 * @example
 * argumentsText(toolCall({ name: 'weather', arguments: { city: 'Oslo' } })) // '{"city":"Oslo"}'
 */
export function stringifyArguments(call: CallArguments): string {
  if (call.invalidArguments !== undefined) return call.invalidArguments
  const { arguments: value = {}, rawArguments: raw } = call
  if (raw !== undefined && isEqualJson(parseArguments(raw).arguments, value)) return raw
  return stringifyObject(value)
}

/** Arguments as a caller gives them: an object, or the text that a provider sent. */
export function normalizeArguments(input: JsonObject | string | undefined): CallArguments {
  return typeof input === 'string' ? parseArguments(input) : { arguments: freezeCopy(input ?? {}) }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (freezeCopy(value) as JsonObject) : undefined
  } catch {
    return undefined // not JSON, or too deep to be held as data: the text itself is kept
  }
}
