import type { Codec } from '../define.ts'
import { sse } from '../framing.ts'
import { cloudEndpoint } from './flavors.ts'
import { decodeError, encodeError, errorFromEvent, errorToEvent } from './errors.ts'
import { encodeMessage } from './fragments.ts'
import { decodeRequest, requests } from './request.ts'
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
  requests,
  decodeResponse,
  encodeResponse,
  encodeMessage,
  encodeTools: (tools, at, encoding) => encodeTools(tools, undefined, at, encoding),
  decodeUsage,
  decodeFinish,
  endpoint: (request, options) =>
    cloudEndpoint(request, options) ?? {
      path: '/v1/messages',
      headers: { 'anthropic-version': options.apiVersion ?? API_VERSION },
    },
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
