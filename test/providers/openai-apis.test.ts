import type { ChatRequest, Effort } from 'interlingua'
import { user } from 'interlingua'
import { modelFamilies } from 'interlingua/models'
import { model, openai, openaiChat, openaiResponses, type Provider } from 'interlingua/providers'
import { afterEach, describe, expect, test, vi } from 'vitest'

afterEach(() => void vi.unstubAllEnvs())

/** Returns the path that a request is sent to, or the error before it. */
async function pathOf(
  provider: Provider,
  name: string,
  request: Partial<ChatRequest> = {},
): Promise<unknown> {
  let path: string | undefined
  const refuse: typeof fetch = async (url) => {
    ;({ pathname: path } = new URL(url instanceof Request ? url.url : url))
    return new Response('{"error":{"message":"no"}}', { status: 400 })
  }
  const asked = provider(name, { apiKey: 'k', fetch: refuse })
  const error: unknown = await asked
    .generate({ messages: [user('Hi')], ...request })
    .catch((cause: unknown) => cause)
  return path ?? error
}

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const tools: ChatRequest['tools'] = [{ type: 'function', name: 'weather', input: { type: 'object' } }]
const withEffort = (effort: Effort): Partial<ChatRequest> => ({ tools, reasoning: { effort } })

/** The names of OpenAI's families, without the mark of later models. */
const ownNames = modelFamilies
  .filter(({ vendor }) => vendor === 'openai')
  .flatMap((family) => family.names.map((name) => [name.replace('*', '99'), family] as const))

describe('openai', () => {
  test.each<readonly [name: string, path: string]>([
    ...ownNames.map(([name]) => [name, /audio|gpt-oss/.test(name) ? CHAT : RESPONSES] as const),
    ['ft:gpt-4o:my-org::abc', RESPONSES],
    ['gpt-6-sol-2026-09-22', RESPONSES],
    ['codex-mini-latest', RESPONSES],
    ['o3-deep-research', RESPONSES],
    ['gpt-4o-audio-preview', CHAT],
    ['gpt-5-search-api', CHAT],
    ['llama', CHAT],
    ['mistral-large', CHAT],
    ['my-fine-model', CHAT],
  ])('sends %s to %s', async (name, path) => {
    expect(await pathOf(openai, name)).toBe(path)
    expect(openai(name).countTokens !== undefined).toBe(path === RESPONSES)
  })

  test.each(ownNames)('serves %s with tools, whatever the effort', async (name) => {
    for (const request of [{ tools }, withEffort('high'), withEffort('none')])
      expect([CHAT, RESPONSES]).toContain(await pathOf(openai, name, request))
  })

  test('is the provider of `model("openai:…")`', () => {
    expect(model('openai:gpt-6-sol')).toHaveProperty('countTokens')
    expect(model('openai:llama')).not.toHaveProperty('countTokens')
    expect(model('openai-chat:gpt-6-sol')).not.toHaveProperty('countTokens')
  })
})

describe('openaiChat', () => {
  test.each(ownNames)('%s: tools are refused where the model refuses them', async (name, { chatTools }) => {
    for (const [request, isRefused] of [
      [{ tools }, chatTools !== undefined],
      [withEffort('low'), chatTools !== undefined],
      [{ tools, reasoning: { effort: 'none', enabled: true } }, chatTools !== undefined],
      [withEffort('none'), chatTools === false],
      [{}, false],
    ] as const) {
      const outcome = await pathOf(openaiChat, name, request)
      if (/-pro|codex/.test(name)) continue
      if (!isRefused) expect([name, outcome]).toEqual([name, CHAT])
      else
        expect(outcome).toMatchObject({
          code: 'unsupported',
          path: '/tools',
          message: expect.stringContaining(`'${name}'`),
          hint: expect.stringContaining(`openaiResponses('${name}')`),
        })
    }
  })

  test.each(['gpt-5-pro', 'gpt-5.3-codex', 'o3-pro', 'o4-mini-deep-research'])(
    'does not serve %s',
    async (name) => {
      expect(await pathOf(openaiChat, name)).toMatchObject({
        code: 'unsupported',
        path: '/model',
        hint: expect.stringContaining(`openaiResponses('${name}')`),
      })
    },
  )

  test('streams and token counts are checked, too', async () => {
    await expect(openaiChat('gpt-5-pro', { apiKey: 'k' }).stream('Hi').reply).rejects.toMatchObject({
      code: 'unsupported',
    })
    const audio = openaiResponses('gpt-audio', { apiKey: 'k' })
    await expect(audio.countTokens?.('Hi')).rejects.toMatchObject({ code: 'unsupported' })
  })
})

test.each(['gpt-audio', 'gpt-4o-search-preview'])('openaiResponses does not serve %s', async (name) => {
  expect(await pathOf(openaiResponses, name)).toMatchObject({
    code: 'unsupported',
    message: `The model '${name}' is not served by the Responses API`,
    hint: expect.stringContaining(`openaiChat('${name}')`),
  })
})

describe('another host', () => {
  test('is not checked: what it serves is unknown', async () => {
    const other = openaiChat.with({ baseUrl: 'https://gateway.example/v1' })
    expect(await pathOf(other, 'gpt-5-pro', { tools })).toBe(CHAT)
    vi.stubEnv('OPENAI_BASE_URL', 'https://gateway.example/v1')
    expect(await pathOf(openaiChat, 'gpt-6.1-sol')).toBe(CHAT)
    expect(await pathOf(openaiResponses, 'gpt-audio')).toBe(RESPONSES)
  })
})
