import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { DIALECT_SLOT } from './constants.ts'
import { errorCodec } from './errors.ts'
import { encodeMessage } from './messages.ts'
import { decodeRequest, getEndpoint, requestWriter } from './request.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamReader, wireEventType } from './stream-reader.ts'
import { createStreamWriter } from './stream-writer.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'cohere'> = {
  name: DIALECT_SLOT,
  rules: [],
  decodeRequest,
  requestWriter,
  decodeResponse,
  encodeResponse,
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
    endEventTypes: new Set(['message-end']),
    omitsModel: true,
    framing: createSseFraming({
      getEventName: ({ type }) => (typeof type === 'string' ? type : undefined),
      doneData: '[DONE]',
    }),
  },
}
