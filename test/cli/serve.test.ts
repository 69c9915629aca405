import { existsSync } from 'node:fs'
import { chmod, chown, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, type GatewayConfig } from 'interlingua/gateway'
import { validateValue } from 'interlingua/schema'
import type { InterlinguaError } from 'interlingua'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIG_FILE_SCHEMA } from '../../src/cli/serve/config-schema.ts'
import { Folder, interlingua, type Ran, type RunOptions, withServer } from './run-command.ts'

const digest = 'a'.repeat(64)

/** A configuration with everything that a file and code have in common. */
const full = {
  routes: [
    { model: 'claude-*', to: 'anthropic:claude-*', promptCaching: true, timeouts: { totalMs: 1000 } },
    { model: 'demo', to: ['demo'] },
    {
      model: '*',
      to: ['openai:gpt-5.5', { to: 'gemini:gemini-3.5-flash', weight: 2 }],
      defaults: { temperature: 0.5 },
      forced: { maxOutputTokens: 4000 },
      retry: { maxAttempts: 2 },
    },
  ],
  providers: { openai: { baseUrl: 'https://openai.example/v1', retry: { maxAttempts: 1 } } },
  keys: [
    {
      name: 'alice',
      digest,
      models: ['claude-*'],
      maxConcurrent: 2,
      limits: [{ per: 'day', requests: 5, tokens: 10, cost: 0.5 }],
      maxOutputTokens: 100,
      metrics: true,
    },
  ],
  aliases: { fast: 'claude-haiku' },
  circuit: { failures: 2, pauseMs: 1000 },
  retryBudget: { ratio: 0.1, burst: 3 },
  maxBodyBytes: 1000,
  sanitize: true,
}

/** Changes after which a configuration is invalid, as a path and the new value. */
const MISTAKES: readonly (readonly [path: string, value: unknown])[] = [
  ['routes', undefined],
  ['routes', {}],
  ['route', []],
  ['routes.0.model', ''],
  ['routes.0.model', 'a*b*'],
  ['routes.0.to', []],
  ['routes.0.to', 'no-provider'],
  ['routes.0.too', 'anthropic:claude'],
  ['routes.0.timeouts', { totalMs: 1, other: 1 }],
  ['routes.2.to.1.weight', 0],
  ['routes.2.to.1.share', 1],
  ['routes.2.defaults', { temprature: 0 }],
  ['routes.2.forced', { max_tokens: 1 }],
  ['routes.2.retry', { attempts: 1 }],
  ['keys', {}],
  ['keys.0.name', ''],
  ['keys.0.digest', 'the key itself'],
  ['keys.0.models', ['a*b*c']],
  ['keys.0.maxConcurrent', -1],
  ['keys.0.limits', [{ per: 'week' }]],
  ['keys.0.limits', [{ per: 'day', requests: '5' }]],
  ['keys.0.requestsPerMinute', 5],
  ['aliases', { fast: '' }],
  ['circuit', { failures: 'many' }],
  ['circuit', { failure: 1 }],
  ['retryBudget', { ratio: -1 }],
  ['maxBodyBytes', '1 MB'],
]

function withChange(config: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(config) as Record<string, unknown>
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let target = copy
  for (const key of keys) target = target[key] as Record<string, unknown>
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}

describe('the schema of the configuration', () => {
  test('is published', async () => {
    const published: unknown = JSON.parse(
      await readFile(new URL('../../gateway.schema.json', import.meta.url), 'utf8'),
    )
    expect(published).toEqual(CONFIG_FILE_SCHEMA)
  })

  test('accepts what the gateway accepts', async () => {
    expect((await validateValue(CONFIG_FILE_SCHEMA, full)).issues).toBeUndefined()
    createGateway(full as GatewayConfig)
  })

  test.each(MISTAKES)('refuses what the gateway refuses: %s', async (path, value) => {
    const changed = withChange(full, path, value)
    expect((await validateValue(CONFIG_FILE_SCHEMA, changed)).issues).not.toBeUndefined()
    expect(() => createGateway(changed as never)).toThrow()
  })
})

