import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findPieces, forms } from '../client/transport/key-forms.ts'
import { anthropic } from '../providers/fakes/anthropic.ts'
import { type Act, sends, startFake, streams } from '../providers/fakes/server.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'

const KEY = 'sk-proj-Zk39/q7Tx+4f8e1b7c'
const everyForm = forms.map(([, write]) => write(KEY)).join(' ')

let folder: Folder
beforeEach(async () => {
  folder = await Folder.with()
  vi.stubEnv('ANTHROPIC_API_KEY', KEY)
  return () => folder[Symbol.asyncDispose]()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Everything that a command leaves behind: what it prints, and the files that it writes. */
async function collectTraces({ stdout, stderr }: Ran): Promise<string> {
  const files = await listFiles()
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1')))
  return [stdout, stderr, ...files, ...contents].join('\n')
}

async function listFiles(): Promise<readonly string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Runs a command with the key in the environment, too, and expects no piece of it anywhere. */
async function expectNoKey(words: readonly string[], input = ''): Promise<void> {
  const environment = { ANTHROPIC_API_KEY: KEY, OLLAMA_HOST: '127.0.0.1:9' }
  for (const more of [[], ['--json']]) {
    const ran = await interlingua([...words, ...more], { folder: folder.path, environment, input })
    expect(findPieces(await collectTraces(ran), KEY), [...words, ...more].join(' ')).toEqual([])
  }
}

/** Sends a stream in pieces that separate the letters of the key. */
async function sendInPieces(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { 'content-type': anthropic.streamType })
  for (let start = 0; start < text.length; start += 5) {
    response.write(text.slice(start, start + 5))
    if (start % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

const errorEvent = anthropic.errorEvent.replace(
  /"message":"[^"]*"/,
  () => `"message":${JSON.stringify(`Bad key: ${everyForm}`)}`,
)

const echoes: readonly (readonly [title: string, act: Act])[] = [
  ['an error body', sends(anthropic.error(401, `Bad key: ${everyForm}`), 401)],
  ['an error with good status', sends(anthropic.error(401, `Bad key: ${everyForm}`))],
  ['a text', sends(`<html>Bad key: ${everyForm}</html>`, 502)],
  ['headers', sends('{}', 400, { 'request-id': KEY, 'x-request-id': KEY, 'retry-after': KEY })],
  ['a redirect', sends('', 307, { location: `https://example.com/?key=${encodeURIComponent(KEY)}` })],
  ['a stream in pieces', (response) => sendInPieces(response, errorEvent)],
  [
    'a stream after its start',
    (response) => sendInPieces(response, `${anthropic.events.slice(0, 2).join('')}${errorEvent}`),
  ],
]

describe('[S21] the command line prints and writes no key', () => {
  test.each(echoes)('that a host repeats in %s', async (_title, act) => {
    const fake = await startFake(act)
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url)
    await expectNoKey(['chat', 'Hi', '--model', 'anthropic:claude-fake'])
    expect(fake.requests.length).toBeGreaterThan(0)
    await fake.close()
  })

  test('that a host repeats to `doctor`', async () => {
    const fake = await startFake(sends(anthropic.error(401, `Bad key: ${everyForm}`), 401))
    vi.stubEnv('ANTHROPIC_BASE_URL', fake.url)
    await expectNoKey(['doctor'])
    expect(fake.requests.length).toBeGreaterThan(0)
    await fake.close()
  })

  test('of a host that answers', async () => {
    const fake = await startFake(streams(anthropic.events, anthropic.streamType))
    vi.stubEnv('ANTHROPIC_BASE_URL', `${fake.url}/?key=${encodeURIComponent(KEY)}`)
    await expectNoKey(['chat', 'Hi', '--model', 'anthropic:claude-fake'])
    await expectNoKey(['store', 'list'])
    await expectNoKey(['providers'])
    await fake.close()
  })

  const encoded = encodeURIComponent(KEY)
  test.each([
    ['store', 'list', '--store', `postgres://ada:${encoded}@127.0.0.1:9/chat`],
    ['store', 'list', '--store', `redis://ada:${encoded}@127.0.0.1:9`],
    ['store', 'list', '--store', `mysql://ada:${encoded}@127.0.0.1:9`],
    ['doctor', '--offline', '--store', `postgres://ada:${encoded}@127.0.0.1:9/chat`],
    ['chat', 'Hi', '--model', 'anthropic:m', '--base-url', `http://ada:${encoded}@127.0.0.1:9`],
    ['chat', 'Hi', '--model', 'anthropic:m', '--base-url', `http://127.0.0.1:9/?api_key=${encoded}`],
    ['chat', 'Hi', '--model', 'anthropic:m', '--base-url', `127.0.0.1:9/${encoded}`],
  ])('in a URL: %s %s %s', async (...words) => {
    await expectNoKey(words)
  })
})

test('files of conversations are readable for their owner only', async () => {
  const run = async (words: readonly string[], input = ''): Promise<void> => {
    const { code, stderr } = await interlingua(words, { folder: folder.path, input })
    expect(code, stderr).toBe(0)
  }
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
  await run(['convert', '--from', 'openai-chat', '--to', 'ollama', '-o', folder.at('out.json')], body)
  for (const store of ['lines.jsonl', 'tables.db']) {
    const at = ['--store', folder.at(store)]
    await run(['chat', 'Hi', '--model', 'demo', ...at])
    await run(['store', 'export', 's', ...at, '-o', folder.at(`${store}.export`)])
    await run(['store', 'backup', '-o', folder.at(`copy-of-${store}`), ...at])
  }
  const files = await listFiles()
  const modes = await Promise.all(files.map(async (file) => ((await stat(file)).mode & 0o777).toString(8)))
  expect(modes).toEqual(files.map(() => '600'))
  expect(files.length).toBeGreaterThanOrEqual(7)
})
