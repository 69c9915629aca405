import type { TokenCountFormat } from '../client/dialect-model.ts'
import type { Endpoint } from '../dialects/engine/dialect.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { CountStyle } from './provider-row.ts'

/** A body with only those fields that the count takes. */
function pickFields(body: JsonObject, keys: string): JsonObject {
  const taken = new Set(keys.split(' '))
  return Object.fromEntries(Object.entries(body).filter(([key]) => taken.has(key)))
}

const readNumberAt = (key: string) => (answer: Json) => {
  const count = isObject(answer) ? answer[key] : undefined
  return typeof count === 'number' ? count : undefined
}

const toCountTokensPath = ({ path }: Endpoint): string => path.replace(/:generateContent$/, ':countTokens')

/** How hosts count tokens, by style. */
export const tokenCountFormats: { readonly [style in CountStyle]: TokenCountFormat } = {
  anthropic: {
    buildPath: () => '/v1/messages/count_tokens',
    buildBody: (body) =>
      pickFields(body, 'messages model cache_control output_config speed system thinking tool_choice tools'),
    readCount: readNumberAt('input_tokens'),
  },
  'openai-responses': {
    buildPath: () => '/responses/input_tokens',
    buildBody: (body) =>
      pickFields(
        body,
        'input instructions model parallel_tool_calls reasoning text tool_choice tools truncation',
      ),
    readCount: readNumberAt('input_tokens'),
  },
  gemini: {
    buildPath: toCountTokensPath,
    // Beside a bare conversation there is no place for system text and tools.
    buildBody: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
    readCount: readNumberAt('totalTokens'),
  },
  vertex: {
    buildPath: toCountTokensPath,
    buildBody: (body) => pickFields(body, 'contents systemInstruction tools generationConfig'),
    readCount: readNumberAt('totalTokens'),
  },
}
