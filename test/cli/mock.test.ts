import { expect, test } from 'vitest'
import { responses } from '../dialects/bodies/anthropic-responses.ts'
import { Folder, interlingua, withServer } from './run-command.ts'

function ask(
  url: string,
  body: object,
  headers: Record<string, string> = { 'x-api-key': 'test' },
): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'claude-opus-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
      ...body,
    }),
    headers,
  })
}

test('mock answers, refuses and logs', async () => {
  const { stdout, code } = await withServer(['mock'], async (url) => {
    expect((await ask(url, {})).status).toBe(200)
    const refused = await ask(url, { thinking: { type: 'enabled', budget_tokens: 5 } })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect((await ask(url, {}, {})).status).toBe(401)
  })
  expect(stdout).toContain('ANTHROPIC_BASE_URL=http://127.0.0.1:')
  expect(stdout).toMatch(/^200 {2}anthropic {2}claude-opus-5$/m)
  expect(stdout).toMatch(/^400 {2}anthropic {2}claude-opus-5 {2}thinking/m)
  expect(code).toBe(130)
})

test('mock fails as --faults lists, and prints JSON', async () => {
  const { stdout } = await withServer(
    ['mock', '--faults', '429:2,ok', '--no-key', '--models', 'claude-opus-5', '--json'],
    async (url) => {
      const limited = await ask(url, {}, {})
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2'])
      expect((await ask(url, {}, {})).status).toBe(200)
      expect((await ask(url, { model: 'claude-none' }, {})).status).toBe(404)
    },
  )
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines).toMatchObject([
    { type: 'listening' },
    { type: 'request', status: 429 },
    { status: 200, problems: [] },
  ])
})

test('mock replays a recording', async () => {
  const [body] = Object.values(responses)
  await using folder = await Folder.with({
    'answer.json': JSON.stringify(body),
    'request.json': '{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
  })
  const replay = async (url: string): Promise<void> => expect(await (await ask(url, {})).json()).toEqual(body)
  await withServer(['mock', 'answer.json'], replay, { folder: folder.path })
  const wrong = await interlingua(['mock', 'request.json'], { folder: folder.path })
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('contains no response or stream')])
})

test('mock refuses invalid options', async () => {
  expect(await interlingua(['mock', '--faults', 'explode'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('`explode` is not a failure'),
  })
  expect(await interlingua(['mock', '--port', '70000'])).toMatchObject({ code: 2 })
})
