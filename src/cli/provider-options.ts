import { InvalidArgumentError, Option } from 'commander'
import { buildRequestUrl } from '../client/transport/send-request.ts'
import { InterlinguaError } from '../errors.ts'
import { readEnvironmentVariable } from '../providers/connection.ts'
import type { ProviderOptions } from '../providers/index.ts'
import { type ProviderName, providerTable } from '../providers/provider-table.ts'
import { omitUndefined } from '../wire/json.ts'
import { CommandExit } from './exit-codes.ts'

export function createBaseUrlOption(): Option {
  const description = 'send the requests to this URL instead of the host of the provider'
  return new Option('--base-url <url>', description).argParser(parseBaseUrl)
}

/** Checks a base URL. The error does not quote it, as an error of Commander would: it may contain a secret. */
function parseBaseUrl(text: string): string {
  try {
    buildRequestUrl(text, { path: '' })
    return text
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    throw new CommandExit('usage', `--base-url is invalid: expected ${error.expected}, found ${error.found}`)
  }
}

/** Parses the port of a server that a command starts. */
export function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Expected a port from 0 to 65535.')
}

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(providerTable, name)
}

/**
 * Returns the connection options of a provider. Its own key is sent, in its own header. With a base URL, the
 * key is optional: local servers and proxies often need none.
 */
export function toProviderOptions(name: ProviderName, baseUrl?: string): ProviderOptions {
  const { keyVariables, isKeyOptional } = providerTable[name]
  const findKey = (): string | undefined =>
    keyVariables.map(readEnvironmentVariable).find((key) => key !== undefined)
  if (isKeyOptional === true) return omitUndefined({ baseUrl })
  if (baseUrl !== undefined && findKey() === undefined) return { baseUrl, auth: 'none' }
  const apiKey = (): string => {
    const key = findKey()
    if (key === undefined) throw missingKeyError(name)
    return key
  }
  return { apiKey, ...omitUndefined({ baseUrl }) }
}

function missingKeyError(name: ProviderName): InterlinguaError {
  const { keyVariables } = providerTable[name]
  const [variable = ''] = keyVariables
  const keyless = Object.entries(providerTable).flatMap(([each, row]) => (row.isKeyOptional ? each : []))
  return new InterlinguaError('missing-field', `The API key of ${name} is missing`, {
    path: '/apiKey',
    found: 'nothing',
    expected: `an API key in ${keyVariables.join(' or ')}`,
    hint:
      `Set ${keyVariables.join(' or ')}: export ${variable}=YOUR_KEY (PowerShell: $env:${variable} = 'YOUR_KEY'). ` +
      `No key is needed with --base-url, for the providers ${keyless.join(' and ')}, or for the model demo.`,
  })
}
