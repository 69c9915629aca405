import {
  assistant,
  type ChatRequest,
  type JsonObject,
  message,
  type Message,
  reasoning,
  system,
  toolCall,
  toolResult,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { mistralDialect } from 'interlingua/dialects/mistral'
import { describe, expect, test } from 'vitest'
import { requests } from '../bodies/mistral-requests.ts'

const encode = (
  messages: readonly Message[],
  fields: Partial<ChatRequest> = {},
): { readonly body: JsonObject; readonly rules: readonly string[] } => {
  const { value, losses } = mistralDialect.encodeRequest({ model: 'mistral-large-2512', messages, ...fields })
  return { body: value, rules: losses.map(({ rule }) => rule) }
}
const call = toolCall({ id: 'call_of_another_host', name: 'weather', arguments: { city: 'Oslo' } })
const result = message('tool', [toolResult(call, 'Cold')])
const wireId = expect.stringMatching(/^[a-zA-Z0-9]{9}$/) as string

describe('mistral: the order of turns', () => {
  test('a user message may follow results', () => {
    const { body, rules } = encode([user('Weather?'), assistant(call), result, user('And Rome?')])
    expect(body['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: wireId, type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: 'tool', tool_call_id: wireId, name: 'weather', content: 'Cold' },
      { role: 'user', content: 'And Rome?' },
    ])
    expect(rules).toEqual(['id-changed'])
  })

  test('the last answer is marked, and only the last one', () => {
    const prefixed = mistralDialect.decodeRequest(requests['prefixed']).value
    const { messages } = prefixed
    expect(encode([...messages]).body['messages']).toEqual(requests['prefixed']?.['messages'])
    expect(encode([...messages, user('Go on')]).body['messages']).toEqual([
      { role: 'user', content: 'Write a poem' },
      { role: 'assistant', content: 'Roses are' },
      { role: 'user', content: 'Go on' },
    ])
    expect(encode([user('Hi'), assistant('Well')])).toMatchObject({
      body: { messages: [{ role: 'user' }, { role: 'assistant', content: 'Well', prefix: true }] },
      rules: ['answer-prefix'],
    })
  })

  test('system text after an answer is marked user text', () => {
    const { body, rules } = encode([user('Hi'), assistant('Well'), system('Be brief'), user('So?')])
    expect(body['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Well' },
      { role: 'user', content: '<system>\nBe brief\n</system>' },
      { role: 'user', content: 'So?' },
    ])
    expect(rules).toEqual(['system-in-place'])
    expect(encode([user('Hi'), system('Be brief')]).rules).toEqual([])
  })

  test('an answer alone gets a user message before it', () => {
    expect(encode([assistant('Well')])).toMatchObject({
      body: { messages: [{ role: 'user' }, { role: 'assistant', prefix: true }] },
      rules: ['first-turn', 'answer-prefix'],
    })
  })
})

describe('mistral: settings', () => {
  test('have the names and limits of the API', () => {
    const { body, rules } = encode([user('Hi')], {
      temperature: 2,
      seed: 7,
      maxOutputTokens: 9,
      serviceTier: 'default',
      toolChoice: 'required',
      tools: [{ type: 'function', name: 'now', input: { type: 'object', properties: {} } }],
    })
    expect(body).toMatchObject({
      temperature: 1.5,
      random_seed: 7,
      max_tokens: 9,
      service_tier: 'standard_only',
      tool_choice: 'any',
    })
    expect(rules).toEqual(['temperature-range'])
  })

  test('a received temperature above the limit is sent as received, until it is changed', () => {
    const request = mistralDialect.decodeRequest({ model: 'm', messages: [], temperature: 2 }).value
    expect(mistralDialect.encodeRequest(request).value.temperature).toBe(2)
    expect(mistralDialect.encodeRequest({ ...request, temperature: 1.8 }).value.temperature).toBe(1.5)
  })

  test('only allowed tools are sent, because the API has no list of them', () => {
    const declare = (name: string) => ({ type: 'function', name, input: { type: 'object' } }) as const
    const { body, rules } = encode([user('Hi')], {
      tools: [declare('a'), declare('b')],
      toolChoice: { allowed: ['b'], mode: 'required' },
    })
    expect(body).toMatchObject({ tools: [{ function: { name: 'b' } }], tool_choice: 'any' })
    expect(rules).toEqual(['allowed-tools', 'allowed-tools'])
  })
})

describe('mistral: reasoning', () => {
  test('is a thinking chunk in its place, with the signature of Mistral only', () => {
    const thought = attachSignature(reasoning('An easy sum'), { vendor: 'mistral', value: 'c2lnbmVk' })
    const { body } = encode([user('2 + 2?'), assistant([thought, { type: 'text', text: '4' }]), user('Why?')])
    expect(body['messages']).toMatchObject([
      {},
      {
        content: [
          {
            type: 'thinking',
            thinking: [{ type: 'text', text: 'An easy sum' }],
            signature: 'c2lnbmVk',
            closed: true,
          },
          { type: 'text', text: '4' },
        ],
      },
      {},
    ])
  })

  test('its signature leaves with an edit', () => {
    const request = mistralDialect.decodeRequest(requests['thoughts']).value
    const edited = {
      ...request,
      messages: Array.from(request.messages, (each) =>
        each.role === 'assistant'
          ? {
              ...each,
              content: each.content.map((part) =>
                part.type === 'reasoning' ? { ...part, text: 'Edited' } : part,
              ),
            }
          : each,
      ),
    }
    const { value, losses } = mistralDialect.encodeRequest(edited)
    expect(JSON.stringify(value)).not.toContain('c2lnbmVk')
    expect(losses.map(({ rule }) => rule)).toEqual(['stale-signature'])
  })
})

test.each([
  [
    429,
    { object: 'error', message: 'Rate limit exceeded', type: 'rate_limited', code: '1300' },
    'rate-limit',
  ],
  [
    429,
    {
      object: 'error',
      message: 'Service tier capacity exceeded for this model.',
      type: 'invalid_request_error',
      code: null,
    },
    'rate-limit',
  ],
  [
    503,
    {
      object: 'error',
      message: 'Service tier capacity exceeded for this model.',
      type: 'service_tier_capacity_exceeded',
      code: '3505',
    },
    'overloaded',
  ],
  [
    400,
    { object: 'error', message: 'Invalid model: x', type: 'invalid_model', param: null, code: '1500' },
    'not-found',
  ],
  [
    400,
    {
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
    },
    'invalid-request',
  ],
  [
    400,
    {
      object: 'error',
      message: 'Prompt contains 99 tokens, too large for model with 32 maximum context length',
      type: 'invalid_request_error',
      code: '3051',
    },
    'context-overflow',
  ],
  [401, { detail: 'Unauthorized' }, 'authentication'],
  [422, { detail: [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required' }] }, 'invalid-request'],
] as const)('mistral: the error %s %j is of the kind %s', (status, body, kind) => {
  expect(mistralDialect.decodeError(status, body)).toMatchObject({ kind, status, dialect: 'mistral' })
})
