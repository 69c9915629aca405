import type { DialectCodec } from '../engine/define-dialect.ts'
import { sseOrJsonArrayFraming } from '../engine/stream-framing.ts'
import { validationRules } from './constants.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { convertHostedPair } from './provider-tools.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './message-fragments.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamWriter } from './stream-writer.ts'
import { wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'gemini'> = {
  name: 'gemini',
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
    framing: sseOrJsonArrayFraming,
  },
}
