import type { TransportRequest, TransportResponse, Transport } from '../client/transport/transport.ts'
import { invalidResponseError } from '../client/transport/transport-errors.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { ModelListStyle } from './provider-row.ts'

/** A model in the list of a provider. */
export interface ModelInfo {
  /** The name to pass to the provider. */
  readonly id: string
  /** The display name. */
  readonly name?: string
  /** ISO 8601. */
  readonly createdAt?: string
  /** The size of the context window. */
  readonly contextTokens?: number
  /** The maximum number of output tokens. */
  readonly maxOutputTokens?: number
  /** The entry as the provider sent it. */
  readonly raw: JsonObject
}

/** The wire format of a host's list of models. */
interface ListFormat {
  readonly path: string
  /** The key of the list; a body that is itself a list is accepted, too. */
  readonly listKey: string
  /** The keys that may contain the id. */
  readonly idKeys: readonly string[]
  /** The query parameters of the first and the next page, if the list is paginated. */
  readonly pages?: {
    readonly first: { readonly [name: string]: string }
    next(body: JsonObject): { readonly [name: string]: string } | undefined
  }
}

const listFormats: { readonly [style in ModelListStyle]: ListFormat } = {
  openai: { path: '/models', listKey: 'data', idKeys: ['id'] },
  ollama: { path: '/api/tags', listKey: 'models', idKeys: ['model', 'name'] },
  anthropic: {
    path: '/v1/models',
    listKey: 'data',
    idKeys: ['id'],
    pages: {
      first: { limit: '1000' },
      next: ({ has_more: more, last_id: last }) =>
        more === true && typeof last === 'string' ? { after_id: last } : undefined,
    },
  },
  gemini: {
    path: '/v1beta/models',
    listKey: 'models',
    idKeys: ['name'],
    pages: {
      first: { pageSize: '1000' },
      next: ({ nextPageToken: token }) =>
        typeof token === 'string' && token !== '' ? { pageToken: token } : undefined,
    },
  },
  cohere: {
    path: '/v1/models',
    listKey: 'models',
    idKeys: ['name'],
    pages: {
      first: { page_size: '1000' },
      next: ({ next_page_token: token }) =>
        typeof token === 'string' && token !== '' ? { page_token: token } : undefined,
    },
  },
}

/** Stops a list that never ends. */
const MAX_PAGES = 100

/** Returns all models that a provider lists. */
export async function listModels(
  style: ModelListStyle,
  transport: Transport,
  headers: TransportRequest['headers'],
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  const format = listFormats[style]
  const { path, pages } = format
  const models: ModelInfo[] = []
  let query: TransportRequest['query'] | undefined = pages?.first ?? {}
  for (let page = 0; query !== undefined && page < MAX_PAGES; page++) {
    const call: TransportRequest = { method: 'GET', path, query, ...(headers && { headers }) }
    const { value } = await transport.send(call, (response) => readPage(response, format), {
      ...(signal && { signal }),
    })
    for (const each of value.models) models.push(each)
    const next = isObject(value.body) ? pages?.next(value.body) : undefined
    query = next && { ...pages?.first, ...next }
  }
  return models
}

async function readPage(
  response: TransportResponse,
  { listKey, idKeys }: ListFormat,
): Promise<{ readonly models: readonly ModelInfo[]; readonly body: Json }> {
  const body = await response.readJson()
  const list = isObject(body) ? body[listKey] : body
  if (!Array.isArray(list))
    throw invalidResponseError('The response contains no list of models', body, response.errorContext)
  return { models: list.filter(isObject).flatMap((item) => toModelInfo(item as JsonObject, idKeys)), body }
}

function toModelInfo(raw: JsonObject, ids: readonly string[]): readonly ModelInfo[] {
  const id = findFirst(raw, ids, isText)?.replace(/^models\//, '')
  if (id === undefined) return []
  const name = findFirst(raw, ['display_name', 'displayName', 'name'], isText)
  const created = findFirst(raw, ['created_at', 'created', 'modified_at'], isDate)
  const contextTokens = findFirst(raw, CONTEXT_LENGTH_KEYS, isCount)
  const maxOutputTokens = findFirst(raw, MAX_OUTPUT_KEYS, isCount)
  return [
    {
      id,
      ...(name !== undefined && name !== id && name !== `models/${id}` && { name }),
      ...(created !== undefined && { createdAt: toIsoDate(created) }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      raw,
    },
  ]
}

/** The names that hosts use for the size of the context window. */
const CONTEXT_LENGTH_KEYS = [
  'context_length',
  'context_window',
  'max_context_length',
  'inputTokenLimit',
  'max_input_tokens',
]

/** The names that hosts use for the maximum number of output tokens. */
const MAX_OUTPUT_KEYS = ['outputTokenLimit', 'max_completion_tokens', 'max_output_tokens', 'max_tokens']

function findFirst<T extends Json>(
  raw: JsonObject,
  keys: readonly string[],
  isMatch: (value: Json | undefined) => value is T,
): T | undefined {
  return keys.map((key) => raw[key]).find(isMatch)
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isCount = (value: Json | undefined): value is number => typeof value === 'number' && value > 0
const isDate = (value: Json | undefined): value is string | number =>
  isCount(value) || (isText(value) && !Number.isNaN(Date.parse(value)))

/** Converts seconds since 1970, or a date, to ISO 8601. */
function toIsoDate(value: string | number): string {
  return new Date(typeof value === 'number' ? value * 1000 : value).toISOString()
}
