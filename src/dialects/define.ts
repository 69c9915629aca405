import type { Rule } from '../canonical/check/rule.ts'
import type { Finish } from '../canonical/model/finish.ts'
import type { Message } from '../canonical/model/message.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Tool } from '../canonical/model/tool.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import type { DecodeOptions, Dialect, DialectName, EncodeOptions, Endpoint } from './dialect.ts'
import { type Encoding, encodeWith } from './encoding.ts'
import { reportForeign } from './foreign.ts'
import { encodeRequestText } from './request-text.ts'
import { checkRole, encodeRequest, type RequestWriter } from './requests.ts'
import type { ErrorCodec } from './shared/errors.ts'
import { decodeStream, encodeStream, type StreamCodec } from './stream.ts'

/** What a wire format brings: how it reads and writes each thing. */
export interface Codec {
  readonly name: DialectName
  readonly rules: readonly Rule[]
  decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest
  readonly requests: RequestWriter
  decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse
  encodeResponse(response: ChatResponse, encoding: Encoding): JsonObject
  encodeMessage(message: Message, at: undefined, encoding: Encoding): readonly JsonObject[]
  encodeTools(tools: readonly Tool[], at: undefined, encoding: Encoding): readonly JsonObject[]
  decodeUsage(wire: Json | undefined): Usage | undefined
  decodeFinish(wire: Json | undefined): Finish | undefined
  endpoint(request: ChatRequest, options: EncodeOptions): Endpoint
  readonly decodeError: ErrorCodec['decodeError']
  readonly encodeError: ErrorCodec['encodeError']
  readonly stream: Omit<StreamCodec, 'slot'>
}

const NO_LOSSES = Object.freeze([])

/** A dialect from what its folder brings, with the types of its bodies. */
export function defineDialect<RequestBody, ResponseBody, Streamed, Whole>(
  codec: Codec,
): Dialect<RequestBody, ResponseBody, Streamed, Whole> {
  const { name, rules } = codec
  const stream = streamOf(codec)
  return {
    name,
    rules,
    decodeRequest: (wire, options = {}) =>
      Object.freeze({ value: codec.decodeRequest(wire, options), losses: NO_LOSSES }),
    encodeRequest: (request: ChatRequest, options: EncodeOptions = {}) =>
      encodeWith(name, options, (encoding) => asBody(encodeRequest(codec, request, encoding))),
    encodeRequestText: (request, options = {}) => encodeRequestText(codec, request, options),
    decodeResponse: (wire, options = {}) =>
      Object.freeze({ value: codec.decodeResponse(wire, options), losses: NO_LOSSES }),
    encodeResponse: (response, options = {}) =>
      encodeWith(name, options, (encoding) => asBody(codec.encodeResponse(response, encoding))),
    decodeStream: (source, options = {}) => decodeStream(stream, source, options),
    encodeStream: (events, options = {}) => encodeStream(stream, events, options),
    encodeMessage: (message, options = {}) =>
      encodeWith(name, options, (encoding) => {
        checkRole(message)
        reportForeign(message, name, 'request', encoding)
        return codec.encodeMessage(message, undefined, encoding)
      }),
    encodeTools: (tools, options = {}) =>
      encodeWith(name, options, (encoding) => {
        reportForeign(tools, name, 'request', encoding)
        return codec.encodeTools(tools, undefined, encoding)
      }),
    decodeUsage: (wire) => codec.decodeUsage(wire as Json),
    decodeFinish: (wire) => codec.decodeFinish(wire as Json),
    endpoint: (request, options = {}) => codec.endpoint(request, options),
    decodeError: codec.decodeError,
    encodeError: codec.encodeError,
  }
}

/**
 * What an encoder wrote, to stand for its body's type. The one cast: encoders build JSON, and put into it whatever they kept
 * of another body (opaque blocks, unknown fields, a request without its model), so no compiler can know its shape.
 */
function asBody(wire: JsonObject): never {
  return wire as never
}

/** The streaming half of a codec. */
export function streamOf({ name, stream }: Codec): StreamCodec {
  return { ...stream, slot: name }
}
