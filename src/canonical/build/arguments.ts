import { frozenCopy, remembering } from '../../wire/frozen.ts'
import { equalJson, isObject, type JsonObject } from '../../wire/json.ts'
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
export function readArguments(text: string): CallArguments {
  if (text === '') return { arguments: Object.freeze({}), rawArguments: text }
  const value = parseObject(text)
  if (value === undefined) return { invalidArguments: text }
  return textOf(value) === text ? { arguments: value } : { arguments: value, rawArguments: text }
}

/** The text of arguments, which come back with each turn. */
const textOf = remembering((value: JsonObject) => JSON.stringify(value))

/**
 * The text to send for a call's arguments: the text that came while it still says the same, else a fresh encoding.
 *
 * @example
 * argumentsText(toolCall({ name: 'weather', arguments: { city: 'Oslo' } })) // '{"city":"Oslo"}'
 */
export function argumentsText(call: CallArguments): string {
  if (call.invalidArguments !== undefined) return call.invalidArguments
  const { arguments: value = {}, rawArguments: raw } = call
  if (raw !== undefined && equalJson(readArguments(raw).arguments, value)) return raw
  return textOf(value)
}

/** Arguments as a caller gives them: an object, or the text that a provider sent. */
export function toArguments(input: JsonObject | string | undefined): CallArguments {
  return typeof input === 'string' ? readArguments(input) : { arguments: frozenCopy(input ?? {}) }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (frozenCopy(value) as JsonObject) : undefined
  } catch {
    return undefined // not JSON, or too deep to be held as data: the text itself is kept
  }
}
