import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { createDefaultErrorCodec, defaultKindRows } from '../engine/default-errors.ts'
import type { ErrorCodec } from '../engine/error-codec.ts'

/**
 * The errors of the API: `{ message }`, and `error` at the end of a stream.
 * @see https://docs.cohere.com/reference/errors
 */
export const errors: ErrorCodec = createDefaultErrorCodec('cohere', {
  idHeader: 'x-debug-trace-id',
  kindRows: { ...defaultKindRows, authentication: [[401, 498], defaultKindRows.authentication[1]] },
  phraseKinds: [
    ['too many tokens', 'context-overflow'],
    ['exceeds the maximum', 'context-overflow'],
  ],
  // Proxies send errors in the form of other formats.
  isEvent: (value) =>
    Boolean(value['error']) ||
    (value['type'] === 'message-end' && readStreamError(value as JsonObject) !== undefined),
  readOwnFields(body) {
    const text = readStreamError(isObject(body) ? body : {})
    const message = isObject(body) && typeof body['message'] === 'string' ? body['message'] : text
    return message === undefined ? {} : { message }
  },
  writeBody: ({ message }) => ({ message }),
  writeEvent: ({ message }) => ({ type: 'message-end', delta: { finish_reason: 'ERROR', error: message } }),
})

function readStreamError({ delta }: JsonObject): string | undefined {
  const error = isObject(delta) ? (delta as { readonly error?: Json }).error : undefined
  return typeof error === 'string' ? error : undefined
}
