import type { ConnectionSettings } from '../client/transport/transport.ts'
import { InterlinguaError } from '../errors.ts'
import type { AuthStyle, ProviderRow } from './provider-row.ts'
import { isObject } from '../wire/json.ts'

/**
 * Returns an environment variable; undefined if it is empty or the platform has none. Only this function
 * accesses `process`, and only when it is called, because browsers and workers do not have it.
 */
export function readEnvironmentVariable(name: string): string | undefined {
  const platform: unknown = Reflect.get(globalThis, 'process')
  const variables = isObject(platform) ? platform['env'] : undefined
  const value = isObject(variables) ? variables[name] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Options for the connection to a provider. */
export interface ConnectionOptions {
  /** The API key, or a function called for each attempt. Default, also for undefined: the provider's environment variable. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** The part of the URL before the paths of the dialect, such as `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined
  /** Another spelling of `baseUrl`, as in the SDKs of OpenAI and Anthropic. */
  readonly baseURL?: string | undefined
  /** Additional headers; they override those of the library. */
  readonly headers?: { readonly [name: string]: string }
  /** The header that contains the key. Default: the provider's. Use `none` for hosts without keys. */
  readonly auth?: AuthStyle
}

/** The header that contains the key, by style. */
const authHeaders: { readonly [style in AuthStyle]: (key: string) => { readonly [name: string]: string } } = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
  'api-key': (key) => ({ 'api-key': key }),
  'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
  none: () => ({}),
}

/** What the option `auth` accepts. */
export const AUTH_STYLES = Object.keys(authHeaders) as readonly AuthStyle[]

/** The facts of a row about the connection to its host. */
type ConnectionRow = Omit<ProviderRow, 'dialect'>

/** Returns the base URL and headers, read when a request is sent: a model needs no key before. */
export async function resolveConnection(
  row: ConnectionRow,
  options: ConnectionOptions,
): Promise<ConnectionSettings> {
  const auth = options.auth ?? row.auth
  const key = auth === 'none' ? undefined : await resolveKey(row, options)
  return {
    baseUrl: options.baseUrl ?? resolveBaseUrl(row),
    headers: { ...(key !== undefined && authHeaders[auth](key)), ...options.headers },
  }
}

async function resolveKey(row: ConnectionRow, { apiKey }: ConnectionOptions): Promise<string | undefined> {
  const explicitKey = typeof apiKey === 'function' ? await apiKey() : apiKey
  const key =
    explicitKey ?? row.keyVariables.map(readEnvironmentVariable).find((value) => value !== undefined)
  if (key !== undefined && key !== '') return key
  if (row.isKeyOptional) return undefined
  throw missingOptionError('an API key', row.provider, row.keyVariables, 'apiKey')
}

/** Returns true if the options or the environment replace the base URL of the provider. */
export function hasOtherBaseUrl({ baseUrlVariable }: ConnectionRow, { baseUrl }: ConnectionOptions): boolean {
  return (
    baseUrl !== undefined ||
    (baseUrlVariable !== undefined && readEnvironmentVariable(baseUrlVariable) !== undefined)
  )
}

function resolveBaseUrl(row: ConnectionRow): string {
  const { baseUrlVariable: variable, defaultPort, pathPrefix = '' } = row
  const override = variable === undefined ? undefined : readEnvironmentVariable(variable)
  const url = override === undefined ? row.baseUrl : withScheme(override, defaultPort)
  if (url === undefined)
    throw missingOptionError('a base URL', row.provider, variable === undefined ? [] : [variable], 'baseUrl')
  return `${fillVariables(url, row.provider).replace(/\/+$/, '')}${pathPrefix}`
}

/** Replaces the names in braces by the values of their environment variables. */
function fillVariables(url: string, provider: string): string {
  return url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = readEnvironmentVariable(name)
    if (value === undefined) throw missingOptionError('a base URL', provider, [name], 'baseUrl')
    return encodeURIComponent(value)
  })
}

/** Adds the protocol, and the port if missing: some variables contain only a host, or a host and a port. */
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
