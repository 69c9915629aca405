import {
  stringifyArguments,
  type CallArguments,
  parseArguments,
} from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { type JsonObject, isObject, type Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, toBodyValue } from '../engine/encode-context.ts'
import type { ArgumentsDeltaEvent } from '../../canonical/model/event.ts'
import { createLimitError, resolveStreamLimits, type StreamLimits } from '../../wire/stream-limits.ts'
import { createPartialJsonParser } from '../../wire/partial-json-parser.ts'

/** The streamed arguments of one call. Each piece becomes an event with the value so far. */
export class StreamArgumentsReader {
  readonly #json = createPartialJsonParser()
  readonly #limit: number
  #length = 0

  constructor(limits?: StreamLimits) {
    this.#limit = resolveStreamLimits(limits).maxArgumentsChars
  }

  /** Returns the event of the next piece; throws if the arguments exceed the limit. */
  append(index: number, json: string): ArgumentsDeltaEvent {
    this.#length += json.length
    assertArgumentsLength(this.#length, this.#limit)
    this.#json.push(json)
    const { value } = this.#json
    return { type: 'arguments-delta', index, json, ...(value !== undefined && { value }) }
  }

  /** True if the object is complete: only white space may follow. */
  get isComplete(): boolean {
    return this.#json.isComplete
  }
}

/** Throws if the arguments of a streamed call exceed the limit. */
export function assertArgumentsLength(length: number, maxChars: number): void {
  if (length > maxChars) throw createLimitError('arguments-too-large', maxChars)
}

/** The schema of a tool without arguments. */
export const noArgumentsSchema: JsonObject = { type: 'object', properties: {} }

/** The schema of the function that replaces a custom tool, whose input is free text, in other dialects. */
export const textInputSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const NO_ARGUMENTS: CallArguments = Object.freeze({ arguments: Object.freeze({}) })

/**
 * Decodes the arguments of a call. Some hosts send an object where the format has JSON text, or the reverse;
 * a call without arguments may have none. Returns undefined for any other value.
 */
export function decodeArguments(wire: Json | undefined): CallArguments | undefined {
  if (typeof wire === 'string') return parseArguments(wire)
  if (isObject(wire)) return { arguments: wire }
  return wire === undefined || wire === null ? NO_ARGUMENTS : undefined
}

/** Decodes the free text of a call to a custom tool. */
export function decodeTextInput(input: Json | undefined): CallArguments | undefined {
  return typeof input === 'string' ? { arguments: { input } } : undefined
}

/** Returns the arguments of a call as an object; invalid arguments text is wrapped. */
export function encodeObjectArguments(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (call.invalidArguments !== undefined)
    context.report('invalid-arguments', child(path, 'invalidArguments'))
  else if (hasRoundedNumber(call)) context.report('rounded-number', child(path, 'arguments'))
  return toBodyValue(call.arguments ?? { INVALID_JSON: call.invalidArguments ?? '' }, context)
}

/** Matches strings, to skip them, and integers. */
const numberTokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g

/** Returns true if an integer in the received text has more digits than a JavaScript number can represent. */
function hasRoundedNumber(call: ToolCallPart): boolean {
  if (call.rawArguments === undefined || !/\d{16}/.test(call.rawArguments)) return false
  const numbers = stringifyArguments(call).match(numberTokens) ?? []
  return numbers.some((token) => !token.startsWith('"') && BigInt(token) !== BigInt(Number(token)))
}
