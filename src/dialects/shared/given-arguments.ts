import { type CallArguments, readArguments } from '../../canonical/build/arguments.ts'
import { isObject, type Json } from '../../wire/json.ts'

const NONE: CallArguments = Object.freeze({ arguments: Object.freeze({}) })

/**
 * What a call is given, in whichever form its host sends it: formats that have text get objects from some hosts, and the
 * reverse; a call without arguments may have none at all. Undefined for what is nothing of that.
 */
export function givenArguments(given: Json | undefined): CallArguments | undefined {
  if (typeof given === 'string') return readArguments(given)
  if (isObject(given)) return { arguments: given }
  return given === undefined || given === null ? NONE : undefined
}

/** What a custom tool is given: free text. */
export function givenInput(input: Json | undefined): CallArguments | undefined {
  return typeof input === 'string' ? { arguments: { input } } : undefined
}
