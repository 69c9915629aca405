import type { Counting } from '../client/counting.ts'
import type { Endpoint } from '../dialects/dialect.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { CountStyle } from './row.ts'

/** A body with only those fields that the count takes. */
function picked(body: JsonObject, keys: string): JsonObject {
  const taken = new Set(keys.split(' '))
  return Object.fromEntries(Object.entries(body).filter(([key]) => taken.has(key)))
}

const readAt = (key: string) => (answer: Json) => {
  const count = isObject(answer) ? answer[key] : undefined
  return typeof count === 'number' ? count : undefined
}

const counted = ({ path }: Endpoint): string => path.replace(/:generateContent$/, ':countTokens')

/** How hosts count tokens, by style. */
export const countings: { readonly [style in CountStyle]: Counting } = {
  anthropic: {
    path: () => '/v1/messages/count_tokens',
    body: (body) =>
      picked(body, 'messages model cache_control output_config speed system thinking tool_choice tools'),
    read: readAt('input_tokens'),
  },
  'openai-responses': {
    path: () => '/responses/input_tokens',
    body: (body) =>
      picked(
        body,
        'input instructions model parallel_tool_calls reasoning text tool_choice tools truncation',
      ),
    read: readAt('input_tokens'),
  },
  gemini: {
    path: counted,
    // Beside a bare conversation there is no place for system text and tools.
    body: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
    read: readAt('totalTokens'),
  },
  vertex: {
    path: counted,
    body: (body) => picked(body, 'contents systemInstruction tools generationConfig'),
    read: readAt('totalTokens'),
  },
}
