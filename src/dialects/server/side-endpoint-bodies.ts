import { toBase64 } from '../../wire/base64.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import type { DialectName } from '../engine/dialect.ts'

/** The form in which a provider describes its models. */
interface ModelFormat {
  readonly describe: (name: string) => JsonObject
  readonly list: (models: readonly JsonObject[], names: readonly string[]) => JsonObject
}

/** When a model was made is unknown to a server in front of it; clients only need a date. */
const CREATED_AT = '2026-01-01T00:00:00Z'

const openAIFormat: ModelFormat = {
  describe: (id) => ({
    id,
    object: 'model',
    created: Date.parse(CREATED_AT) / 1000,
    owned_by: 'interlingua',
  }),
  list: (data) => ({ object: 'list', data: [...data] }),
}

const googleFormat: ModelFormat = {
  describe: (name) => ({
    name: `models/${name}`,
    displayName: name,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }),
  list: (models) => ({ models: [...models] }),
}

const modelFormats: { readonly [dialect in DialectName]: ModelFormat } = {
  anthropic: {
    describe: (id) => ({ type: 'model', id, display_name: id, created_at: CREATED_AT }),
    list: (data, names) => ({
      data: [...data],
      has_more: false,
      first_id: names[0] ?? null,
      last_id: names.at(-1) ?? null,
    }),
  },
  gemini: googleFormat,
  ollama: {
    describe: (name) => ({
      name,
      model: name,
      details: {},
      model_info: {},
      capabilities: ['completion', 'tools'],
    }),
    list: (models) => ({ models: [...models] }),
  },
  'openai-chat': openAIFormat,
  'openai-responses': openAIFormat,
  mistral: openAIFormat,
  'gemini-interactions': googleFormat,
  bedrock: {
    describe: (modelId) => ({ modelId, modelName: modelId, responseStreamingSupported: true }),
    list: (models) => ({ modelSummaries: [...models] }),
  },
  cohere: {
    describe: (name) => ({ name, endpoints: ['chat', 'embed'] }),
    list: (models) => ({ models: [...models] }),
  },
}

/** Writes the description of a model in the form of a provider. */
export function writeModel(dialect: DialectName, name: string): JsonObject {
  return modelFormats[dialect].describe(name)
}

/** Writes the list of models in the form of a provider. */
export function writeModelList(dialect: DialectName, names: readonly string[]): JsonObject {
  const { describe, list } = modelFormats[dialect]
  return list(names.map(describe), names)
}

/** Writes a number of tokens in the form of a provider. */
export function writeTokenCount(dialect: DialectName, tokens: number): JsonObject {
  if (dialect === 'gemini') return { totalTokens: tokens }
  if (dialect === 'bedrock') return { inputTokens: tokens }
  return dialect === 'openai-responses'
    ? { object: 'response.input_tokens', input_tokens: tokens }
    : { input_tokens: tokens }
}

/** Vectors and the number of tokens of their texts. */
export interface EmbeddingResult {
  readonly model: string
  readonly vectors: readonly (readonly number[])[]
  readonly tokens: number
}

/** Writes vectors in the form of a provider, with the encoding that the body of the request asks for. */
export function writeEmbeddings(
  dialect: DialectName,
  { model, vectors, tokens }: EmbeddingResult,
  body: { readonly [key: string]: unknown },
): JsonObject {
  if (dialect === 'gemini') return { embeddings: vectors.map((values) => ({ values: [...values] })) }
  if (dialect === 'ollama')
    return { model, embeddings: vectors.map((vector) => [...vector]), prompt_eval_count: tokens }
  if (dialect === 'cohere')
    return {
      id: crypto.randomUUID(),
      response_type: 'embeddings_by_type',
      embeddings:
        Array.isArray(body['embedding_types']) && body['embedding_types'].includes('base64')
          ? { base64: vectors.map((vector) => toBase64(toLittleEndian(vector))) }
          : { float: vectors.map((vector) => [...vector]) },
      texts: [...readEmbeddingTexts(body)],
      meta: { api_version: { version: '2' }, billed_units: { input_tokens: tokens } },
    }
  return {
    // Mistral's client requires an id.
    ...(dialect === 'mistral' && { id: crypto.randomUUID() }),
    object: 'list',
    model,
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      // OpenAI's client asks for this encoding unless its user chose another one.
      embedding: body['encoding_format'] === 'base64' ? toBase64(toLittleEndian(vector)) : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/** Returns the bytes of numbers of 32 bits. */
function toLittleEndian(vector: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true)
  return new Uint8Array(view.buffer)
}

/** Reads the texts of a request for vectors, in the form of any provider. Other values are read as JSON text. */
export function readEmbeddingTexts(body: { readonly [key: string]: unknown }): readonly string[] {
  const input = body['input'] ?? body['texts']
  if (typeof input === 'string') return [input]
  if (Array.isArray(input))
    return input.map((each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each)))
  return listObjects(body['requests']).map(({ content }) =>
    listObjects(isObject(content) ? content['parts'] : undefined)
      .map(({ text }) => (typeof text === 'string' ? text : ''))
      .join(''),
  )
}

/** The names of the number of dimensions of a vector. */
const DIMENSION_FIELDS = ['dimensions', 'output_dimension', 'outputDimensionality'] as const

/** Reads the number of dimensions that a request for vectors asks for, in the form of any provider. */
export function readEmbeddingDimensions(body: { readonly [key: string]: unknown }): number | undefined {
  const [first = {}] = listObjects(body['requests'])
  const values = DIMENSION_FIELDS.map((name) => body[name] ?? first[name])
  return values.find((value): value is number => typeof value === 'number')
}

function listObjects(value: unknown): readonly { readonly [key: string]: unknown }[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : []
}
