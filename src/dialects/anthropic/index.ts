import type { Codec } from '../define.ts'
import { readError, writeError } from '../shared/stream-errors.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import { losses } from './rules.ts'
import { kindOf, streamReader, streamWriter } from './stream.ts'

/** Anthropic's Messages API. */
export const anthropic: Codec = {
  name: 'anthropic',
  losses,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  stream: {
    reader: streamReader,
    writer: streamWriter,
    kindOf,
    nameOf: kindOf,
    readError,
    writeError: (error) => ({ type: 'error', error: writeError(error) }),
  },
}
