import type { Codec } from '../define.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'

/** OpenAI's Responses API. */
export const openaiResponses: Codec = {
  name: 'openai-responses',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  endpoint: () => ({ path: '/responses' }),
  decodeError,
  encodeError,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    nameOf: kindOf,
    readError: errorFromEvent,
    writeError: errorToEvent,
  },
}
