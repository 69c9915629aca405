import type { DialectCodec } from '../engine/define-dialect.ts'
import { createSseFraming } from '../engine/stream-framing.ts'
import { createCallIdRule, createToolNameRule } from '../shared/validation-rules.ts'
import { callIdRule, toolNameRule } from './constants.ts'
import { getEndpoint, decodeRequest, requestWriter } from './request.ts'
import { errorCodec } from './errors.ts'
import { getHostStreamForm } from './fit-host.ts'
import { convertHostedPair } from './provider-results.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { encodeMessage } from './messages.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamWriter } from './stream-writer.ts'
import { endEventTypes, wireEventType, createStreamReader } from './stream-reader.ts'
import { encodeTools, getCallHints } from './tools.ts'

// Some hosts end a stream with `[DONE]`, like Chat Completions: it is accepted but not written.
const { end: _end, ...framing } = createSseFraming({ getEventName: wireEventType, doneData: '[DONE]' })

export const codec: DialectCodec<'openai-responses'> = {
  name: 'openai-responses',
  rules: [createCallIdRule(callIdRule), createToolNameRule(toolNameRule)],
  decodeRequest,
  requestWriter,
  getCallHints,
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
    framing,
    getHostForm: getHostStreamForm,
  },
}
