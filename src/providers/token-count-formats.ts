import type { TokenCountFormat } from '../client/dialect-model.ts'
import type { Endpoint } from '../dialects/engine/dialect.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { CountStyle } from './provider-row.ts'

/** Returns the fields of a body that the count endpoint accepts. */
function pickFields(body: JsonObject, keys: string): JsonObject {
  const accepted = new Set(keys.split(' '))
  return Object.fromEntries(Object.entries(body).filter(([key]) => accepted.has(key)))
}

const readNumberAt = (key: string) => (body: Json) => {
  const count = isObject(body) ? body[key] : undefined
  return typeof count === 'number' ? count : undefined
}

const toCountTokensPath = ({ path }: Endpoint): string => path.replace(/:generateContent$/, ':countTokens')

/** The formats of token counting endpoints, by style. */
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
    // The short form of this endpoint accepts neither a system instruction nor tools.
    buildBody: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
    readCount: readNumberAt('totalTokens'),
  },
  vertex: {
    buildPath: toCountTokensPath,
    buildBody: (body) => pickFields(body, 'contents systemInstruction tools generationConfig'),
    readCount: readNumberAt('totalTokens'),
  },
}
