import { isObject } from '../../wire/json.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'
import { openaiErrorKindRows } from '../shared/openai-common.ts'

const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'openai-chat',
  idHeader: 'x-request-id',
  kindRows: openaiErrorKindRows,
  codeKinds: [
    ['model_not_found', 'not-found'],
    ['DeploymentNotFound', 'not-found'], // Azure
    ['string_above_max_length', 'too-large'],
    ['exceed_context_size_error', 'context-overflow'], // llama.cpp
    ['content_policy_violation', 'content-filter'],
    ['slow_down', 'overloaded'],
    // Hosts of other vendors' models forward the error types of those vendors.
    ['authentication_error', 'authentication'],
    ['permission_error', 'permission'],
    ['not_found_error', 'not-found'],
    ['billing_error', 'quota'],
    ['timeout_error', 'timeout'],
    ['overloaded_error', 'overloaded'],
  ],
  phraseKinds: [
    ['maximum context length', 'context-overflow'], // OpenAI, OpenRouter, vLLM, Mistral
    ['exceeds the context window', 'context-overflow'], // OpenAI
    ['reduce the length of the messages', 'context-overflow'], // Groq
    ['maximum prompt length is', 'context-overflow'], // xAI
    ['available context size', 'context-overflow'], // llama.cpp
    ['greater than the context length', 'context-overflow'], // LM Studio
    ['context window exceeds limit', 'context-overflow'], // MiniMax
    ['exceeded model token limit', 'context-overflow'], // Moonshot
    ['exceeds the maximum number of tokens', 'context-overflow'], // Gemini
    ['prompt is too long', 'context-overflow'], // Claude behind another host, Fireworks
    ['`inputs` tokens + `max_new_tokens`', 'context-overflow'], // Together, Text Generation Inference
    ['content management policy', 'content-filter'], // Azure
  ],
  isEvent: ({ error, object, type, x_groq: groq }) =>
    Boolean(error) || object === 'error' || type === 'error' || (isObject(groq) && Boolean(groq['error'])),
  writeBody: ({ message, type, code = null, param = null }) => ({ error: { message, type, param, code } }),
})

/**
 * Decodes an error response of OpenAI or a compatible host. It never throws: every body results in an error.
 *
 * @example
 * const error = decodeError(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } })
 * error.kind // 'quota'
 * error.retryable // false
 */
export const decodeError: ErrorCodec['decodeError'] = errorCodec.decodeError

/**
 * Encodes an error in OpenAI's format: the received body if it was in this format, else a new one.
 *
 * @example
 * const { status, body } = encodeError(new ProviderError('Too long', { kind: 'context-overflow' }))
 * status // 400
 * body // { error: { message: 'Too long', type: 'invalid_request_error', param: null, code: 'context_length_exceeded' } }
 */
export const encodeError: ErrorCodec['encodeError'] = errorCodec.encodeError

/**
 * Decodes the error in a chunk of a stream; returns undefined for any other chunk.
 *
 * @example
 * decodeErrorEvent({ error: { message: 'Provider returned error', code: 502 } })?.kind // 'server'
 * decodeErrorEvent({ object: 'chat.completion.chunk', choices: [] }) // undefined
 */
export const decodeErrorEvent: ErrorCodec['decodeErrorEvent'] = errorCodec.decodeErrorEvent

/**
 * Encodes an error as the chunk that ends a stream; no `[DONE]` follows it.
 *
 * @example
 * encodeErrorEvent(new ProviderError('Failed', { kind: 'server' }))
 * // { error: { message: 'Failed', type: 'server_error', param: null, code: null } }
 */
export const encodeErrorEvent: ErrorCodec['encodeErrorEvent'] = errorCodec.encodeErrorEvent
