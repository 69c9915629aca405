import { encodePathSegment } from '../wire/urls.ts'
import type { TokenCountFormat } from '../client/dialect-model.ts'
import type { EmbeddingFormat } from '../client/embedding-model.ts'
import type { Endpoint } from '../dialects/engine/dialect.ts'
import { isObject, omitUndefined, type Json, type JsonObject } from '../wire/json.ts'
import type { TokenCountStyle, EmbeddingStyle } from './provider-row.ts'

/** Returns the number at a path, if there is one. */
function readNumberAtPath(body: unknown, [key, ...rest]: readonly string[]): number | undefined {
  if (key === undefined) return typeof body === 'number' ? body : undefined
  return isObject(body) ? readNumberAtPath(body[key], rest) : undefined
}

/** Returns the fields of a body that the count endpoint accepts. */
function pick(body: JsonObject, keys: string): JsonObject {
  const accepted = new Set(keys.split(' '))
  return Object.fromEntries(Object.entries(body).filter(([key]) => accepted.has(key)))
}

const toCountTokensPath = ({ path }: Endpoint): string => path.replace(/:generateContent$/, ':countTokens')

/** The formats of token counting endpoints, by style. */
export const tokenCountFormats: { readonly [style in TokenCountStyle]: TokenCountFormat } = {
  anthropic: {
    buildPath: () => '/v1/messages/count_tokens',
    buildBody: (body) =>
      pick(body, 'messages model cache_control output_config speed system thinking tool_choice tools'),
    readCount: (body) => readNumberAtPath(body, ['input_tokens']),
  },
  'openai-responses': {
    buildPath: () => '/responses/input_tokens',
    buildBody: (body) =>
      pick(body, 'input instructions model parallel_tool_calls reasoning text tool_choice tools truncation'),
    readCount: (body) => readNumberAtPath(body, ['input_tokens']),
  },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html
  bedrock: {
    buildPath: ({ path }) => path.replace(/\/converse(?:-stream)?$/, '/count-tokens'),
    buildBody: (body) => ({
      input: { converse: pick(body, 'messages system toolConfig additionalModelRequestFields') },
    }),
    readCount: (body) => readNumberAtPath(body, ['inputTokens']),
  },
  gemini: {
    buildPath: toCountTokensPath,
    // The short form of this endpoint accepts neither a system instruction nor tools.
    buildBody: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
    readCount: (body) => readNumberAtPath(body, ['totalTokens']),
  },
  vertex: {
    buildPath: toCountTokensPath,
    buildBody: (body) => pick(body, 'contents systemInstruction tools generationConfig'),
    readCount: (body) => readNumberAtPath(body, ['totalTokens']),
  },
}

/** Returns the list under a key; empty if none exists. */
function readList(body: Json, key: string): readonly unknown[] {
  const list = isObject(body) ? body[key] : undefined
  return Array.isArray(list) ? list : []
}

const geminiTaskTypes = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' } as const

/** Returns the resource name of a Google model. */
function toModelResource(model: string): string {
  return model.startsWith('models/') ? model : `models/${model}`
}

const createOpenAIFormat = (dimensionsKey: string): EmbeddingFormat => ({
  buildPath: () => '/embeddings',
  buildBody: (model, input, { dimensions }) => ({
    model,
    input,
    ...(dimensions !== undefined && { [dimensionsKey]: dimensions }),
  }),
  // The order is not guaranteed; each item has its index.
  readVectors: (body) =>
    readList(body, 'data')
      .map((item, position) => ({ item, index: readNumberAtPath(item, ['index']) ?? position }))
      .toSorted((a, b) => a.index - b.index)
      .map(({ item }) => (isObject(item) ? item['embedding'] : undefined)),
  readTokenCount: (body) => readNumberAtPath(body, ['usage', 'prompt_tokens']),
})

/** The formats of embedding requests, by style. */
export const embeddingFormats: { readonly [style in EmbeddingStyle]: EmbeddingFormat } = {
  openai: createOpenAIFormat('dimensions'),
  mistral: createOpenAIFormat('output_dimension'),
  gemini: {
    buildPath: (model) =>
      `/v1beta/models/${encodePathSegment(toModelResource(model).slice(7), '/model')}:batchEmbedContents`,
    buildBody: (model, texts, { dimensions, purpose }) => ({
      requests: texts.map((text): JsonObject => ({
        model: toModelResource(model),
        content: { role: 'user', parts: [{ text }] },
        ...(purpose !== undefined && { taskType: geminiTaskTypes[purpose] }),
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      })),
    }),
    readVectors: (body) =>
      readList(body, 'embeddings').map((item) => (isObject(item) ? item['values'] : undefined)),
    readTokenCount: (body) => readNumberAtPath(body, ['usageMetadata', 'promptTokenCount']),
  },
  ollama: {
    buildPath: () => '/api/embed',
    buildBody: (model, input, { dimensions }) => ({ model, input, ...omitUndefined({ dimensions }) }),
    readVectors: (body) => readList(body, 'embeddings'),
    readTokenCount: (body) => readNumberAtPath(body, ['prompt_eval_count']),
  },
  cohere: {
    buildPath: () => '/v2/embed',
    // The API requires a purpose and the types of the numbers.
    buildBody: (model, texts, { dimensions, purpose = 'document' }) => ({
      model,
      texts,
      input_type: `search_${purpose}`,
      embedding_types: ['float'],
      ...(dimensions !== undefined && { output_dimension: dimensions }),
    }),
    readVectors: (body) => readList(isObject(body) ? (body['embeddings'] ?? null) : null, 'float'),
    readTokenCount: (body) => readNumberAtPath(body, ['meta', 'billed_units', 'input_tokens']),
  },
}
