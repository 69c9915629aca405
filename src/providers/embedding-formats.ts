import type { EmbeddingFormat } from '../client/embedding-model.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { EmbeddingStyle, ProviderRow } from './provider-row.ts'

/** The list below a key, or nothing. */
function readList(answer: Json, key: string): readonly unknown[] {
  const list = isObject(answer) ? answer[key] : undefined
  return Array.isArray(list) ? list : []
}

/** The number at a path, if there is one. */
function readNumberAtPath(answer: unknown, [key, ...rest]: readonly string[]): number | undefined {
  if (key === undefined) return typeof answer === 'number' ? answer : undefined
  return isObject(answer) ? readNumberAtPath(answer[key], rest) : undefined
}

const geminiTaskTypes = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' } as const

/** A name of a model of Google's as its resource. */
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
  // Their order is not promised; each says where it belongs.
  readVectors: (answer) =>
    readList(answer, 'data')
      .map((item, position) => ({ item, at: readNumberAtPath(item, ['index']) ?? position }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => (isObject(item) ? item['embedding'] : undefined)),
  readTokenCount: (answer) => readNumberAtPath(answer, ['usage', 'prompt_tokens']),
})

/** How hosts are asked for vectors, by style. */
export const embeddingFormats: { readonly [style in EmbeddingStyle]: EmbeddingFormat } = {
  openai: createOpenAIFormat('dimensions'),
  mistral: createOpenAIFormat('output_dimension'),
  gemini: {
    buildPath: (model) =>
      `/v1beta/models/${encodeURIComponent(toModelResource(model).slice(7))}:batchEmbedContents`,
    buildBody: (model, texts, { dimensions, purpose }) => ({
      requests: texts.map((text): JsonObject => ({
        model: toModelResource(model),
        content: { role: 'user', parts: [{ text }] },
        ...(purpose !== undefined && { taskType: geminiTaskTypes[purpose] }),
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      })),
    }),
    readVectors: (answer) =>
      readList(answer, 'embeddings').map((item) => (isObject(item) ? item['values'] : undefined)),
    readTokenCount: (answer) => readNumberAtPath(answer, ['usageMetadata', 'promptTokenCount']),
  },
  ollama: {
    buildPath: () => '/api/embed',
    buildBody: (model, input, { dimensions }) => ({
      model,
      input,
      ...(dimensions !== undefined && { dimensions }),
    }),
    readVectors: (answer) => readList(answer, 'embeddings'),
    readTokenCount: (answer) => readNumberAtPath(answer, ['prompt_eval_count']),
  },
}

/** It embeds each text by itself, and has no limit: with so many at a time it can be told how far it is. */
const OLLAMA_MAX_TEXTS = 256

type EmbeddingHost =
  | 'openai'
  | 'gemini'
  | 'mistral'
  | 'fireworks'
  | 'ollama'
  | 'ollamaCompatible'
  | 'compatible'

/** What hosts take, and how much of it in one request. */
export const embeddingSupport: { readonly [host in EmbeddingHost]: NonNullable<ProviderRow['embedding']> } = {
  /**
   * Azure takes as many inputs.
   * @see https://platform.openai.com/docs/api-reference/embeddings/create (2026)
   */
  openai: { style: 'openai', maxTexts: 2048, maxTokens: 300_000 },
  /** The number of its error: at most 100 requests can be in one batch (2026). */
  gemini: { style: 'gemini', maxTexts: 100 },
  /** The numbers of its errors: too many inputs, which are 257 and more; too many tokens in batch (2026). */
  mistral: { style: 'mistral', maxTexts: 256, maxTokens: 16_384 },
  /** The number that LangChain's integration of it states (2026). */
  fireworks: { style: 'openai', maxTexts: 8 },
  ollama: { style: 'ollama', maxTexts: OLLAMA_MAX_TEXTS },
  ollamaCompatible: { style: 'openai', maxTexts: OLLAMA_MAX_TEXTS },
  /**
   * Hosts that state no limit get as many texts as a server takes that has one by default, Text Embeddings Inference.
   * @see https://huggingface.co/docs/text-embeddings-inference/cli_arguments (2026)
   */
  compatible: { style: 'openai', maxTexts: 32 },
}
