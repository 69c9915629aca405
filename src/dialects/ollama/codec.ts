import type { DialectCodec } from '../engine/define-dialect.ts'
import { ndjsonFraming } from '../engine/stream-framing.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './messages.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamWriter } from './stream-writer.ts'
import { wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'ollama'> = {
  name: 'ollama',
  rules: [], // ids and names are free, and turns may have any order
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
    framing: ndjsonFraming,
  },
}
