import type { JsonObject } from '../../wire/json.ts'
import type { Dialect } from '../dialect.ts'
import { encodeWith } from '../encoding.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'

/**
 * OpenAI's Chat Completions API, and what speaks it.
 *
 * @example
 * const { value, losses } = openaiChat.encodeRequest({ model: 'gpt-…', messages: Messages.of('Hello') })
 */
export const openaiChat: Dialect<JsonObject, JsonObject> = {
  name: 'openai-chat',
  decodeRequest: (wire, options = {}) =>
    Object.freeze({ value: decodeRequest(wire, options), losses: Object.freeze([]) }),
  encodeRequest: (request, options = {}) =>
    encodeWith(losses, options, (encoding) => encodeRequest(request, encoding)),
  decodeResponse: (wire, options = {}) =>
    Object.freeze({ value: decodeResponse(wire, options), losses: Object.freeze([]) }),
  encodeResponse: (response, options = {}) =>
    encodeWith(losses, options, (encoding) => encodeResponse(response, encoding)),
}
