import {
  assistant,
  type ChatRequest,
  dialects,
  image,
  type JsonObject,
  reasoning,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors } from '../../../src/dialects/anthropic/flavors.ts'
import { again, expectSame } from '../../law-assertions.ts'
import { bare } from '../json-leaves.ts'
import { documentedRequests } from './documented-bodies.ts'

const { anthropic, 'openai-chat': chat } = dialects
type Host = keyof typeof flavors
const hosts = (Object.keys(flavors) as Host[]).filter((name) => flavors[name].isCompatibleHost)

const everything: ChatRequest = {
  model: 'any-model',
  messages: [user([text('Look.'), image('https://example.org/a.png')])],
  tools: [{ type: 'function', name: 'weather', input: { type: 'object' } }],
  toolChoice: 'required',
  parallelToolCalls: false,
  output: { type: 'json', schema: { type: 'object', properties: {}, additionalProperties: false } },
  reasoning: { enabled: true },
  maxOutputTokens: 5000,
  temperature: 1.8,
  topP: 0.9,
  topK: 40,
  stop: ['END'],
  user: 'u-1',
}

const content = [
  { type: 'text', text: 'Look.' },
  { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
]
const withoutImage = [content[0], { type: 'text', text: '[image, https://example.org/a.png]' }]

/** The body for a host without known refusals. */
const usual = {
  model: 'any-model',
  messages: [{ role: 'user', content }],
  tools: [{ name: 'weather', input_schema: { type: 'object' } }],
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  thinking: { type: 'enabled' },
  max_tokens: 5000,
  temperature: 1,
  top_p: 0.9,
  top_k: 40,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
}
const parallel = { tool_choice: { type: 'any' } }
const noImage = { messages: [{ role: 'user', content: withoutImage }] }
const noSchema = 'no-field /output/schema'
const cooler = 'temperature-range /temperature'
const media = 'unsupported-media /messages/0/content/1'
const refused = (...names: readonly string[]) => names.map((name) => `model-setting /${name}`)

/** The fields that differ from the usual body (`undefined`: not sent), and the losses. */
const expected: { readonly [name in Host]?: readonly [body: object, losses: readonly string[]] } = {
  deepseek: [
    { ...parallel, ...noImage, top_k: undefined, temperature: 1.8 },
    [...refused('topK', 'parallelToolCalls'), noSchema, media],
  ],
  'llama.cpp': [{ metadata: undefined, temperature: 1.8 }, [...refused('user'), noSchema]],
  lmstudio: [{}, [noSchema, cooler]],
  minimax: [{ top_k: undefined, stop_sequences: undefined }, [...refused('topK', 'stop'), noSchema, cooler]],
  moonshot: [{}, [noSchema, cooler]],
  ollama: [
    { ...noImage, tool_choice: undefined, metadata: undefined, temperature: 1.8 },
    [...refused('parallelToolCalls', 'user'), 'model-tool-choice /toolChoice', noSchema, media],
  ],
  zai: [{}, [noSchema, cooler]],
}

describe.each(hosts)("%s with Anthropic's format", (flavor) => {
  test('gets the body that it accepts', () => {
    const { value, losses } = anthropic.encodeRequest(everything, { flavor })
    const [changes, reported] = expected[flavor] ?? []
    expectSame(again(value), again({ ...usual, ...changes }))
    expect(losses.map(({ rule, path }) => `${rule} ${path}`).toSorted()).toEqual(reported?.toSorted())
    expect(anthropic.endpoint(everything, { flavor })).toEqual({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
    })
  })

  test('gets the request of its documentation, also without what decoding recorded', () => {
    const body = documentedRequests[flavor]
    expect(body).toBeDefined()
    const { value: request } = anthropic.decodeRequest(body, { flavor })
    for (const each of [request, bare(again(request)) as ChatRequest])
      expectSame(again(anthropic.encodeRequest(each, { flavor })), { value: body, losses: [] })
  })

  test('gets thinking without a signature, also from another format of the same vendor', () => {
    const made = chat.decodeResponse({
      model: 'deepseek-v4',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yo', reasoning_content: 'Hm.' } }],
    }).value
    const messages = [user('Hi'), ...made.candidates, user('So?')]
    const { value } = anthropic.encodeRequest({ model: 'deepseek-v4', messages }, { flavor })
    expect(value.messages[1]).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.' }, { text: 'Yo' }],
    })
    const signed = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'c2ln' } })
    const foreign = [
      user('Hi'),
      {
        ...assistant([signed, 'Yo']),
        origin: { provider: 'anthropic', dialect: 'anthropic', model: 'claude-x' },
      },
    ]
    const { value: other } = anthropic.encodeRequest({ model: 'deepseek-v4', messages: foreign }, { flavor })
    expect(JSON.stringify(other)).not.toContain('Hm.')
  })

  test('gets back what it sent', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Weather.', signature: 'a-signature-of-the-host' },
      { type: 'thinking', thinking: 'More.' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
    ]
    const body: JsonObject = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'any-model',
      content: blocks,
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
    }
    const { value } = anthropic.decodeResponse(body, { flavor })
    const messages = [user('Hi'), ...value.candidates, toolResults([toolResult('toolu_1', 'Rain')])]
    const { value: sent, losses } = anthropic.encodeRequest({ model: 'any-model', messages }, { flavor })
    expectSame(again(sent.messages[1]), { role: 'assistant', content: blocks })
    expect(losses.map(({ rule }) => rule)).toEqual(['guessed-max-tokens'])
  })
})

test('ollama: tools that may not be called are not sent', () => {
  const { value, losses } = anthropic.encodeRequest(
    { ...everything, toolChoice: 'none' },
    { flavor: 'ollama' },
  )
  expect(value).not.toHaveProperty('tools')
  expect(losses.map(({ rule }) => rule)).toContain('tools-withheld')
})

test('the host of a received request gets its settings back until they are edited', () => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], top_k: 40 }
  const request = anthropic.decodeRequest(body, { flavor: 'deepseek' }).value
  expectSame(again(anthropic.encodeRequest(request, { flavor: 'deepseek' })), { value: body, losses: [] })
  const edited = anthropic.encodeRequest({ ...request, topK: 41 }, { flavor: 'deepseek' })
  expect(edited.value).not.toHaveProperty('top_k')
  expect(anthropic.encodeRequest(request, { flavor: 'minimax' }).value).not.toHaveProperty('top_k')
})

test('a call and its history keep the words of Claude for Anthropic itself', () => {
  const messages = [
    user('Hi'),
    assistant([toolCall({ id: 'a', name: 'f', arguments: {} })]),
    toolResults([toolResult('a', 'x')]),
  ]
  const { value } = anthropic.encodeRequest({ model: 'claude-x', messages, reasoning: { enabled: true } })
  expect(value).toMatchObject({ thinking: { type: 'adaptive' } })
})
