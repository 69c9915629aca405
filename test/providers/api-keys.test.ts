import { inspect } from 'node:util'
import { InterlinguaError, user } from 'interlingua'
import { azure, model, ollama, openaiCompatible, providers } from 'interlingua/providers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { allProviders, usualOf, KEY, providerFacts } from './fakes/table.ts'
import { startFake, type Captured } from './fakes/server.ts'
import { openaiChat } from './fakes/openai-chat.ts'
import { ollama as ollamaWire } from './fakes/ollama.ts'

const request = { messages: [user('Hi')] }

/** All environment variables of all providers. */
const VARIABLES = [
  ...new Set(allProviders.flatMap(({ variables }) => variables)),
  'OLLAMA_API_KEY',
  'OLLAMA_HOST',
  'OPENAI_BASE_URL',
  'ANTHROPIC_BASE_URL',
  'AZURE_OPENAI_ENDPOINT',
]
beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined)
})
afterEach(() => vi.unstubAllEnvs())

const seen: { url: string; headers: Record<string, string> }[] = []
/** Records the target of a request. */
const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
  seen.push({
    url: url instanceof Request ? url.url : url.toString(),
    headers: init?.headers as Record<string, string>,
  })
  return Promise.resolve(new Response('{}', { status: 400 }))
}
beforeEach(() => void seen.splice(0))

const needing = allProviders.filter(({ variables }) => variables.length > 0)

describe.each(needing)('$name', ({ name, variables, auth, ...provider }) => {
  test('names the variable to set when there is no key, and sends nothing', async () => {
    for (const other of VARIABLES) if (!variables.includes(other)) vi.stubEnv(other, 'http://other.example')
    const asked = provider.at('http://127.0.0.1')('fake-1', { fetch })
    const error: unknown = await asked.generate(request).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(InterlinguaError)
    for (const variable of variables) expect((error as InterlinguaError).hint).toContain(variable)
    await expect(asked.stream(request).reply).rejects.toMatchObject({
      code: 'missing-field',
      path: '/apiKey',
    })
    expect(seen).toEqual([])
  })

  test.each(variables)('reads the key when a request is sent, not before: %s', async (variable) => {
    const asked = model(`${name}:fake-1`, { fetch, baseUrl: 'http://127.0.0.1' })
    vi.stubEnv(variable, ` ${KEY}\n`)
    await asked.generate(request).catch(() => {})
    expect(seen[0]?.headers[auth]).toMatch(new RegExp(`^(Bearer )?${KEY}$`))
  })
})

