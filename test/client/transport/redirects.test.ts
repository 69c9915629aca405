import { user } from 'interlingua'
import { anthropic, gemini, openai } from 'interlingua/providers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openaiChat } from '../../providers/fakes/openai-chat.ts'
import { type Act, type Fake, sends, startFake } from '../../providers/fakes/server.ts'
import { KEY, usualOf } from '../../providers/fakes/table.ts'
import { FAKE_TEXT } from '../../providers/fakes/wire.ts'

const request = { messages: [user('Something private')] }
let home: Fake
let elsewhere: Fake
beforeAll(async () => {
  home = await startFake(usualOf(openaiChat))
  elsewhere = await startFake(usualOf(openaiChat))
})
afterAll(() => Promise.all([home.close(), elsewhere.close()]))

const to = (location: string, status = 307): Act => sends('', status, { location })
const model = (): ReturnType<typeof openai> => openai('fake-1', { apiKey: KEY, baseUrl: home.url })

test.each([301, 302, 303, 307, 308])(
  '[S17] status %i to another host sends it neither key nor conversation',
  async (status) => {
    home.next(to(`${elsewhere.url}/chat/completions`, status))
    await expect(model().generate(request)).rejects.toMatchObject({ kind: 'not-found', status })
    home.next(to(`${elsewhere.url}/chat/completions`, status))
    await expect(model().stream(request).reply).rejects.toMatchObject({ kind: 'not-found' })
    home.next(to(`${elsewhere.url}/models`, status))
    const listed = openai.listModels({ apiKey: KEY, baseUrl: home.url })
    await expect(listed).rejects.toMatchObject({ kind: 'not-found' })
    expect(elsewhere.requests).toEqual([])
  },
)

test.each([
  '//127.0.0.2/x',
  'https://127.0.0.1/x',
  '\\\\127.0.0.2\\x',
  'http://[::1]/x',
  'file:///etc/passwd',
])('another host is detected in any spelling: %s', async (location) => {
  const before = home.requests.length
  home.next(to(location))
  await expect(model().generate(request)).rejects.toMatchObject({ kind: 'not-found' })
  expect(home.requests.length).toBe(before + 1)
})

test('within the origin a redirect is followed with key and body, if it keeps the method', async () => {
  home.next(to('/other/path'))
  expect((await model().generate(request)).text).toBe(FAKE_TEXT)
  const [first, second] = home.requests.slice(-2)
  expect(second).toMatchObject({ method: 'POST', path: '/other/path', body: first?.body })
  expect(second?.headers.authorization).toContain(KEY)
  home.next(to('/other/path', 302))
  await expect(model().generate(request)).rejects.toMatchObject({ kind: 'not-found' })
})

test.each([
  ['endlessly', to('/round'), 6],
  ['without a location', sends('', 307), 1],
])('redirects %s end', async (_title, act, asked) => {
  const fake = await startFake(act)
  const answer = openai('fake-1', { apiKey: KEY, baseUrl: fake.url }).generate(request)
  await expect(answer).rejects.toMatchObject({ kind: 'not-found' })
  expect(fake.requests.length).toBe(asked)
  await fake.close()
})

test('[S7] nothing in a request changes its target', async () => {
  const hostile = { base_url: elsewhere.url, api_base: elsewhere.url, baseUrl: elsewhere.url }
  const before = home.requests.length
  await expect(model().generate({ ...request, ...hostile })).rejects.toMatchObject({ path: '/base_url' })
  await model().generate({
    ...request,
    metadata: { api_base: elsewhere.url },
    extra: { 'openai-chat': hostile, unknown: hostile },
  })
  for (const name of ['../../../x', '//127.0.0.2/', 'a?b=c', 'a#b', '@127.0.0.2', 'a\\..\\b', '..%2f..']) {
    await gemini(name, { apiKey: KEY, baseUrl: `${home.url}/v9` })
      .generate(request)
      .catch(() => {})
  }
  expect(elsewhere.requests).toEqual([])
  for (const { path } of home.requests.slice(before + 1)) expect(path).toMatch(/^\/v9\/v1beta\/models\//)
})

test('[S20] a key is in a header, never in a URL', async () => {
  await gemini('fake-1', { apiKey: KEY, baseUrl: home.url })
    .generate(request)
    .catch(() => {})
  const sent = home.requests.at(-1)
  expect(sent?.query).toEqual({})
  expect(sent?.headers['x-goog-api-key']).toBe(KEY)
})

test.each(['not an address', 'ftp://127.0.0.1', 'https://user:secret-in-address@example.com', ''])(
  'an invalid base URL is rejected before anything is sent: %s',
  async (baseUrl) => {
    const asked = anthropic('fake-1', { apiKey: KEY, baseUrl }).generate(request)
    const error: unknown = await asked.catch((each: unknown) => each)
    expect(error).toMatchObject({ code: 'invalid-value', path: '/baseUrl' })
    expect(JSON.stringify(error)).not.toContain('secret-in-address')
  },
)
