import type { TransportRequest, Transport } from '../client/transport/transport.ts'
import { ProviderError } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { ListStyle } from './provider-row.ts'

/** A model that a provider has. */
export interface ModelInfo {
  /** What to ask for. */
  readonly id: string
  /** What people call it. */
  readonly name?: string
  /** ISO 8601. */
  readonly createdAt?: string
  /** How many tokens a conversation may have. */
  readonly contextTokens?: number
  /** All that the provider says about it. */
  readonly raw: JsonObject
}

/** How a host lists its models. */
interface ListFormat {
  readonly path: string
  /** The key below which the models are; a bare list is taken, too. */
  readonly listKey: string
  /** The keys that may hold the id. */
  readonly idKeys: readonly string[]
  /** How the next page is asked for, where there is more than one. */
  readonly pages?: {
    readonly first: { readonly [name: string]: string }
    next(answer: JsonObject): { readonly [name: string]: string } | undefined
  }
}

const listFormats: { readonly [style in ListStyle]: ListFormat } = {
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
}

/** A list without an end ends here. */
const MAX_PAGES = 100

/** All models that a provider lists, page by page. */
export async function listModels(
  style: ListStyle,
  transport: Transport,
  headers: TransportRequest['headers'],
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  const { path, pages, ...format } = listFormats[style]
  const models: ModelInfo[] = []
  let query: TransportRequest['query'] | undefined = pages?.first ?? {}
  for (let page = 0; query !== undefined && page < MAX_PAGES; page++) {
    const call: TransportRequest = { method: 'GET', path, query, ...(headers && { headers }) }
    const { value } = await transport.send(call, (answer) => answer.readJson(), signal)
    models.push(...readModels(value, format))
    const next = isObject(value) ? pages?.next(value) : undefined
    query = next && { ...pages?.first, ...next }
  }
  return models
}

function readModels(
  answer: Json,
  { listKey, idKeys }: Pick<ListFormat, 'listKey' | 'idKeys'>,
): readonly ModelInfo[] {
  const list = isObject(answer) ? answer[listKey] : answer
  if (!Array.isArray(list))
    throw new ProviderError('The provider gave no list of models', { kind: 'server', shouldRetry: false })
  return list.filter(isObject).flatMap((item) => toModelInfo(item as JsonObject, idKeys))
}

function toModelInfo(raw: JsonObject, ids: readonly string[]): readonly ModelInfo[] {
  const id = findFirst(raw, ids, isText)?.replace(/^models\//, '')
  if (id === undefined) return []
  const name = findFirst(raw, ['display_name', 'displayName', 'name'], isText)
  const created = findFirst(raw, ['created_at', 'created', 'modified_at'], isDate)
  const contextTokens = findFirst(raw, CONTEXT_LENGTH_KEYS, isCount)
  return [
    {
      id,
      ...(name !== undefined && name !== id && name !== `models/${id}` && { name }),
      ...(created !== undefined && { createdAt: toIsoDate(created) }),
      ...(contextTokens !== undefined && { contextTokens }),
      raw,
    },
  ]
}

/** What hosts call the length of a context. */
const CONTEXT_LENGTH_KEYS = [
  'context_length',
  'context_window',
  'max_context_length',
  'inputTokenLimit',
  'max_input_tokens',
]

function findFirst<T extends Json>(
  raw: JsonObject,
  keys: readonly string[],
  fits: (value: Json | undefined) => value is T,
): T | undefined {
  return keys.map((key) => raw[key]).find(fits)
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isCount = (value: Json | undefined): value is number => typeof value === 'number' && value > 0
const isDate = (value: Json | undefined): value is string | number =>
  isCount(value) || (isText(value) && !Number.isNaN(Date.parse(value)))

/** Seconds since 1970, or a date. */
function toIsoDate(value: string | number): string {
  return new Date(typeof value === 'number' ? value * 1000 : value).toISOString()
}
