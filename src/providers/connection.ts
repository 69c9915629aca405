import type { Connection } from '../client/transport/transport.ts'
import { InterlinguaError } from '../errors.ts'
import type { AuthStyle, ProviderRow } from './provider-row.ts'
import { isObject } from '../wire/json.ts'

/**
 * An environment variable, where there are any. The one place that looks for the platform's `process`, by name and at the time
 * of the call: browsers and workers have none, and go on without.
 */
export function readEnvironmentVariable(name: string): string | undefined {
  const platform: unknown = Reflect.get(globalThis, 'process')
  const variables = isObject(platform) ? platform['env'] : undefined
  const value = isObject(variables) ? variables[name] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** What may be said about how to reach a provider. */
export interface ConnectionOptions {
  /** The key, or what gives one for each attempt; default: the provider's environment variable. */
  readonly apiKey?: string | (() => string | Promise<string>)
  /** Everything before the paths of the wire format, such as `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** Further headers; they win over ours. */
  readonly headers?: { readonly [name: string]: string }
  /** How the key is shown; default: as the provider's own client does. `none` for hosts without keys. */
  readonly auth?: AuthStyle
}

/** The header that shows a key. */
const authHeaders: { readonly [style in AuthStyle]: (key: string) => { readonly [name: string]: string } } = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'api-key': (key) => ({ 'api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
  none: () => ({}),
}

/** Where to and with which key: read when a request goes out, so that a program without a key can be built and inspected. */
export async function resolveConnection(row: ProviderRow, options: ConnectionOptions): Promise<Connection> {
  const auth = options.auth ?? row.auth
  const key = auth === 'none' ? undefined : await resolveKey(row, options)
  return {
    baseUrl: options.baseUrl ?? resolveBaseUrl(row),
    headers: { ...(key !== undefined && authHeaders[auth](key)), ...options.headers },
  }
}

async function resolveKey(row: ProviderRow, { apiKey }: ConnectionOptions): Promise<string | undefined> {
  const given = typeof apiKey === 'function' ? await apiKey() : apiKey
  const key = given ?? findSetVariable(row.keyVariables)
  if (key !== undefined && key !== '') return key
  if (row.isKeyOptional) return undefined
  throw missingOptionError('an API key', row.provider, row.keyVariables, 'apiKey')
}

function findSetVariable(variables: readonly string[]): string | undefined {
  return variables.map(readEnvironmentVariable).find((value) => value !== undefined)
}

function resolveBaseUrl({
  provider,
  baseUrl,
  baseUrlVariable,
  defaultPort,
  pathPrefix = '',
}: ProviderRow): string {
  const set = baseUrlVariable === undefined ? undefined : readEnvironmentVariable(baseUrlVariable)
  const address = set === undefined ? baseUrl : withScheme(set, defaultPort)
  if (address === undefined)
    throw missingOptionError(
      'an address',
      provider,
      baseUrlVariable === undefined ? [] : [baseUrlVariable],
      'baseUrl',
    )
  return `${address.replace(/\/+$/, '')}${pathPrefix}`
}

/** Some variables hold only a host, or a host and a port. */
function withScheme(address: string, port: number | undefined): string {
  if (/^\w+:\/\//.test(address) || port === undefined) return address
  return `http://${/:\d+$/.test(address) ? address : `${address}:${port}`}`
}

function missingOptionError(
  what: string,
  provider: string,
  variables: readonly string[],
  option: string,
): InterlinguaError {
  const set = variables.length === 0 ? '' : `Set the environment variable ${variables.join(' or ')}, or `
  return new InterlinguaError('missing-field', `The provider '${provider}' needs ${what}`, {
    path: `/${option}`,
    found: 'nothing',
    expected: what,
    hint: `${set === '' ? 'P' : `${set}p`}ass the option \`${option}\`.`,
  })
}
