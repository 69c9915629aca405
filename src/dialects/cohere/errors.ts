import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { createDefaultErrorCodec, defaultKindRows } from '../engine/default-errors.ts'
import type { ErrorCodec } from '../engine/error-codec.ts'

/**
 * The errors of the API: `{ message }`, and `error` at the end of a stream. Status and phrases determine the kind; the encoder
 * adds a type and a code, which clients ignore.
 * @see https://docs.cohere.com/reference/errors
 */
export const errorCodec: ErrorCodec = createDefaultErrorCodec('cohere', {
  idHeader: 'x-debug-trace-id',
  kindRows: { ...defaultKindRows, authentication: [[401, 498], defaultKindRows.authentication[1]] },
  codeKinds: [['TIMEOUT', 'timeout']],
  phraseKinds: [
    ['too many tokens', 'context-overflow'],
    ['exceeds the maximum', 'context-overflow'],
  ],
  // Proxies send errors in the form of other formats.
  isEvent: (value) =>
    Boolean(value['error']) ||
    (value['type'] === 'message-end' && readEnd(value as JsonObject)?.message !== undefined),
  // An answer has an object as its message.
  isBody: ({ message }) => typeof message === 'string',
  readOwnFields: (body) => (isObject(body) ? (readEnd(body) ?? readText(body['message'], 'message')) : {}),
  writeBody: ({ message, type, code }) => ({ message, ...omitUndefined({ type, code }) }),
  writeEvent: ({ message, type, code }) => ({
    type: 'message-end',
    delta: {
      finish_reason: 'ERROR',
      error: message,
      ...omitUndefined({ error_type: type, error_code: code }),
    },
  }),
})

/** Reads the error at the end of a stream; its type is the finish reason, unless it has one. */
function readEnd({ type: event, delta }: JsonObject): ErrorTexts | undefined {
  if (event !== 'message-end' || !isObject(delta)) return undefined
  const { error, error_type: type, error_code: code, finish_reason: reason } = delta
  return {
    ...readText(error, 'message'),
    ...readText(reason, 'type'),
    ...readText(type, 'type'),
    ...readText(code, 'providerCode'),
  }
}

type ErrorTexts = { readonly [key in 'message' | 'type' | 'providerCode']?: string }

function readText(value: Json | undefined, key: keyof ErrorTexts): ErrorTexts {
  return typeof value === 'string' ? { [key]: value } : {}
}
