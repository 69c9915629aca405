import type { JsonObject } from '../../wire/json.ts'

/** A tool without arguments, as schema. */
export const noArguments: JsonObject = { type: 'object', properties: {} }

/** A custom tool takes free text: elsewhere that is a function of one string. */
export const textInput: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}
