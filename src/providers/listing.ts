import type { Call, Transport } from '../client/transport/transport.ts'
import { ProviderError } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import type { ListStyle } from './row.ts'

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
  readonly below: string
  /** The keys that may hold the id. */
  readonly ids: readonly string[]
  /** How the next page is asked for, where there is more than one. */
  readonly pages?: {
    readonly first: { readonly [name: string]: string }
    next(answer: JsonObject): { readonly [name: string]: string } | undefined
  }
}

const formats: { readonly [style in ListStyle]: ListFormat } = {
  openai: { path: '/models', below: 'data', ids: ['id'] },
  ollama: { path: '/api/tags', below: 'models', ids: ['model', 'name'] },
  anthropic: {
    path: '/v1/models',
    below: 'data',
    ids: ['id'],
    pages: {
      first: { limit: '1000' },
      next: ({ has_more: more, last_id: last }) =>
        more === true && typeof last === 'string' ? { after_id: last } : undefined,
    },
  },
  gemini: {
    path: '/v1beta/models',
    below: 'models',
    ids: ['name'],
    pages: {
      first: { pageSize: '1000' },
      next: ({ nextPageToken: token }) =>
        typeof token === 'string' && token !== '' ? { pageToken: token } : undefined,
    },
  },
}

/** A list without an end ends here. */
const MOST_PAGES = 100

/** All models that a provider lists, page by page. */
export async function listModels(
  style: ListStyle,
  transport: Transport,
  headers: Call['headers'],
  signal: AbortSignal | undefined,
): Promise<readonly ModelInfo[]> {
  const { path, pages, ...format } = formats[style]
  const models: ModelInfo[] = []
  let query: Call['query'] | undefined = pages?.first ?? {}
  for (let page = 0; query !== undefined && page < MOST_PAGES; page++) {
    const call: Call = { method: 'GET', path, query, ...(headers && { headers }) }
    const { value } = await transport.send(call, (answer) => answer.json(), signal)
    models.push(...itemsOf(value, format))
    const next = isObject(value) ? pages?.next(value) : undefined
    query = next && { ...pages?.first, ...next }
  }
  return models
}

function itemsOf(answer: Json, { below, ids }: Pick<ListFormat, 'below' | 'ids'>): readonly ModelInfo[] {
  const list = isObject(answer) ? answer[below] : answer
  if (!Array.isArray(list))
    throw new ProviderError('The provider gave no list of models', { kind: 'server', shouldRetry: false })
  return list.filter(isObject).flatMap((item) => infoOf(item as JsonObject, ids))
}

function infoOf(raw: JsonObject, ids: readonly string[]): readonly ModelInfo[] {
  const id = firstOf(raw, ids, isText)?.replace(/^models\//, '')
  if (id === undefined) return []
  const name = firstOf(raw, ['display_name', 'displayName', 'name'], isText)
  const created = firstOf(raw, ['created_at', 'created', 'modified_at'], isMoment)
  const contextTokens = firstOf(raw, CONTEXT, isCount)
  return [
    {
      id,
      ...(name !== undefined && name !== id && name !== `models/${id}` && { name }),
      ...(created !== undefined && { createdAt: momentOf(created) }),
      ...(contextTokens !== undefined && { contextTokens }),
      raw,
    },
  ]
}

/** What hosts call the length of a context. */
const CONTEXT = [
  'context_length',
  'context_window',
  'max_context_length',
  'inputTokenLimit',
  'max_input_tokens',
]

function firstOf<T extends Json>(
  raw: JsonObject,
  keys: readonly string[],
  fits: (value: Json | undefined) => value is T,
): T | undefined {
  return keys.map((key) => raw[key]).find(fits)
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
const isCount = (value: Json | undefined): value is number => typeof value === 'number' && value > 0
const isMoment = (value: Json | undefined): value is string | number =>
  isCount(value) || (isText(value) && !Number.isNaN(Date.parse(value)))

/** Seconds since 1970, or a date. */
function momentOf(value: string | number): string {
  return new Date(typeof value === 'number' ? value * 1000 : value).toISOString()
}
