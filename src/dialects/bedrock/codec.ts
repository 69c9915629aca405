import type { DialectCodec } from '../engine/define-dialect.ts'
import { awsEventStreamFraming } from '../engine/aws-event-stream-framing.ts'
import { validationRules } from './constants.ts'
import { errorCodec } from './errors.ts'
import { encodeMessage } from './message-fragments.ts'
import { decodeRequest, getEndpoint, requestWriter } from './request.ts'
import { decodeFinish, decodeUsage } from './response-metadata.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { createStreamReader, wireEventType } from './stream-reader.ts'
import { createStreamWriter } from './stream-writer.ts'
import { encodeTools } from './tools.ts'

export const codec: DialectCodec<'bedrock'> = {
  name: 'bedrock',
  rules: validationRules,
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
    endEventTypes: new Set(['messageStop']),
    omitsModel: true,
    framing: awsEventStreamFraming,
  },
}