describe('[r176] the target of requests', () => {
  const urls = Object.entries(providerFacts).flatMap(([name, { url }]) =>
    url === undefined ? [] : [[name, url]],
  )

  test.each(urls)('%s: %s', async (name, url) => {
    const asked = model(`${name}:fake-1`, { apiKey: KEY, fetch })
    await asked.generate(request).catch(() => {})
    expect(seen[0]?.url).toBe(url)
  })

  test.each([
    ['http://box:1234', 'http://box:1234/api/chat'],
    ['box:1234', 'http://box:1234/api/chat'],
    ['0.0.0.0', 'http://0.0.0.0:11434/api/chat'],
    ['https://box/', 'https://box/api/chat'],
  ])('OLLAMA_HOST may be %s', async (host, url) => {
    vi.stubEnv('OLLAMA_HOST', host)
    await ollama('fake-1', { fetch })
      .generate(request)
      .catch(() => {})
    expect(seen[0]).toMatchObject({ url })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  test('cloudflare has the account in its base URL', async () => {
    const asked = model('cloudflare:@cf/meta/llama', { apiKey: KEY, fetch })
    await expect(asked.generate(request)).rejects.toMatchObject({
      path: '/baseUrl',
      hint: expect.stringContaining('CLOUDFLARE_ACCOUNT_ID') as string,
    })
    vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'a/b')
    await asked.generate(request).catch(() => {})
    expect(seen[0]?.url).toBe('https://api.cloudflare.com/client/v4/accounts/a%2Fb/ai/v1/chat/completions')
  })

  test('azure has a base URL for each account', async () => {
    const asked = azure('deployment', { apiKey: KEY, fetch })
    await expect(asked.generate(request)).rejects.toMatchObject({
      path: '/baseUrl',
      hint: expect.stringContaining('AZURE_OPENAI_ENDPOINT') as string,
    })
    vi.stubEnv('AZURE_OPENAI_ENDPOINT', 'https://mine.openai.azure.com/')
    await asked.generate(request).catch(() => {})
    expect(seen[0]).toMatchObject({
      url: 'https://mine.openai.azure.com/openai/v1/chat/completions',
      headers: { 'api-key': KEY },
    })
    await model('azure-responses:deployment', { apiKey: KEY, fetch })
      .generate(request)
      .catch(() => {})
    expect(seen[1]).toMatchObject({
      url: 'https://mine.openai.azure.com/openai/v1/responses',
      headers: { 'api-key': KEY },
    })
  })

  test('a query of the base URL stays', async () => {
    const local = openaiCompatible({ baseUrl: 'http://127.0.0.1/v1/?api-version=1', fetch })
    await local('fake-1')
      .generate(request)
      .catch(() => {})
    expect(seen[0]?.url).toBe('http://127.0.0.1/v1/chat/completions?api-version=1')
  })
})

describe('model', () => {
  test('[r187] splits at the first colon', async () => {
    const asked = model('ollama:llama3.2:3b', { fetch })
    expect(asked).toMatchObject({ name: 'llama3.2:3b', provider: 'ollama' })
  })

  test.each(['', ':', 'openai', 'openai:', 'nobody:x', '__proto__:x', 'constructor:x'])(
    '%j is not a model',
    (name) => {
      expect(() => model(name)).toThrow(expect.objectContaining({ code: 'unknown-id' }) as Error)
    },
  )
})

describe('openaiCompatible', () => {
  async function asked(options: object, wire = openaiChat): Promise<Captured | undefined> {
    const fake = await startFake(usualOf(wire))
    const { text } = await openaiCompatible({ baseUrl: fake.url, ...options })('fake-1').stream(request).reply
    expect(text).toBe('Hello there.')
    await fake.close()
    return fake.requests[0]
  }

  test('gets a key only if one is given', async () => {
    vi.stubEnv('OPENAI_API_KEY', KEY)
    expect((await asked({}))?.headers).not.toHaveProperty('authorization')
    expect((await asked({ apiKey: KEY, auth: 'x-api-key' }))?.headers['x-api-key']).toBe(KEY)
    const own = { 'X-Mine': 'yes', Authorization: 'Basic abc' }
    expect((await asked({ apiKey: KEY, headers: own }))?.headers).toMatchObject({
      'x-mine': 'yes',
      authorization: 'Basic abc',
    })
  })

  test('has the name of its host, or the given name', () => {
    expect(openaiCompatible({ baseUrl: 'http://box:8000/v1' })('m').provider).toBe('box:8000')
    expect(openaiCompatible({ baseUrl: 'http://box:8000/v1', name: 'mine' })('m').provider).toBe('mine')
  })
})

test('a JSON response to a streamed request is accepted', async () => {
  const fake = await startFake((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(openaiChat.whole))
  })
  const { text } = await openaiCompatible({ baseUrl: fake.url })('fake-1').stream(request).reply
  expect(text).toBe('Hello there.')
  fake.next((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(ollamaWire.events.join(''))
  })
  const lines = await ollama('fake-1', { baseUrl: fake.url }).stream(request).reply
  expect(lines.text).toBe('Hello there.')
  await fake.close()
})

test('a provider exposes only its methods', () => {
  expect(inspect(providers.openai.with({ apiKey: KEY }))).not.toContain(KEY)
})
