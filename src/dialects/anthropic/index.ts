import type { Codec } from '../define.ts'
import { sse } from '../framing.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { API_VERSION } from './settings.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'

/** Anthropic's Messages API. */
export const anthropic: Codec = {
  name: 'anthropic',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  endpoint: (_request, { apiVersion = API_VERSION }) => ({
    path: '/v1/messages',
    headers: { 'anthropic-version': apiVersion },
  }),
  decodeError,
  encodeError,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    framing: sse({ nameOf: kindOf }),
    readError: errorFromEvent,
    writeError: errorToEvent,
  },
}
