import type { InterlinguaError, ProviderError } from '../../errors.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'
import { openaiErrorKindRows } from '../shared/openai-common.ts'

const baseErrorCodec: ErrorCodec = createErrorCodec({
  dialect: 'openai-responses',
  idHeader: 'x-request-id',
  kindRows: openaiErrorKindRows,
  codeKinds: [
    ['model_not_found', 'not-found'],
    ['DeploymentNotFound', 'not-found'], // Azure
    ['string_above_max_length', 'too-large'],
    ['image_too_large', 'too-large'],
    ['image_file_too_large', 'too-large'],
    ['invalid_prompt', 'invalid-request'],
    ['invalid_encrypted_content', 'invalid-request'],
    ['image_content_policy_violation', 'content-filter'],
    ['content_policy_violation', 'content-filter'],
    ['bio_policy', 'content-filter'],
    ['misalignment_policy_violation', 'content-filter'],
    ['vector_store_timeout', 'timeout'],
    ['slow_down', 'overloaded'],
  ],
  phraseKinds: [
    ['maximum context length', 'context-overflow'],
    ['exceeds the context window', 'context-overflow'],
    ['maximum prompt length is', 'context-overflow'], // xAI
    ['content management policy', 'content-filter'], // Azure
  ],
  isEvent: ({ type, error }) => type === 'error' || (type === undefined && Boolean(error)),
  writeBody: ({ message, type, code = null, param = null }) => ({ error: { message, type, param, code } }),
})

export const errorCodec: ErrorCodec = {
  ...baseErrorCodec,
  decodeErrorEvent,
  encodeErrorEvent,
  isErrorRepeated,
}

/** Decodes an `error` or `response.failed` event of a stream; returns undefined for any other event. */
function decodeErrorEvent(value: unknown): ProviderError | undefined {
  if (!isObject(value) || value['type'] !== 'response.failed') return baseErrorCodec.decodeErrorEvent(value)
  const { response, sequence_number: number } = value
  const failure = isObject(response) ? response['error'] : undefined
  if (!isObject(failure)) return undefined
  const event = { ...flattenError(failure as JsonObject), sequence_number: number ?? 0 }
  return baseErrorCodec.decodeErrorEvent(event)
}

/** Returns true for an `error` event, after which OpenAI sends `response.failed`. */
function isErrorRepeated(value: unknown): boolean {
  return isObject(value) && value['type'] === 'error'
}

/** Encodes an error as the event that ends a stream. */
function encodeErrorEvent(error: InterlinguaError): JsonObject {
  const made = baseErrorCodec.encodeErrorEvent(error)
  const { type, error: details } = made
  return type === undefined && isObject(details) ? flattenError(details) : made
}

function flattenError({ code = null, message = '', param = null }: JsonObject): JsonObject {
  return { type: 'error', code, message, param, sequence_number: 0 }
}
