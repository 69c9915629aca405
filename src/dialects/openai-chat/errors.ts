import { isObject } from '../../wire/json.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'
import { openaiErrorKindRows } from '../shared/openai-common.ts'

export const errorCodec: ErrorCodec = createErrorCodec({
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
