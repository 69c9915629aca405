import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { GatewayConfig } from '../../gateway/config.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ProviderOptions } from '../../providers/provider-options.ts'
import { readEnvironmentVariable } from '../../providers/connection.ts'
import { describeType, isObject } from '../../wire/json.ts'
import type { Terminal } from '../command-io.ts'

/** Where a configuration file takes a key from; it never contains one itself. */
type KeySource = { readonly env: string } | { readonly file: string }

/** Reads the configuration of a gateway. Keys of providers are read when they are used. */
export async function readConfigFile(path: string, { folder }: Terminal): Promise<GatewayConfig> {
  const absolute = isAbsolute(path) ? path : join(folder, path)
  const config = await readJsonFile(absolute, path)
  const providers = config['providers']
  if (!isObject(providers)) return config as unknown as GatewayConfig
  const entries = Object.entries(providers).map(([name, options]) => [name, readProvider(name, options)])
  return {
    ...config,
    providers: Object.fromEntries(entries) as GatewayConfig['providers'],
  } as unknown as GatewayConfig
}

async function readJsonFile(absolute: string, path: string): Promise<{ readonly [key: string]: unknown }> {
  try {
    const value: unknown = JSON.parse(await readFile(absolute, 'utf8'))
    if (isObject(value)) return value
  } catch (cause) {
    const isSyntax = cause instanceof SyntaxError
    throw new InterlinguaError(isSyntax ? 'not-json' : 'unreadable-file', `${path} cannot be read`, {
      found: isSyntax ? 'text that is not JSON' : 'no readable file',
      expected: 'a JSON file',
      hint: 'Check the path and the syntax of the file.',
      cause,
    })
  }
  throw new InterlinguaError('invalid-type', `${path} contains no configuration`, {
    expected: 'a JSON object',
  })
}

function readProvider(name: string, options: unknown): ProviderOptions {
  const path = `/providers/${name}`
  if (!isObject(options))
    throw new InterlinguaError('invalid-type', `The options of the provider '${name}' are invalid`, {
      path,
      found: describeType(options),
      expected: 'an object',
    })
  const { apiKey, ...rest } = options
  if (apiKey === undefined) return rest
  const source = readKeySource(apiKey, `${path}/apiKey`)
  return { ...rest, apiKey: () => readKey(source, `${path}/apiKey`) }
}

function readKeySource(value: unknown, path: string): KeySource {
  if (isObject(value) && typeof value['env'] === 'string') return { env: value['env'] }
  if (isObject(value) && typeof value['file'] === 'string') return { file: value['file'] }
  throw new InterlinguaError('invalid-value', 'A configuration file contains no keys', {
    path,
    found: describeType(value),
    expected: '{ "env": "NAME" } or { "file": "path" }',
    hint: 'Set the key in the environment, or store it in a file that only you can read.',
  })
}

/** Others of the machine must not be able to read the file of a key. */
const MODE_OF_OTHERS = 0o077

async function readKey(source: KeySource, path: string): Promise<string> {
  if ('env' in source) return readEnvironmentVariable(source.env) ?? throwMissing(path, source.env)
  const { mode } = await stat(source.file).catch(() => ({ mode: MODE_OF_OTHERS }))
  if (process.platform !== 'win32' && (mode & MODE_OF_OTHERS) !== 0)
    throw new InterlinguaError('unreadable-file', 'The file of a key is missing, or others can read it', {
      path,
      expected: 'a file with the mode 600',
      hint: 'Run `chmod 600` on the file.',
    })
  return (await readFile(source.file, 'utf8')).trim()
}

function throwMissing(path: string, variable: string): never {
  throw new InterlinguaError('missing-field', `The environment variable ${variable} is not set`, {
    path,
    found: 'nothing',
    expected: 'an API key',
    hint: `Set ${variable}.`,
  })
}
