import type { DialectName } from '../../dialects/engine/dialect.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { getText, listObjects, type WireObject } from '../rules/rule.ts'

/** The list of models, in the form of each provider. */
export const modelLists: { readonly [dialect in DialectName]: (names: readonly string[]) => JsonObject } = {
  anthropic: (names) => ({
    data: names.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
  gemini: (names) => ({
    models: names.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }),
  ollama: (names) => ({ models: names.map((name) => ({ name, model: name })) }),
  'openai-chat': listOpenAIModels,
  'openai-responses': listOpenAIModels,
}

function listOpenAIModels(names: readonly string[]): JsonObject {
  return {
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'mock' })),
  }
}

/** The number of tokens of a body by its length, in the form of each provider. */
export function createTokenCount(dialect: DialectName, body: WireObject): JsonObject {
  const tokens = Math.ceil(JSON.stringify(body).length / 4)
  if (dialect === 'gemini') return { totalTokens: tokens }
  return dialect === 'openai-responses'
    ? { object: 'response.input_tokens', input_tokens: tokens }
    : { input_tokens: tokens }
}

/** The vectors of the texts of a body, in the form of each provider. */
export function createEmbeddings(dialect: DialectName, model: string, body: WireObject): JsonObject {
  const vectors = listTexts(body).map(createVector)
  const tokens = Math.ceil(listTexts(body).join('').length / 4)
  if (dialect === 'gemini') return { embeddings: vectors.map((values) => ({ values })) }
  if (dialect === 'ollama') return { model, embeddings: vectors, prompt_eval_count: tokens }
  return {
    object: 'list',
    model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function listTexts(body: WireObject): readonly string[] {
  const { input } = body
  if (typeof input === 'string') return [input]
  if (Array.isArray(input))
    return input.map((each: Json) => (typeof each === 'string' ? each : JSON.stringify(each)))
  return listObjects(body['requests']).map(({ content }) =>
    listObjects(isObject(content) ? content['parts'] : undefined)
      .map(({ text }) => getText(text))
      .join(''),
  )
}

/** Returns a vector that is the same for the same text. */
function createVector(text: string): readonly number[] {
  const digest = digestText(text)
  return Array.from(
    { length: 8 },
    (_, index) => Number.parseInt(digest.slice(index * 4, index * 4 + 4), 16) / 65_535,
  )
}
