import type { Codec } from '../define.ts'
import { sseOrArray } from '../framing.ts'
import { endpoint } from './endpoint.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'

/** Google's generateContent and streamGenerateContent. */
export const gemini: Codec = {
  name: 'gemini',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
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
