import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requests, responses, streams } from '../dialects/kit/parley-bodies.ts'
import { Folder, interlingua } from './run-command.ts'

const file = fileURLToPath(new URL('../../examples/own-dialect/registry.js', import.meta.url))
const registry = ['--registry', file]
const body = JSON.stringify(requests[0])
const stream = (streams[0] ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

describe('the command line with --registry', () => {
  test('converts from and to a dialect of the user', async () => {
    const there = await interlingua(['convert', '--to', 'anthropic', ...registry], { input: body })
    expect(there).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') as string })
    expect(JSON.parse(there.stdout)).toMatchObject({ messages: [{ role: 'user' }] })
    const words = ['convert', '--from', 'anthropic', '--to', 'parley', `--registry=${file}`]
    const back = await interlingua(words, { input: there.stdout })
    expect(JSON.parse(back.stdout)).toMatchObject({ engine: 'parley-1', turns: [{ by: 'human' }] })
  })

  test('converts streams and lines', async () => {
    const events = await interlingua(['convert', '--to', 'openai-chat', ...registry], { input: stream })
    expect(events).toMatchObject({ code: 0, stdout: expect.stringContaining('"content":"Hel"') as string })
    const lines = await interlingua(['convert', '--to', 'parley', ...registry], {
      input: `${body}\n${body}\n`,
    })
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([requests[0], requests[0]])
  })

  test('inspects and verifies', async () => {
    const shown = await interlingua(['inspect', ...registry], { input: JSON.stringify(responses[0]) })
    expect(shown.stdout).toContain('parley response')
    await using folder = await Folder.with({ 'body.json': body, 'answer.sse': stream })
    const verified = await interlingua(['verify', folder.path, '--json', ...registry])
    expect(verified.code).toBe(0)
    expect(JSON.parse(verified.stdout)).toMatchObject({ documentCount: 2 })
    const none = await interlingua(['convert', '--to', 'gemini', '--from', 'parley', ...registry], {
      input: '{"a":1}',
    })
    expect(none.code).not.toBe(0)
  })

  test('knows the flavors of the user', async () => {
    const input = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], temperature: 2 })
    const words = ['convert', '--from', 'openai-chat', '--to', 'openai-chat', '--flavor', 'quiet-host']
    const { stdout } = await interlingua([...words, ...registry], { input })
    expect(JSON.parse(stdout)).toMatchObject({ model: 'm' })
    const unknown = await interlingua(words, { input })
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).toContain('quiet-host')
  })

  test('the next command line does not know the dialect', async () => {
    const { code, stderr } = await interlingua(['convert', '--to', 'parley'], { input: body })
    expect(code).not.toBe(0)
    expect(stderr).toContain('parley')
  })

  test('a module without a registry is an error', async () => {
    await using folder = await Folder.with({
      'empty.mjs': 'export const nothing = 1',
      'broken.mjs': 'export (',
    })
    for (const [name, message] of [
      ['empty.mjs', 'exports no registry'],
      ['broken.mjs', 'cannot be loaded'],
      ['missing.mjs', 'cannot be loaded'],
    ] as const) {
      const { code, stderr } = await interlingua(['inspect', '--registry', folder.at(name)], { input: body })
      expect(code).not.toBe(0)
      expect(stderr).toContain(message)
    }
  })
})

describe('chat', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(stream.replace('"why":"tools"', '"why":"done"').replaceAll('"kind":"use"', '"kind":"odd"'))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  test('a provider of the user answers', async () => {
    const { port } = server.address() as AddressInfo
    const words = [
      'chat',
      '--model',
      'parley:parley-1',
      '--base-url',
      `http://127.0.0.1:${port}`,
      '--no-store',
    ]
    process.env['PARLEY_API_KEY'] = 'secret'
    const { code, stdout, stderr } = await interlingua([...words, ...registry, 'Hi'])
    delete process.env['PARLEY_API_KEY']
    expect([code, stdout.trim(), stderr]).toMatchObject([
      0,
      expect.stringContaining('Hello'),
      expect.anything(),
    ])
  })
})
