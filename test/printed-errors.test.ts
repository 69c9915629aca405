import { Agent } from 'interlingua/agent'
import { createGateway, type GatewayConfig } from 'interlingua/gateway'
import { createAgUiHandler, createUIChatHandler } from 'interlingua/handlers'
import { providers } from 'interlingua/providers'
import { afterEach, describe, expect, test, vi } from 'vitest'

/** A provider whose key no test sets. */
const keyless = providers.sambanova('m')

const post = (path: string, body: object): Request =>
  new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const uiRequest = (): Request =>
  post('/api/chat', {
    id: 'c',
    trigger: 'submit-message',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'My secret' }] }],
  })

const agUiRequest = (): Request =>
  post('/', { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'My secret' }] })

const gatewayRequest = (): Request =>
  post('/v1/chat/completions', { model: 'x', messages: [{ role: 'user', content: 'My secret' }] })

const routes: GatewayConfig['routes'] = [{ model: '*', to: 'sambanova:m' }]

type OnError = (error: unknown) => void

/** An endpoint without a key for its model, with and without `onError`. */
const endpoints: Record<string, (options: { readonly onError?: OnError }) => Promise<Response>> = {
  'the handler for useChat': (options) =>
    createUIChatHandler({ agent: new Agent({ model: keyless }), ...options })(uiRequest()),
  'the handler for AG-UI': (options) =>
    createAgUiHandler({ agent: new Agent({ model: keyless }), ...options })(agUiRequest()),
  'the gateway': (options) => createGateway({ routes, ...options })(gatewayRequest()),
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(Object.entries(endpoints))(
  'a failure of %s that the client sees as a code only',
  (_name, answer) => {
    test('is printed, with what to do and without the conversation', async () => {
      const print = vi.spyOn(console, 'error').mockReturnValue()
      const text = await (await answer({})).text()
      expect(text).not.toContain('SAMBANOVA_API_KEY')
      expect(print).toHaveBeenCalledOnce()
      const [printed] = print.mock.calls[0] ?? []
      expect(printed).toMatch(/^\[interlingua\] .*API key.*\(missing-field\).*SAMBANOVA_API_KEY/)
      expect(printed).not.toContain('My secret')
    })

    test('is reported to `onError` instead', async () => {
      const print = vi.spyOn(console, 'error').mockReturnValue()
      const errors: unknown[] = []
      await (await answer({ onError: (error) => errors.push(error) })).text()
      expect(errors).toMatchObject([{ code: 'missing-field' }])
      expect(print).not.toHaveBeenCalled()
    })
  },
)

test('a function that returns no options is a mistake of the application, not of the library', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const response = await createUIChatHandler(() => undefined as never)(uiRequest())
  expect(await response.json()).toMatchObject({ error: { code: 'invalid-type' } })
  expect(print.mock.calls[0]?.[0]).toContain('The options of the handler are invalid')
})

test('an error that is not of the library is printed with its stack', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const agent = (): Agent => {
    throw new Error('No agent for this user')
  }
  await createUIChatHandler({ agent })(uiRequest())
  expect(print.mock.calls[0]?.[0]).toMatch(/Error: No agent for this user\n\s+at /)
})

test('a provider that refuses a request is not printed: the client of the gateway sees its error', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const answer = createGateway({ routes: [{ model: 'known', to: 'sambanova:m' }] })
  expect((await answer(gatewayRequest())).status).toBe(404)
  expect(print).not.toHaveBeenCalled()
})
