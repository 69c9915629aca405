import type { Codec } from '../define.ts'
import { sse } from '../framing.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { encodeMessage } from './messages.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeFinish, decodeResponse, encodeResponse } from './response.ts'
import { losses, rules } from './rules.ts'
import { API_VERSION } from './settings.ts'
import { kindOf, streamReader } from './stream.ts'
import { streamWriter } from './stream-writer.ts'
import { encodeTools } from './tools.ts'
import { decodeUsage } from './usage.ts'

/** Anthropic's Messages API. */
export const anthropic: Codec = {
  name: 'anthropic',
  losses,
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  encodeMessage,
  encodeTools: (tools, at, encoding) => encodeTools(tools, undefined, at, encoding),
  decodeUsage,
  decodeFinish,
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
