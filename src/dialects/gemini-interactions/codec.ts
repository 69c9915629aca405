import { formatSseEvent } from '../../wire/sse.ts'
import { type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { validationRules } from './constants.ts'
import { errorCodec } from './errors.ts'
import { encodeMessage } from './messages.ts'
import { convertHostedPair } from './provider-tools.ts'
import { decodeRequest, getEndpoint, requestWriter } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { createStreamReader, endEventTypes, wireEventType } from './stream-reader.ts'
import { createStreamWriter } from './stream-writer.ts'
import { encodeTools } from './tools.ts'

const DONE_DATA = '[DONE]'

export const codec: DialectCodec<'gemini-interactions'> = {
  name: 'gemini-interactions',
  rules: validationRules,
  decodeRequest,
  requestWriter,
  decodeResponse,
  encodeResponse,
  convertHostedPair,
  encodeMessage,
  encodeTools,
  decodeUsage,
  decodeFinish,
  endpoint: getEndpoint,
  errors: errorCodec,
  stream: {
    createReader: createStreamReader,
    createWriter: createStreamWriter,
    wireEventType,
    endEventTypes,
    framing: {
      ...createSseFraming({ getEventName, doneData: DONE_DATA }),
      end: formatSseEvent({ event: 'done', data: DONE_DATA }),
    },
  },
}

/** Returns the name of the SSE event, which its payload repeats. */
function getEventName({ event_type: type }: JsonObject): string {
  return readStringOrEmpty(type)
}
