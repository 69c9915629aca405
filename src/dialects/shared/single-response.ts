import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, type Slot, withResidue } from '../engine/residue-slots.ts'
import { reportDroppedCandidates, type ResponseMetadata } from './response-metadata.ts'

/** Creates a response with one message. */
export function createResponse(
  { origin: _origin, ...metadata }: ResponseMetadata,
  message: AssistantMessage,
  usage: Usage | undefined,
): ChatResponse {
  return { ...metadata, candidates: [freezeOwned(message)], ...(usage !== undefined && { usage }) }
}

/** Decodes and encodes the responses of a format. */
export interface ResponseCodec {
  readonly decodeResponse: (body: ReceivedBody, options: DecodeOptions) => ChatResponse
  readonly encodeResponse: (response: ChatResponse, context: EncodeContext) => JsonObject
}

/** Writes a response without residue; a decoder passes the `received` body, whose blocks are passed through. */
type ResponseWriter = (response: ChatResponse, context: EncodeContext, received?: ReceivedBody) => JsonObject

/** Creates the codec of responses with one candidate from functions that neither keep nor apply residue. */
export function createSingleResponseCodec(
  slot: Slot<never>,
  decode: ResponseCodec['decodeResponse'],
  write: ResponseWriter,
): ResponseCodec {
  return {
    decodeResponse: (body, options) => {
      const response = decode(body, options)
      if (options.exact === false) return response
      return withResidue(response, slot, write(response, noReport, body), body)
    },
    encodeResponse: (response, context) => {
      reportDroppedCandidates(response, context)
      return applyResidue(write(response, context), response, slot)
    },
  }
}
