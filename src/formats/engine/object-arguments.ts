import { parseArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'
import { isReadFrom } from './keep-unknown-values.ts'

/** Reads arguments that are an object. PHP writes an empty list for an object without keys. */
export function readObjectArguments(
  given: Json | undefined,
): Pick<ToolCallPart, 'arguments' | 'rawArguments' | 'invalidArguments'> {
  if (isObject(given)) return { arguments: given }
  const isEmpty = given === undefined || given === null || (Array.isArray(given) && given.length === 0)
  if (isEmpty) return { arguments: {} }
  return typeof given === 'string' ? parseArguments(given) : { invalidArguments: JSON.stringify(given) }
}

/** Writes arguments as an object; invalid ones become the field `input` of one, unless they were read from the slot. */
export function writeObjectArguments(
  call: ToolCallPart,
  slot: string,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  if (call.invalidArguments === undefined) return call.arguments ?? {}
  if (!isReadFrom(call, slot)) report.add('arguments-wrapped', child(path, 'invalidArguments'))
  return { input: call.invalidArguments }
}

/** Returns the arguments of a call as JSON: text that is not an object stays a text, as {@link readObjectArguments} reads it. */
export function toJsonArguments({ arguments: input = {}, invalidArguments }: ToolCallPart): Json {
  if (invalidArguments === undefined) return input
  return parseArguments(invalidArguments).arguments ?? invalidArguments
}
