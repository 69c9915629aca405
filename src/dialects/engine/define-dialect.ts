import type { Rule } from '../../canonical/check/rule.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { copyUsageToMessages } from '../../canonical/stream/message-usage.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { DecodeOptions, Dialect, DialectName, EncodeOptions, Endpoint } from './dialect.ts'
import { type EncodeContext, encodeWithLosses } from './encode-context.ts'
import { toWellFormedText } from './well-formed-text.ts'
import { reportForeignResidue } from './report-foreign-residue.ts'
import { encodeRequestText } from './encode-request-text.ts'
import { checkRole, encodeRequest, type RequestWriter } from './encode-request.ts'
import type { ErrorCodec } from './error-codec.ts'
import { decodeStream, encodeStream, type StreamCodec } from './stream.ts'

/** The parts of a dialect that differ from format to format. */
export interface DialectCodec {
  readonly name: DialectName
  readonly rules: readonly Rule[]
  decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest
  readonly requestWriter: RequestWriter
  decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse
  encodeResponse(response: ChatResponse, context: EncodeContext): JsonObject
  encodeMessage(message: Message, path: undefined, context: EncodeContext): readonly JsonObject[]
  encodeTools(tools: readonly Tool[], path: undefined, context: EncodeContext): readonly JsonObject[]
  decodeUsage(wire: Json | undefined): Usage | undefined
  decodeFinish(wire: Json | undefined): Finish | undefined
  endpoint(request: ChatRequest, options: EncodeOptions): Endpoint
  readonly decodeError: ErrorCodec['decodeError']
  readonly encodeError: ErrorCodec['encodeError']
  readonly stream: Omit<StreamCodec, 'slot'>
}

const NO_LOSSES = Object.freeze([])

/** Builds a dialect from its codec. */
export function defineDialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody>(
  codec: DialectCodec,
): Dialect<RequestBody, ResponseBody, StreamingBody, NonStreamingBody> {
  const { name, rules } = codec
  const stream = getStreamCodec(codec)
  return {
    name,
    rules,
    decodeRequest: (wire, options = {}) =>
      Object.freeze({ value: codec.decodeRequest(wire, options), losses: NO_LOSSES }),
    encodeRequest: (request: ChatRequest, options: EncodeOptions = {}) =>
      encodeWithLosses(name, options, (context) => castToBody(encodeRequest(codec, request, context))),
    encodeRequestText: (request, options = {}) => encodeRequestText(codec, request, options),
    decodeResponse: (wire, options = {}) =>
      Object.freeze({ value: copyUsageToMessages(codec.decodeResponse(wire, options)), losses: NO_LOSSES }),
    encodeResponse: (response, options = {}) =>
      encodeWithLosses(name, options, (context) =>
        castToBody(codec.encodeResponse(toWellFormedText(response, undefined, context), context)),
      ),
    decodeStream: (source, options = {}) => decodeStream(stream, source, options),
    encodeStream: (events, options = {}) => encodeStream(stream, events, options),
    encodeMessage: (message, options = {}) =>
      encodeWithLosses(name, options, (context) => {
        checkRole(message)
        reportForeignResidue(message, name, 'request', context)
        return codec.encodeMessage(toWellFormedText(message, undefined, context), undefined, context)
      }),
    encodeTools: (tools, options = {}) =>
      encodeWithLosses(name, options, (context) => {
        reportForeignResidue(tools, name, 'request', context)
        return codec.encodeTools(toWellFormedText(tools, undefined, context), undefined, context)
      }),
    decodeUsage: (wire) => codec.decodeUsage(wire as Json),
    decodeFinish: (wire) => codec.decodeFinish(wire as Json),
    endpoint: (request, options = {}) => codec.endpoint(request, options),
    decodeError: codec.decodeError,
    encodeError: codec.encodeError,
  }
}

/**
 * Casts an encoded body to its wire type. This is the only cast: encoders build JSON that may contain residue of any
 * shape (opaque blocks, unknown fields, a request without its model), so its type cannot be checked statically.
 */
function castToBody(wire: JsonObject): never {
  return wire as never
}

/** Returns the codec of the dialect's streams. */
export function getStreamCodec({ name, stream }: DialectCodec): StreamCodec {
  return { ...stream, slot: name }
}
