import { providerTable } from '../providers/provider-table.ts'

/** Headers of a client that its provider reads as a part of the request. */
export interface ForwardedHeaders {
  readonly dialect: string
  readonly headers: { readonly [name: string]: string }
}

/**
 * The headers that are a part of a request, by dialect. No others are forwarded: they could contain a key, choose an account of the
 * provider (`openai-organization`), or change how the request is sent. `anthropic-version` is not among them, since the body is
 * written anew for the version of the library.
 */
const HEADER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['anthropic', ['anthropic-beta']],
  ['openai-chat', ['openai-beta']],
  ['openai-responses', ['openai-beta']],
])

/** Names and numbers of features, separated by commas: nothing that could be another header or a secret. */
const PLAIN_VALUE = /^[\w.:=, -]{1,1000}$/

/** Reads the headers of a request that are a part of it. Other values than plain lists of names are omitted. */
export function readForwardedHeaders(dialect: string, headers: Headers): ForwardedHeaders {
  const found = (HEADER_NAMES.get(dialect) ?? []).flatMap((name) => {
    const value = headers.get(name) ?? ''
    return PLAIN_VALUE.test(value) ? [[name, value] as const] : []
  })
  return { dialect, headers: Object.fromEntries(found) }
}

/** Returns the headers that a provider of the same dialect gets. */
export function selectHeaders(
  provider: string,
  { dialect, headers }: ForwardedHeaders,
): ForwardedHeaders['headers'] {
  const rows: { readonly [name: string]: { readonly dialect: string } } = providerTable
  return Object.hasOwn(rows, provider) && rows[provider]?.dialect === dialect ? headers : {}
}
