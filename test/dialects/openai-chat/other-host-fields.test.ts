import { assistant, dialects, reasoning, text, user } from 'interlingua'
import { openaiChat } from 'interlingua/providers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { flavors } from '../../../src/dialects/openai-chat/flavors.ts'
import { again, expectSame } from '../../law-assertions.ts'

const dialect = dialects['openai-chat']

const { refusedFields = [], refusedMessageFields = [] } = flavors.openai

/** A conversation with fields of many hosts. */
const body = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'Hello',
      reasoning_content: 'Greet.',
      ...Object.fromEntries(refusedMessageFields.map((key) => [key, 'x'])),
    },
    { role: 'user', content: 'Go on' },
  ],
  ...Object.fromEntries(refusedFields.map((key) => [key, 1])),
  prompt_cache_key: 'k',
  a_field_of_tomorrow: 1,
}

describe.each(['openai', 'azure'] as const)('the flavor %s', (flavor) => {
  test('sends no field of another host, and reports each one', () => {
    const { value, losses } = dialect.encodeRequest(dialect.decodeRequest(body).value, { flavor })
    expectSame(again(value), {
      model: 'm',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Go on' },
      ],
      prompt_cache_key: 'k',
      a_field_of_tomorrow: 1,
    })
    const settings = losses.filter(({ rule }) => rule === 'host-setting').map(({ path }) => path)
    expect(settings.toSorted()).toEqual(refusedFields.map((key) => `/extra/openai-chat/${key}`).toSorted())
    expect(losses.filter(({ rule }) => rule === 'host-field')).toHaveLength(refusedMessageFields.length)
  })

  test('a body is still encoded exactly without a flavor', () => {
    expectSame(again(dialect.encodeRequest(dialect.decodeRequest(body).value)), { value: body, losses: [] })
  })
})

describe('the provider `openai`', () => {
  afterEach(() => vi.unstubAllEnvs())

  async function send(options: { readonly baseUrl?: string }): Promise<string> {
    let sent = ''
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
      sent = typeof init?.body === 'string' ? init.body : ''
      return Promise.resolve(
        Response.json({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] }),
      )
    }
    const received = dialect.decodeRequest(body).value
    const messages = [...received.messages, assistant([reasoning('Hm.'), text('Hi')]), user('More')]
    await openaiChat('gpt-x', { apiKey: 'k', fetch, ...options }).generate({ messages })
    return sent
  }

  test('sends no reasoning of another host', async () => {
    expect(await send({})).not.toContain('reasoning_content')
  })

  test('has no flavor at another base URL, which is another host', async () => {
    expect(await send({ baseUrl: 'http://127.0.0.1:1/v1' })).toContain('reasoning_content')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
    expect(await send({})).toContain('reasoning_content')
  })
})
