import type { JsonObject } from '../../wire/json.ts'
import type { Dialect } from '../dialect.ts'
import { encodeWith } from '../encoding.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'

/**
 * Anthropic's Messages API.
 *
 * @example
 * const { value, losses } = anthropic.encodeRequest({ model: 'claude-…', messages: Messages.of('Hello') })
 */
export const anthropic: Dialect<JsonObject, JsonObject> = {
  name: 'anthropic',
  decodeRequest: (wire, options = {}) =>
    Object.freeze({ value: decodeRequest(wire, options), losses: Object.freeze([]) }),
  encodeRequest: (request, options = {}) =>
    encodeWith(losses, options, (encoding) => encodeRequest(request, encoding)),
  decodeResponse: (wire, options = {}) =>
    Object.freeze({ value: decodeResponse(wire, options), losses: Object.freeze([]) }),
  encodeResponse: (response, options = {}) =>
    encodeWith(losses, options, (encoding) => encodeResponse(response, encoding)),
}
