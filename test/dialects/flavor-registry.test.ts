import {
  type Dialect,
  dialects,
  type Flavor,
  image,
  InterlinguaError,
  type JsonObject,
  translateRequest,
  translateResponse,
  translateStream,
  user,
} from 'interlingua'
import { anthropicDialect, defineFlavor as defineMessagesFlavor } from 'interlingua/dialects/anthropic'
import { defineFlavor as defineContentsFlavor } from 'interlingua/dialects/gemini'
import { defineFlavor as defineChatFlavor } from 'interlingua/dialects/openai-chat'
import { defineFlavor as defineResponsesFlavor } from 'interlingua/dialects/openai-responses'
import { createRegistry, defineProvider, openaiCompatible, scripted } from 'interlingua/providers'
import { findRequestProblems, mockProvider } from 'interlingua/testing/providers'
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

/** Every function with an option `flavor`, and a call of it. */
const callsWithFlavor: { readonly [name: string]: (flavor: Flavor) => unknown } = {
  ...Object.fromEntries(
    Object.values<Dialect>(dialects).flatMap((dialect) => [
      [`encodeRequest of ${dialect.name}`, (flavor: Flavor) => dialect.encodeRequest(request, { flavor })],
      [`encodeRequestText of ${dialect.name}`, (flavor) => dialect.encodeRequestText(request, { flavor })],
      [`decodeRequest of ${dialect.name}`, (flavor) => dialect.decodeRequest({}, { flavor })],
      [
        `encodeResponse of ${dialect.name}`,
        (flavor) => dialect.encodeResponse({ candidates: [] }, { flavor }),
      ],
      [`decodeResponse of ${dialect.name}`, (flavor) => dialect.decodeResponse({}, { flavor })],
      [`encodeMessage of ${dialect.name}`, (flavor) => dialect.encodeMessage(user('Hi'), { flavor })],
      [`encodeTools of ${dialect.name}`, (flavor) => dialect.encodeTools([], { flavor })],
      [`encodeStream of ${dialect.name}`, (flavor) => dialect.encodeStream([], { flavor })],
      [`decodeStream of ${dialect.name}`, (flavor) => dialect.decodeStream(new Blob().stream(), { flavor })],
      [`endpoint of ${dialect.name}`, (flavor) => dialect.endpoint(request, { flavor })],
    ]),
  ),
  translateRequest: (flavor) => translateRequest({}, { from: 'anthropic', to: 'openai-chat', flavor }),
  translateResponse: (flavor) => translateResponse({}, { from: 'anthropic', to: 'openai-chat', flavor }),
  translateStream: (flavor) =>
    translateStream(new Blob().stream(), { from: 'anthropic', to: 'openai-chat', flavor }),
  openaiCompatible: (flavor) => openaiCompatible({ baseUrl: 'http://127.0.0.1:1', flavor }),
  defineProvider: (flavor) =>
    defineProvider({ name: 'x', dialect: anthropicDialect, baseUrl: 'https://host.example', flavor }),
  scripted: (flavor) => scripted(['Hi'], { flavor }),
  mockProvider: (flavor) => mockProvider({ flavor }),
  findRequestProblems: (flavor) => findRequestProblems('openai-chat', {}, { flavor }),
}

test.each(Object.entries(callsWithFlavor))('%s refuses an unknown flavor', (_name, call) => {
  const error = (found: string, hint: string): Error =>
    expect.objectContaining({
      code: 'invalid-value',
      path: '/flavor',
      found,
      hint: expect.stringContaining(hint) as string,
    }) as Error
  expect(() => call('openruter' as Flavor)).toThrow(error('"openruter"', "Pass 'openrouter', or omit"))
  expect(() => call('' as Flavor)).toThrow(error('""', "Pass 'azure' or 'bedrock'"))
  expect(() => call(5 as never)).toThrow(error('5', "Pass 'azure' or 'bedrock'"))
  // The name of a method of every object is no flavor.
  expect(() => call('constructor' as Flavor)).toThrow(InterlinguaError)
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
