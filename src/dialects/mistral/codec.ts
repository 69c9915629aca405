import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { createCallIdRule, createToolNameRule } from '../shared/validation-rules.ts'
import { callIdRule, toolNameRule } from './constants.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './messages.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamWriter } from './stream-writer.ts'
import { wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'mistral'> = {
  name: 'mistral',
  rules: [createCallIdRule(callIdRule), createToolNameRule(toolNameRule)],
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
    framing: createSseFraming({ doneData: '[DONE]' }),
  },
}
