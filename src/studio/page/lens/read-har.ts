import { findRoute } from '../../../dialects/server/routes.ts'
import { fromBase64 } from '../../../wire/base64.ts'
import { getOwnValue, isObject, readStringOrEmpty, tryParseJson } from '../../../wire/json.ts'
import { tryParseUrl } from '../../../wire/urls.ts'

/** A call of a model in a HAR file: the address without its query, and the texts of both bodies. */
export interface HarCall {
  readonly method: string
  readonly address: string
  readonly status: number
  readonly model?: string
  /** In milliseconds. */
  readonly durationMs?: number
  readonly request: string
  readonly response: string
}

type Fields = { readonly [key: string]: unknown }

/** Returns the entries of a HAR file; undefined for other values. */
function listEntries(value: unknown): readonly Fields[] | undefined {
  const log = isObject(value) ? getOwnValue(value, 'log') : undefined
  const entries = isObject(log) ? getOwnValue(log, 'entries') : undefined
  return Array.isArray(entries) ? entries.filter(isObject) : undefined
}

/**
 * Returns the calls of models in a HAR file, in their order; undefined if the value is no HAR file. Headers and queries are
 * not read: they contain keys.
 */
export function readHar(
  value: unknown,
): { readonly entryCount: number; readonly calls: readonly HarCall[] } | undefined {
  const entries = listEntries(value)
  if (entries === undefined) return undefined
  return { entryCount: entries.length, calls: entries.flatMap((entry) => readCall(entry) ?? []) }
}

function readCall(entry: Fields): HarCall | undefined {
  const request = getObject(entry, 'request')
  const response = getObject(entry, 'response')
  const method = readStringOrEmpty(request['method']).toUpperCase()
  const url = tryParseUrl(readStringOrEmpty(request['url']))
  const requestText = readStringOrEmpty(getObject(request, 'postData')['text'])
  const route = url && findRoute(method, `${url.host}${url.pathname}`, new Headers())
  if (url === undefined || (route !== undefined && route.action !== 'chat')) return undefined
  if (route === undefined && !hasConversationField(requestText)) return undefined
  const body = tryParseJson(requestText)
  const model = route?.model ?? (isObject(body) ? readStringOrEmpty(body['model']) : '')
  const time = entry['time']
  return {
    method,
    address: `${url.host}${url.pathname}`,
    status: Number(response['status']) || 0,
    ...(model !== '' && { model }),
    ...(typeof time === 'number' && { durationMs: Math.round(time) }),
    request: requestText,
    response: readContent(getObject(response, 'content')),
  }
}

/** Gateways and proxies have addresses of their own: their calls are recognized by the field of the conversation. */
function hasConversationField(text: string): boolean {
  return /^\s*\{/.test(text) && /"(?:messages|contents|input)"\s*:/.test(text)
}

function getObject(fields: Fields, key: string): Fields {
  const value = getOwnValue(fields, key)
  return isObject(value) ? value : {}
}

/** Returns the text of a response, which a HAR file may contain as base64. */
function readContent(content: Fields): string {
  const text = readStringOrEmpty(content['text'])
  const bytes = content['encoding'] === 'base64' ? fromBase64(text) : undefined
  return bytes === undefined ? text : new TextDecoder().decode(bytes)
}