describe('serve --check', () => {
  test('accepts a valid file', async () => {
    await using folder = await Folder.with({ 'gateway.json': JSON.stringify(full) })
    const { code, stdout } = await interlingua(['serve', '--check', '--config', 'gateway.json'], {
      folder: folder.path,
    })
    expect([code, stdout]).toEqual([0, 'The configuration is valid: 3 routes.\n'])
  })

  test.each([
    [
      'a key of a provider',
      withChange(full, 'providers.openai.apiKey', 'sk-canary'),
      '/providers/openai/apiKey',
    ],
    ['an unknown name', withChange(full, 'keys.0.limit', []), 'The property is unknown; use "limits".'],
    ['a misspelled name', withChange(full, 'routes.0.modle', 'x'), 'The property is unknown; use "model".'],
    ['an unknown provider', withChange(full, 'routes.0.to', 'opanai:gpt-6-sol'), 'Use `openai`.'],
    ['a port', withChange(full, 'port', 5), '--port'],
    ['no JSON', 'sk-canary {', 'gateway.json is not valid JSON'],
  ])('refuses %s, and does not repeat it', async (_, config, expected) => {
    const text = typeof config === 'string' ? config : JSON.stringify(config)
    await using folder = await Folder.with({ 'gateway.json': text })
    const { code, stderr, stdout } = await interlingua(['serve', '--check', '-c', 'gateway.json'], {
      folder: folder.path,
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain(expected)
    expect(stderr + stdout).not.toContain('sk-canary')
  })
})

describe('serve', () => {
  /** A provider that notes the keys that it gets. */
  const keys: string[] = []
  const upstream = createServer((request, response) => {
    keys.push(request.headers.authorization ?? '')
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
  })
  let baseUrl = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', () => resolve()))
    // Loads the command, which takes long on a busy machine.
    await interlingua(['serve', '--help'])
    baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`
  }, 240_000)
  afterAll(() => void upstream.close())

  const createConfig = (apiKey: unknown, model = '*'): string =>
    JSON.stringify({
      routes: [{ model, to: 'openai-chat:m' }],
      providers: { 'openai-chat': { apiKey, baseUrl } },
    })

  const serve = (
    folder: Folder,
    work: (url: string) => Promise<void>,
    options: RunOptions = {},
  ): Promise<Ran> =>
    withServer(['serve', '--json', '--config', 'gateway.json'], work, { ...options, folder: folder.path })

  const ask = (url: string): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hi' }] }),
    })

  test('--to demo answers offline, without keys', async () => {
    await using folder = await Folder.with()
    const work = async (url: string): Promise<void> => {
      const answer: unknown = await (await ask(url)).json()
      expect(answer).toMatchObject({ model: 'any', choices: [{ message: { role: 'assistant' } }] })
    }
    const { stdout, stderr } = await withServer(['serve', '--json', '--to', 'demo'], work, {
      folder: folder.path,
    })
    expect([stdout, stderr]).toEqual([expect.stringContaining('"servedBy":"demo"'), ''])
  })

  test('reads keys of providers from a file that is closed to others, or from a command', async () => {
    await using folder = await Folder.with({
      'gateway.json': createConfig({ file: 'key.txt' }),
      'key.txt': 'key-in-file\n',
    })
    await chmod(folder.at('key.txt'), 0o666)
    const isRoot = process.getuid?.() === 0
    const { stdout, stderr } = await serve(folder, async (url) => {
      const refused = await ask(url)
      expect([refused.status, keys]).toEqual([500, []])
      // As Kubernetes mounts it: a file of root.
      await chmod(folder.at('key.txt'), 0o644)
      expect((await ask(url)).status === 500).toBe(!isRoot)
      if (isRoot) {
        await chown(folder.at('key.txt'), 1000, 1000)
        expect((await ask(url)).status).toBe(500)
      }
      await chmod(folder.at('key.txt'), 0o600)
      await ask(url)
      expect(new Set(keys)).toEqual(new Set(['Bearer key-in-file']))
      const command = [process.execPath, '-e', 'console.log("key-of-command")']
      await writeFile(folder.at('gateway.json'), createConfig({ command }))
      await expect
        .poll(async () => (await ask(url)) && keys.at(-1), { timeout: 60_000 })
        .toBe('Bearer key-of-command')
    })
    expect(stdout + stderr).not.toMatch(/key-in-file|key-of-command/)
  })

  test('reads its configuration again, and keeps the old one after a mistake', async () => {
    await using folder = await Folder.with({ 'gateway.json': createConfig({ command: ['true'] }, 'first') })
    const listModels = async (url: string): Promise<string> => (await fetch(`${url}/v1/models`)).text()
    const { stderr } = await serve(folder, async (url) => {
      expect(await listModels(url)).toContain('"first"')
      await writeFile(folder.at('gateway.json'), createConfig({ command: ['true'] }, 'second'))
      await expect.poll(() => listModels(url), { timeout: 60_000 }).toContain('"second"')
      // The mistake is found after the store was opened, which shows that the file was read.
      const aliases = { a: 'b', b: 'c' }
      const mistake = { routes: [], aliases, recording: { store: 'conversations.jsonl' } }
      await writeFile(folder.at('gateway.json'), JSON.stringify(mistake))
      await expect.poll(() => existsSync(folder.at('conversations.jsonl')), { timeout: 60_000 }).toBe(true)
      expect(await listModels(url)).toContain('"second"')
    })
    expect(stderr).toContain('The configuration was read again.')
    expect(stderr).toContain('The old configuration stays in use.')
  })

  test('closes the store that a change of its configuration no longer names', async () => {
    const recording = { recording: { store: 'conversations.jsonl' } }
    const config = (more: object): string =>
      JSON.stringify({ ...(JSON.parse(createConfig({ command: ['true'] })) as object), ...more })
    await using folder = await Folder.with({ 'gateway.json': config(recording) })
    await serve(folder, async () => {
      const open = async (): Promise<string> => {
        try {
          await (await jsonlStorage(folder.at('conversations.jsonl'))).close()
          return 'opened'
        } catch (error) {
          return (error as InterlinguaError).code
        }
      }
      expect(await open()).toBe('conflict')
      await writeFile(folder.at('gateway.json'), config({}))
      await expect.poll(open, { timeout: 60_000 }).toBe('opened')
    })
  })

  test('reads its configuration again after SIGHUP, until it stops', async () => {
    await using folder = await Folder.with({ 'gateway.json': createConfig({ command: ['true'] }) })
    const listeners: (() => void)[] = []
    const onHangup = (listener: () => void): (() => void) => {
      listeners.push(listener)
      return () => void listeners.pop()
    }
    const work = async (): Promise<void> => {
      expect(listeners).toHaveLength(1)
      listeners[0]?.()
    }
    const { stderr } = await serve(folder, work, { onHangup })
    expect(listeners).toEqual([])
    expect(stderr).toContain('The configuration was read again.')
  })
})
