import type { EmbedFormat } from '../client/embedding-model.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { EmbedStyle } from './row.ts'

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
