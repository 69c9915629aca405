import type { EmbedFormat } from '../client/embedding-model.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { EmbedStyle, ProviderRow } from './row.ts'

/** The list below a key, or nothing. */
function listIn(answer: Json, key: string): readonly unknown[] {
  const list = isObject(answer) ? answer[key] : undefined
  return Array.isArray(list) ? list : []
}

/** The number at a path, if there is one. */
function numberAt(answer: unknown, [key, ...rest]: readonly string[]): number | undefined {
  if (key === undefined) return typeof answer === 'number' ? answer : undefined
  return isObject(answer) ? numberAt(answer[key], rest) : undefined
}

const tasks = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' } as const

/** A name of a model of Google's as its resource. */
function resource(model: string): string {
  return model.startsWith('models/') ? model : `models/${model}`
}

const openai = (dimensionsKey: string): EmbedFormat => ({
  path: () => '/embeddings',
  body: (model, input, { dimensions }) => ({
    model,
    input,
    ...(dimensions !== undefined && { [dimensionsKey]: dimensions }),
  }),
  // Their order is not promised; each says where it belongs.
  vectors: (answer) =>
    listIn(answer, 'data')
      .map((item, position) => ({ item, at: numberAt(item, ['index']) ?? position }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => (isObject(item) ? item['embedding'] : undefined)),
  tokens: (answer) => numberAt(answer, ['usage', 'prompt_tokens']),
})

/** How hosts are asked for vectors, by style. */
export const embedFormats: { readonly [style in EmbedStyle]: EmbedFormat } = {
  openai: openai('dimensions'),
  mistral: openai('output_dimension'),
  gemini: {
    path: (model) => `/v1beta/models/${encodeURIComponent(resource(model).slice(7))}:batchEmbedContents`,
    body: (model, texts, { dimensions, purpose }) => ({
      requests: texts.map((text): JsonObject => ({
        model: resource(model),
        content: { role: 'user', parts: [{ text }] },
        ...(purpose !== undefined && { taskType: tasks[purpose] }),
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      })),
    }),
    vectors: (answer) =>
      listIn(answer, 'embeddings').map((item) => (isObject(item) ? item['values'] : undefined)),
    tokens: (answer) => numberAt(answer, ['usageMetadata', 'promptTokenCount']),
  },
  ollama: {
    path: () => '/api/embed',
    body: (model, input, { dimensions }) => ({
      model,
      input,
      ...(dimensions !== undefined && { dimensions }),
    }),
    vectors: (answer) => listIn(answer, 'embeddings'),
    tokens: (answer) => numberAt(answer, ['prompt_eval_count']),
  },
}

/** It embeds each text by itself, and has no limit: with so many at a time it can be told how far it is. */
const OLLAMA_BATCH = 256

type EmbedHost = 'openai' | 'gemini' | 'mistral' | 'fireworks' | 'ollama' | 'ollamaCompatible' | 'compatible'

/** What hosts take, and how much of it in one request. */
export const embeddings: { readonly [host in EmbedHost]: NonNullable<ProviderRow['embed']> } = {
  /**
   * Azure takes as many inputs.
   * @see https://platform.openai.com/docs/api-reference/embeddings/create (2026)
   */
  openai: { style: 'openai', batch: 2048, tokens: 300_000 },
  /** The number of its error: at most 100 requests can be in one batch (2026). */
  gemini: { style: 'gemini', batch: 100 },
  /** The numbers of its errors: too many inputs, which are 257 and more; too many tokens in batch (2026). */
  mistral: { style: 'mistral', batch: 256, tokens: 16_384 },
  /** The number that LangChain's integration of it states (2026). */
  fireworks: { style: 'openai', batch: 8 },
  ollama: { style: 'ollama', batch: OLLAMA_BATCH },
  ollamaCompatible: { style: 'openai', batch: OLLAMA_BATCH },
  /**
   * Hosts that state no limit get as many texts as a server takes that has one by default, Text Embeddings Inference.
   * @see https://huggingface.co/docs/text-embeddings-inference/cli_arguments (2026)
   */
  compatible: { style: 'openai', batch: 32 },
}
