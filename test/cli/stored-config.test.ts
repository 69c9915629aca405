/**
 * Pins the configuration of a gateway as users keep it: test/golden/gateway/v1-config.json has every option of version 1. Later
 * versions must load it. An option that is added after the first release belongs into another file.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGateway } from 'interlingua/gateway'
import type { JsonObject } from 'interlingua'
import { afterEach, expect, test, vi } from 'vitest'
import { CONFIG_FILE_SCHEMA } from '../../src/cli/serve/config-schema.ts'
import { ConfigFile } from '../../src/cli/serve/config-file.ts'
import { freshDatabase } from '../stores/postgres.ts'
import { Folder } from './run-command.ts'
import { createSilentTerminal } from './silent-terminal.ts'

const golden = join(import.meta.dirname, '../golden/gateway/v1-config.json')
const SEAL_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

const SECRET_KINDS = ['env', 'file', 'command']

afterEach(() => vi.unstubAllEnvs())

/** Returns the paths of all options of a schema; a secret is one option. */
function listOptions(schema: unknown, path = ''): readonly string[] {
  const { properties, items, additionalProperties, anyOf } = schema as {
    readonly properties?: JsonObject
    readonly items?: unknown
    readonly additionalProperties?: unknown
    readonly anyOf?: readonly unknown[]
  }
  if (SECRET_KINDS.some((kind) => properties !== undefined && kind in properties)) return []
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, value]) => [
      `${path}/${name}`,
      ...listOptions(value, `${path}/${name}`),
    ]),
    ...(items === undefined ? [] : listOptions(items, path)),
    ...(typeof additionalProperties === 'object' ? listOptions(additionalProperties, `${path}/*`) : []),
    ...(anyOf ?? []).flatMap((each) => (typeof each === 'object' ? listOptions(each, path) : [])),
  ]
}

/** Returns true if a value has the option of a path. */
function hasOption(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasOption(item, [name, ...rest]))
  if (typeof value !== 'object' || value === null) return false
  const values =
    name === '*' ? Object.values(value) : Object.hasOwn(value, name) ? [Reflect.get(value, name)] : []
  return values.some((each) => hasOption(each, rest))
}

test('the golden configuration has every option', async () => {
  const config: unknown = JSON.parse(await readFile(golden, 'utf8'))
  const options = [...new Set(listOptions(CONFIG_FILE_SCHEMA))]
  expect(options.length).toBeGreaterThan(70)
  expect(options.filter((path) => !hasOption(config, path.split('/').slice(1)))).toEqual([])
  for (const kind of SECRET_KINDS)
    expect(hasOption(config, ['providers', '*', 'apiKey', kind]), kind).toBe(true)
})

test('the golden configuration is loaded, and a gateway starts with it', async () => {
  const database = await freshDatabase()
  await using folder = await Folder.with({})
  await writeFile(folder.at('anthropic.key'), 'key of a file', { mode: 0o600 })
  await copyFile(golden, folder.at('gateway.json'))
  vi.stubEnv('GOLDEN_OPENAI_KEY', 'key of the environment')
  vi.stubEnv('GOLDEN_SEAL_KEY', SEAL_KEY)
  vi.stubEnv('GOLDEN_STATE_URL', database.url)
  vi.stubEnv('GOLDEN_STORE', 'recordings.db')
  const file = new ConfigFile('gateway.json', createSilentTerminal(folder.path))
  try {
    const config = await file.read()
    const keys = Object.entries(config.providers ?? {}).map(async ([name, { apiKey }]) => [
      name,
      typeof apiKey === 'function' ? await apiKey() : apiKey,
    ])
    expect(Object.fromEntries(await Promise.all(keys))).toEqual({
      openai: 'key of the environment',
      anthropic: 'key of a file',
      gemini: 'key',
    })
    expect(config.sealKeys).toEqual([SEAL_KEY])
    const gateway = createGateway(config)
    const response = await gateway(new Request('http://gateway.example/v1/models'))
    expect(response.status).toBe(401)
  } finally {
    await file.close()
    await database.drop()
  }
})
