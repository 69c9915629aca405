import { request as sendRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { memoryStorage } from '../../src/stores/in-memory/memory-storage.ts'
import type { SessionList } from '../../src/studio/api/contract.ts'
import { startStudio, type StudioServer } from '../../src/studio/start-studio.ts'

let studio: StudioServer
let base = ''
let token = ''

beforeAll(async () => {
  studio = await startStudio({ storage: memoryStorage(), port: 0, pageFolder: 'src/studio/page' })
  const [, address = '', secret = ''] = /^(.*)\/#token=(.+)$/.exec(studio.url) ?? []
  base = address
  token = secret
})
afterAll(() => studio.close())

const post = (name: string, input: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${base}/api/${name}`, {
    method: 'POST',
    body: typeof input === 'string' ? input : JSON.stringify(input),
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

/** `fetch` does not let a caller set these headers. */
function getStatus(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    sendRequest(`${base}${path}`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('two studios run at once: the second takes a free port', async () => {
  const open = (): Promise<StudioServer> =>
    startStudio({ storage: memoryStorage(), pageFolder: 'src/studio/page' })
  const studios = [await open(), await open()]
  const urls = studios.map(({ url }) => new URL(url).origin)
  const answers = await Promise.all(urls.map((url) => fetch(url)))
  await Promise.all(studios.map((each) => each.close()))
  expect(new Set(urls).size).toBe(2)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

describe('the gateway', () => {
  const ask = (key: string): Promise<Response> =>
    fetch(`${base}/gateway/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'Hi' }] }),
    })
  const readKey = async (): Promise<string> =>
    ((await (await post('gateway.status', {})).json()) as { readonly key: string }).key

  test('answers only with the key that the page shows, since it spends the keys of the user', async () => {
    const key = await readKey()
    expect((await ask(key)).status).toBe(200)
    for (const other of ['', 'x', token]) expect((await ask(other)).status, other).toBe(401)
  })

  test('has a key that opens no conversations, and is not part of the URL', async () => {
    const key = await readKey()
    expect((await post('sessions.list', {}, { authorization: `Bearer ${key}` })).status).toBe(401)
    expect(studio.url).not.toContain(key)
  })

  test('answers its samples', async () => {
    expect(await (await post('gateway.sample', {})).json()).toEqual({ count: 20 })
    const { requestCount } = (await (await post('gateway.status', {})).json()) as { requestCount: number }
    expect(requestCount).toBeGreaterThanOrEqual(20)
  })
})

describe('the API', () => {
  test('answers only with the token of this start', async () => {
    expect((await post('sessions.list', {})).status).toBe(200)
    expect((await post('sessions.list', {}, { authorization: '' })).status).toBe(401)
    expect((await post('sessions.list', {}, { authorization: 'Bearer x' })).status).toBe(401)
    const get = await fetch(`${base}/api/sessions.list`, { headers: { authorization: `Bearer ${token}` } })
    expect(get.status).toBe(401)
  })

  test.each([
    ['another host', { host: 'attacker.example' }],
    ['another origin', { origin: 'https://attacker.example' }],
    ['a page of another server of this machine', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
  ])('refuses %s, for the page and the gateway, too', async (_name, headers) => {
    for (const path of ['/', '/api/sessions.list', '/gateway/v1/models'])
      expect(await getStatus(path, headers), path).toBe(403)
  })

  test('refuses what is no call, and input that is no object', async () => {
    expect((await post('constructor', {})).status).toBe(404)
    expect((await post('__proto__', {})).status).toBe(404)
    expect((await post('sessions.list', 'no JSON')).status).toBe(400)
    expect((await post('sessions.open', { session: 7 })).status).toBe(400)
    expect((await post('messages.read', { session: 's', ids: [{}] })).status).toBe(400)
    const unknown = await post('chat.run', { model: 'demo', action: { type: 'toString' } })
    expect(await unknown.text()).toContain('The run cannot start')
  })

  test('renames, forks and deletes a conversation, and reports one that does not exist', async () => {
    const session = 'sample-image'
    const forked = await post('sessions.fork', { session, at: 'unknown' })
    expect(forked.status).toBe(400)
    expect((await post('sessions.rename', { session, title: 'x'.repeat(201) })).status).toBe(400)
    expect(await (await post('sessions.rename', { session, title: ' New ' })).json()).toMatchObject({
      title: 'New',
    })
    expect(await (await post('sessions.delete', { session })).json()).toEqual({ isDeleted: true })
    expect((await post('sessions.open', { session })).status).toBe(400)
  })

  test('reports a provider whose models cannot be listed, without its key', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-secret-of-the-test')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1')
    try {
      const text = await (await post('models.list', {})).text()
      expect(JSON.parse(text)).toContainEqual({ provider: 'openai', models: [], error: expect.any(String) })
      expect(text).not.toContain('sk-secret')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('lists the samples, and their branches', async () => {
    const { sessions } = (await (await post('sessions.list', {})).json()) as SessionList
    expect(sessions.every(({ isSample }) => isSample)).toBe(true)
    const tree = await (await post('sessions.open', { session: 'sample-weather' })).text()
    expect(tree).toContain('gemini-2.5-pro')
  })
})

describe('the page', () => {
  test('has a policy that allows no inline script and no other host', async () => {
    const { headers } = await fetch(base)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each(['/../package.json', '/..%2fpackage.json', '/assets/%2e%2e/server.ts', '/nothing'])(
    '%s is not a file of it',
    async (path) => expect((await fetch(base + path)).status).toBe(404),
  )
})
