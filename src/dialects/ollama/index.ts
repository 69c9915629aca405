import type { Codec } from '../define.ts'
import { ndjson } from '../framing.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'

/** Ollama's own API. */
export const ollama: Codec = {
  name: 'ollama',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  endpoint: () => ({ path: '/api/chat' }),
  decodeError,
  encodeError,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    framing: ndjson,
    readError: errorFromEvent,
    writeError: errorToEvent,
  },
}
