import type { Codec } from '../define.ts'
import { sse } from '../framing.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'

/** OpenAI's Chat Completions API, and what speaks it. */
export const openaiChat: Codec = {
  name: 'openai-chat',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  endpoint: () => ({ path: '/chat/completions' }),
  decodeError,
  encodeError,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    framing: sse({ done: '[DONE]' }),
    readError: errorFromEvent,
    writeError: errorToEvent,
  },
}
