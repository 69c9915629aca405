import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { createCallIdRule, createToolNameRule } from '../shared/validation-rules.ts'
import { getHints } from '../engine/residue-slots.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './messages.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamWriter } from './stream-writer.ts'
import { wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools, getCallHints } from './tools.ts'

export const codec: DialectCodec<'openai-chat'> = {
  name: 'openai-chat',
  rules: [createCallIdRule(callIdRule), createToolNameRule(toolNameRule)],
  decodeRequest,
  requestWriter,
  getCallHints,
  getSingleCallForm: (request) =>
    getHints(request, DIALECT_SLOT)['legacyFunctions'] === true ? { wireType: 'function_call' } : undefined,
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
