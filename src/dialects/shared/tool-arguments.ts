import {
  stringifyArguments,
  type CallArguments,
  parseArguments,
} from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { type JsonObject, isObject, type Json } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** A tool without arguments, as schema. */
export const noArgumentsSchema: JsonObject = { type: 'object', properties: {} }

/** A custom tool takes free text: elsewhere that is a function of one string. */
export const textInputSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

const NO_ARGUMENTS: CallArguments = Object.freeze({ arguments: Object.freeze({}) })

/**
 * What a call is given, in whichever form its host sends it: formats that have text get objects from some hosts, and the
 * reverse; a call without arguments may have none at all. Undefined for what is nothing of that.
 */
export function decodeArguments(given: Json | undefined): CallArguments | undefined {
  if (typeof given === 'string') return parseArguments(given)
  if (isObject(given)) return { arguments: given }
  return given === undefined || given === null ? NO_ARGUMENTS : undefined
}

/** What a custom tool is given: free text. */
export function decodeTextInput(input: Json | undefined): CallArguments | undefined {
  return typeof input === 'string' ? { arguments: { input } } : undefined
}

/** The arguments of a call for a format that has them as an object: text that was none is wrapped. */
export function encodeObjectArguments(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (call.invalidArguments !== undefined)
    context.report('invalid-arguments', child(path, 'invalidArguments'))
  else if (hasRoundedNumber(call)) context.report('rounded-number', child(path, 'arguments'))
  return call.arguments ?? { INVALID_JSON: call.invalidArguments ?? '' }
}

/** Strings, which are passed over, and whole numbers. */
const numberTokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g

/** Whether a whole number of the text that came has more digits than a JavaScript number keeps. */
function hasRoundedNumber(call: ToolCallPart): boolean {
  if (call.rawArguments === undefined || !/\d{16}/.test(call.rawArguments)) return false
  const numbers = stringifyArguments(call).match(numberTokens) ?? []
  return numbers.some((token) => !token.startsWith('"') && BigInt(token) !== BigInt(Number(token)))
}
