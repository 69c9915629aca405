import { type CallArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import { isObject, type Json, tryParseJson } from '../../wire/json.ts'

/**
 * Reads arguments that are a JSON value: an object, or what the model sent instead. Libraries keep a text only if it is not
 * JSON, so a text such as `86` is the value of a JSON string.
 */
export function readJsonArguments(given: Json | undefined): CallArguments {
  if (isObject(given)) return { arguments: given }
  if (given === undefined || given === null) return { arguments: {} }
  return typeof given === 'string' && !isQuoted(given)
    ? parseArguments(given)
    : { invalidArguments: JSON.stringify(given) }
}

/** Writes arguments as the JSON value that {@link readJsonArguments} reads. */
export function writeJsonArguments({ arguments: given = {}, invalidArguments }: CallArguments): Json {
  if (invalidArguments === undefined) return given
  const value = tryParseJson(invalidArguments)
  if (value === undefined) return invalidArguments
  return typeof value === 'string' && !isQuoted(value) ? invalidArguments : value
}

/** Returns true for a text that is JSON, but neither an object nor a text: a model must have sent it in quotes. */
function isQuoted(text: string): boolean {
  const value = tryParseJson(text)
  return value !== undefined && typeof value !== 'string' && !isObject(value)
}
