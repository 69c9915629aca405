import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { convertHostedPair } from './tool-results.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './message-fragments.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { validationRules } from './constants.ts'
import { createStreamWriter } from './stream-writer.ts'
import { wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'anthropic'> = {
  name: 'anthropic',
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
    endEventTypes: new Set(['message_stop']),
    framing: createSseFraming({ getEventName: wireEventType }),
  },
}
