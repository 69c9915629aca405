import { argumentsText } from '../../canonical/build/arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'

/** The arguments of a call for a format that has them as an object: text that was none is wrapped. */
export function objectArguments(call: ToolCallPart, at: Path | undefined, encoding: Encoding): JsonObject {
  if (call.invalidArguments !== undefined) encoding.lose('invalid-arguments', below(at, 'invalidArguments'))
  else if (isRounded(call)) encoding.lose('rounded-number', below(at, 'arguments'))
  return call.arguments ?? { INVALID_JSON: call.invalidArguments ?? '' }
}

/** Strings, which are passed over, and whole numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g

/** Whether a whole number of the text that came has more digits than a JavaScript number keeps. */
function isRounded(call: ToolCallPart): boolean {
  if (call.rawArguments === undefined || !/\d{16}/.test(call.rawArguments)) return false
  const numbers = argumentsText(call).match(tokens) ?? []
  return numbers.some((token) => !token.startsWith('"') && BigInt(token) !== BigInt(Number(token)))
}
