import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { JsonObject } from '../wire/json.ts'
import type { DecodeOptions, Dialect, DialectName } from './dialect.ts'
import { type Encoding, encodeWith, type LossRules } from './encoding.ts'
import { decodeStream, encodeStream, type StreamCodec } from './stream.ts'

/** What a wire format brings: how it reads and writes each thing, and what it may lose. */
export interface Codec {
  readonly name: DialectName
  readonly losses: LossRules
  decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest
  encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject
  decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse
  encodeResponse(response: ChatResponse, encoding: Encoding): JsonObject
  readonly stream: Omit<StreamCodec, 'slot' | 'losses'>
}

const NO_LOSSES = Object.freeze([])

/** A dialect from what its folder brings. */
export function defineDialect(codec: Codec): Dialect<JsonObject, JsonObject> {
  const { name, losses } = codec
  const stream = streamOf(codec)
  return {
    name,
    decodeRequest: (wire, options = {}) =>
      Object.freeze({ value: codec.decodeRequest(wire, options), losses: NO_LOSSES }),
    encodeRequest: (request, options = {}) =>
      encodeWith(losses, options, (encoding) => codec.encodeRequest(request, encoding)),
    decodeResponse: (wire, options = {}) =>
      Object.freeze({ value: codec.decodeResponse(wire, options), losses: NO_LOSSES }),
    encodeResponse: (response, options = {}) =>
      encodeWith(losses, options, (encoding) => codec.encodeResponse(response, encoding)),
    decodeStream: (source, options = {}) => decodeStream(stream, source, options),
    encodeStream: (events, options = {}) => encodeStream(stream, events, options),
  }
}

/** The streaming half of a codec. */
export function streamOf({ name, losses, stream }: Codec): StreamCodec {
  return { ...stream, slot: name, losses }
}
