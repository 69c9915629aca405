import type { Codec } from '../define.ts'
import { sseOrArray } from '../framing.ts'
import { endpoint } from './endpoint.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeFinish } from './finish.ts'
import { encodeMessage } from './fragments.ts'
import { decodeRequest, requests } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { rules } from './rules.ts'
import { streamWriter } from './stream-writer.ts'
import { kindOf, streamReader } from './stream.ts'
import { encodeTools } from './tools.ts'
import { decodeUsage } from './usage.ts'

/** How this dialect reads and writes each thing. */
export const codec: Codec = {
  name: 'gemini',
  rules,
  decodeRequest,
  requests,
  decodeResponse,
  encodeResponse,
  encodeMessage,
  encodeTools,
  decodeUsage,
  decodeFinish,
  endpoint,
  decodeError,
  encodeError,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    framing: sseOrArray,
    readError: errorFromEvent,
    writeError: errorToEvent,
  },
}
