import { dialects, InterlinguaError, user } from 'interlingua'
import { defineFlavor } from 'interlingua/dialects/openai-chat'
import { openaiCompatible } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

const myHost = defineFlavor('my-host', { base: 'mistral', maxTemperature: 0.5 })
const request = { model: 'm', temperature: 0.9, seed: 7, messages: [user('Hi')] }
const chat = dialects['openai-chat']

describe('a flavor of the application', () => {
  test('has the facts of its base and its own', () => {
    const { value, losses } = chat.encodeRequest(request, { flavor: myHost })
    expect(value).toMatchObject({ temperature: 0.5, random_seed: 7 })
    expect(losses.map(({ path }) => path)).toContain('/temperature')
    expect(losses[0]?.reason).toContain('my-host')
    expect(chat.encodeRequest(request).value).toMatchObject({ temperature: 0.9, seed: 7 })
  })

  test('is that of most compatible hosts without a base, and no flavor of another dialect', () => {
    const plain = defineFlavor('my-plain-host')
    const developer = {
      ...request,
      messages: [{ id: 'm', role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }],
    } as const
    expect(chat.encodeRequest(developer, { flavor: plain }).value.messages).toMatchObject([
      { role: 'system' },
    ])
    const { value } = dialects.gemini.encodeRequest(request, { flavor: plain })
    expect(value).toEqual(dialects.gemini.encodeRequest(request).value)
  })

  test('decodes the names of its host, and goes back as it came', () => {
    const body = { model: 'm', random_seed: 7, messages: [{ role: 'user', content: 'Hi' }] }
    const decoded = chat.decodeRequest(body, { flavor: myHost }).value
    expect(decoded.seed).toBe(7)
    expect(chat.encodeRequest(decoded, { flavor: myHost })).toEqual({ value: body, losses: [] })
  })

  test('is accepted by a provider', async () => {
    const sent: string[] = []
    const provider = openaiCompatible({
      baseUrl: 'https://my-host.example/v1',
      flavor: myHost,
      fetch: async (_input, init) => {
        sent.push(typeof init?.body === 'string' ? init.body : '')
        return Response.json({
          choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        })
      },
    })
    expect((await provider('m').generate(request)).text).toBe('Hello')
    expect(sent[0]).toContain('"random_seed":7')
  })

  test('cannot replace another flavor', () => {
    expect(defineFlavor('my-host', { base: 'mistral', maxTemperature: 0.5 })).toBe(myHost)
    expect(() => defineFlavor('my-host', { maxTemperature: 1 })).toThrow(InterlinguaError)
    expect(() => defineFlavor('groq')).toThrow('groq')
    expect(() => defineFlavor('')).toThrow(InterlinguaError)
  })

  test('needs a name that is text and a base that exists', () => {
    for (const name of [Symbol('host'), {}, 7, undefined])
      expect(() => defineFlavor(name as unknown as string)).toThrow(
        expect.objectContaining({ code: 'invalid-type', path: '/name' }),
      )
    for (const base of ['nowhere', '__proto__', 7, null])
      expect(() => defineFlavor('my-lost-host', { base: base as 'groq' })).toThrow(
        expect.objectContaining({ code: 'invalid-value', path: '/base' }),
      )
  })
})
