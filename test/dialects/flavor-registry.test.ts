import { dialects, type Flavor, image, InterlinguaError, type JsonObject, user } from 'interlingua'
import { anthropicDialect, defineFlavor as defineMessagesFlavor } from 'interlingua/dialects/anthropic'
import { defineFlavor as defineContentsFlavor } from 'interlingua/dialects/gemini'
import { defineFlavor as defineChatFlavor } from 'interlingua/dialects/openai-chat'
import { defineFlavor as defineResponsesFlavor } from 'interlingua/dialects/openai-responses'
import { createRegistry, defineProvider } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

type Definer = (name: string, definition?: { readonly base?: never }) => Flavor

/** The dialects with flavors: how each defines one, and a built-in name that cannot be defined. */
const definers = [
  ['openai-chat', defineChatFlavor as Definer, 'groq'],
  ['openai-responses', defineResponsesFlavor as Definer, 'open-responses'],
  ['anthropic', defineMessagesFlavor as Definer, 'bedrock'],
  ['gemini', defineContentsFlavor as Definer, 'vertex'],
] as const

const request = { model: 'm', maxOutputTokens: 10, messages: [user('Hi')] }

describe.each(definers)('a flavor of %s that the application defines', (name, define, builtIn) => {
  const own = define(`own-of-${name}`)

  test('encodes and decodes, and is ignored by other dialects', () => {
    for (const dialect of Object.values(dialects)) {
      const options = { flavor: own }
      const { value } = dialect.encodeRequest(request, options)
      const decoded = dialect.decodeRequest(value, options).value
      expect(dialect.encodeRequest(decoded, options).value).toEqual(value)
      if (dialect.name !== name) expect(value).toEqual(dialect.encodeRequest(request).value)
    }
  })

  test('has one meaning in a process, and a base that is built in', () => {
    expect(define(`own-of-${name}`)).toBe(own)
    expect(() => define(builtIn)).toThrow(expect.objectContaining({ path: '/name' }))
    expect(() => define('', {})).toThrow(InterlinguaError)
    expect(() => define(`lost-${name}`, { base: 'nowhere' as never })).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: '/base' }),
    )
  })
})

describe('the facts of a flavor', () => {
  test('openai-responses: those of its base and its own', () => {
    const flavor = defineResponsesFlavor('own-open', {
      base: 'open-responses',
      supportsJsonWithoutSchema: true,
    })
    const encode = (options: { readonly flavor?: Flavor }): JsonObject =>
      dialects['openai-responses'].encodeRequest(
        { ...request, presencePenalty: 0.5, user: 'u-1', output: { type: 'json' } },
        options,
      ).value
    expect(encode({ flavor })).toMatchObject({
      presence_penalty: 0.5,
      text: { format: { type: 'json_object' } },
    })
    expect(encode({ flavor })).not.toHaveProperty('user')
    expect(encode({ flavor: 'open-responses' })).toMatchObject({ text: { format: { type: 'json_schema' } } })
    const penalties = defineResponsesFlavor('own-penalties', { supportsPenalties: true })
    expect(encode({ flavor: penalties })).toMatchObject({ presence_penalty: 0.5, user: 'u-1' })
    expect(encode({})).not.toHaveProperty('presence_penalty')
  })

  test('anthropic: limits of a host, which its provider applies', async () => {
    const flavor = defineMessagesFlavor('own-messages', { maxTemperature: 2, mediaTypes: [] })
    const bodies: string[] = []
    const provider = defineProvider({
      name: 'own-messages',
      dialect: anthropicDialect,
      baseUrl: 'https://host.example',
      flavor,
    })
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : '')
      return Response.json({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] })
    }
    const { losses } = await provider('m', { apiKey: 'x', fetch }).generate({
      ...request,
      temperature: 1.5,
      messages: [user(['Look', image('https://example.org/a.png')])],
    })
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ temperature: 1.5 })
    expect(bodies[0]).not.toContain('"image"')
    expect(losses?.map(({ rule }) => rule)).toContain('unsupported-media')
  })

  test('gemini: the path and the form of media', () => {
    const flavor = defineContentsFlavor('own-gemini', { modelsPath: '/models', supportsCloudStorage: true })
    expect(dialects.gemini.endpoint(request, { flavor }).path).toBe('/models/m:generateContent')
    const messages = [user(image('gs://bucket/a.png'))]
    const text = (options: object): string =>
      JSON.stringify(dialects.gemini.encodeRequest({ ...request, messages }, options).value)
    expect(text({ flavor })).toContain('gs://bucket/a.png')
    expect(text({})).not.toContain('fileUri')
  })
})

test('a registry lists the flavors of the application', () => {
  const flavor = defineChatFlavor('own-listed')
  expect(createRegistry({ flavors: [flavor] }).flavors).toEqual(['own-listed'])
  expect(() => createRegistry({ flavors: ['own-unlisted' as typeof flavor] })).toThrow(
    expect.objectContaining({ code: 'invalid-value', path: '/flavors/0' }),
  )
})
