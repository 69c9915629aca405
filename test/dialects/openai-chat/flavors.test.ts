import {
  assistant,
  type ChatRequest,
  type ChatResponse,
  dialects,
  type Flavor,
  type JsonObject,
  reasoning,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  user,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { type OpenAIChatFlavorName, flavors } from '../../../src/dialects/openai-chat/flavors.ts'
import { isObject } from '../../../src/wire/json.ts'
import { anyRequest, anyResponse } from '../../arbitraries.ts'
import { hasCorpus, recorded } from '../../recorded-exchanges.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { expected } from './expected-flavors.ts'
import { changes, everything, legal } from './flavor-requests.ts'

/** The generated conversations for each of the many hosts. */
const HOST_CASES = process.env['SOAK'] ? 1_000 : 20

const chat = dialects['openai-chat']
const names = Object.keys(flavors) as OpenAIChatFlavorName[]

interface Sent {
  readonly body: JsonObject
  readonly messages: readonly JsonObject[]
  readonly losses: readonly string[]
}

/** Encodes a request for a host, with its losses. */
function sent(request: ChatRequest, flavor?: Flavor): Sent {
  const { value, losses } = chat.encodeRequest(request, flavor === undefined ? {} : { flavor })
  const body = again(value) as JsonObject
  return {
    body,
    messages: body['messages'] as readonly JsonObject[],
    losses: losses.map(({ rule, path }) => `${rule} ${path}`),
  }
}

describe('[r36] the body for each host', () => {
  const usual = sent(everything)

  test.each(names)('%s', (flavor) => {
    const { body, losses } = sent(everything, flavor)
    const { changes: differs, losses: lost, spared } = expected[flavor]
    expect([...changes(usual.body, body)].toSorted()).toEqual(differs.toSorted())
    expect(losses.filter((each) => !usual.losses.includes(each)).toSorted()).toEqual(lost.toSorted())
    expect(usual.losses.filter((each) => !losses.includes(each)).toSorted()).toEqual(spared.toSorted())
  })

  test('a flavor of another dialect changes nothing, an unknown one is refused', () => {
    expectSame(sent(everything, 'vertex'), usual)
    for (const flavor of ['unknown', '__proto__'] as Flavor[])
      expect(() => sent(everything, flavor)).toThrow(expect.objectContaining({ path: '/flavor' }))
  })
})

describe('a body that was received from a host is sent back unchanged', () => {
  const bodies = names.flatMap((flavor) => (legal[flavor] ?? []).map((body) => ({ flavor, body })))

  test.each(bodies)('$flavor: $body.model', ({ flavor, body }) => {
    const decoded = chat.decodeRequest(body, { flavor }).value
    expectSame(sent(decoded, flavor), { body, messages: body['messages'], losses: [] })
    const plain = chat.decodeRequest(body).value
    expectSame(sent(plain).body, body)
    expectSame(sent(plain).losses, [])
    const isDue = flavor === 'deepseek' && body['model'] === 'without reasoning'
    if (!isDue) expectSame(sent(plain, flavor).body, body)
  })

  test('a setting that the same host accepted against its row is kept, and sent to no other host', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], seed: 7 }
    const request = chat.decodeRequest(body, { flavor: 'deepseek' }).value
    expectSame(sent(request, 'deepseek'), { body, messages: body.messages, losses: [] })
    expect(sent(request, 'zai').losses).toEqual(['model-setting /seed'])
  })

  test.skipIf(!hasCorpus)('recorded requests', () => {
    const taken = recorded('openai-chat').filter(
      ({ vendor, status, request }) => Object.hasOwn(flavors, vendor) && status === 200 && isObject(request),
    )
    expect(taken.length).toBeGreaterThan(100)
    for (const { vendor, request } of taken) {
      const flavor = vendor as OpenAIChatFlavorName
      const decoded = chat.decodeRequest(request, { flavor }).value
      const { value, losses } = chat.encodeRequest(decoded, { flavor })
      expectSame(again({ value, losses }), { value: request, losses: [] })
    }
  })

  test("a host's own setting names are decoded", () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9, random_seed: 7 }
    const request = chat.decodeRequest(body, { flavor: 'mistral' }).value
    expect(request).toMatchObject({ maxOutputTokens: 9, seed: 7 })
    expectSame(sent(request).body, {
      model: 'm',
      messages: body.messages,
      max_completion_tokens: 9,
      seed: 7,
    })
  })
})

describe('reasoning is sent to another host in its field, or omitted', () => {
  const detail = { type: 'reasoning.text', text: 'Hm.', signature: 'sig', format: 'anthropic-claude-v1' }
  const hidden = { type: 'reasoning.encrypted', data: 'c2VjcmV0', format: 'openai-responses-v1' }
  const ask = { role: 'user', content: 'Hi' }
  const answers: { readonly [name: string]: JsonObject } = {
    content: { role: 'assistant', content: 'Yo', reasoning_content: 'Hm.' },
    reasoning: { role: 'assistant', content: 'Yo', reasoning: 'Hm.' },
    both: { role: 'assistant', content: 'Yo', reasoning: 'Hm.', reasoning_content: 'Hm.' },
    details: { role: 'assistant', content: 'Yo', reasoning: 'Hm.', reasoning_details: [detail] },
    hidden: { role: 'assistant', content: 'Yo', reasoning_details: [hidden] },
    empty: { role: 'assistant', content: 'Yo', reasoning_content: '' },
    none: { role: 'assistant', content: 'Yo' },
  }
  const plainMessage = { role: 'assistant', content: 'Yo' }
  const rows: readonly (readonly [string, OpenAIChatFlavorName, JsonObject, readonly string[]])[] = [
    ['content', 'groq', { ...plainMessage, reasoning: 'Hm.' }, ['reasoning-field']],
    ['content', 'cerebras', { ...plainMessage, reasoning: 'Hm.' }, ['reasoning-field']],
    ['content', 'azure', plainMessage, ['foreign-reasoning']],
    ['content', 'together', { ...plainMessage, reasoning_content: 'Hm.' }, []],
    ['reasoning', 'deepseek', { ...plainMessage, reasoning_content: 'Hm.' }, ['reasoning-field']],
    ['reasoning', 'groq', { ...plainMessage, reasoning: 'Hm.' }, []],
    ['both', 'groq', { ...plainMessage, reasoning: 'Hm.' }, ['reasoning-field']],
    ['both', 'fireworks', { ...plainMessage, reasoning_content: 'Hm.' }, []],
    ['details', 'openrouter', { ...plainMessage, reasoning: 'Hm.', reasoning_details: [detail] }, []],
    ['details', 'vllm', { ...plainMessage, reasoning: 'Hm.' }, ['reasoning-field', 'foreign-signature']],
    ['hidden', 'openrouter', { ...plainMessage, reasoning_details: [hidden] }, []],
    [
      'hidden',
      'deepseek',
      { ...plainMessage, reasoning_content: '' },
      ['hidden-reasoning', 'empty-reasoning'],
    ],
    ['empty', 'groq', plainMessage, []],
    ['empty', 'deepseek', { ...plainMessage, reasoning_content: '' }, []],
    ['none', 'deepseek', { ...plainMessage, reasoning_content: '' }, ['empty-reasoning']],
  ]

  test.each(rows)('%s to %s', (from, flavor, answer, rules) => {
    const body = { model: 'm', messages: [ask, answers[from], ask] }
    const { messages, losses } = sent(chat.decodeRequest(body).value, flavor)
    expectSame(messages[1], answer)
    expect(losses.map((loss) => loss.split(' ')[0])).toEqual(rules)
  })

  test.each(names)('%s gets no message without content that has only reasoning', (flavor) => {
    const request = { messages: [user('Hi'), assistant([reasoning('Hm.')]), user('So?')] }
    for (const message of sent(request, flavor).messages) expect(message['content']).toBeTypeOf('string')
  })

  test('reasoning of another vendor is omitted, or sent without its signature on request', () => {
    const signed = { signature: { vendor: 'anthropic', value: 'sig' } } as never
    const request = { messages: [user('Hi'), assistant([reasoning('Hm.', signed), 'Yo']), user('So?')] }
    expect(sent(request, 'groq').messages[1]).toEqual(plainMessage)
    expect(sent(request).messages[1]).toEqual(plainMessage)
    const options = { flavor: 'groq', foreignReasoning: 'native' } as const
    const { value, losses } = chat.encodeRequest(request, options)
    expect(value.messages[1]).toEqual({ ...plainMessage, reasoning: 'Hm.' })
    expect(losses.map(({ rule }) => rule)).toEqual(['foreign-signature'])
  })
})

describe('mistral', () => {
  const call = (id: string): ChatRequest['messages'] => [
    user('Hi'),
    assistant([toolCall({ id, name: 'f', arguments: {} })]),
    toolResults([toolResult(id, 'done')]),
  ]
  const idOf = (id: string): unknown => sent({ messages: call(id) }, 'mistral').messages[2]?.['tool_call_id']

  test('an id of nine letters and digits is kept, every other is replaced by a unique one', () => {
    expect(idOf('a1B2c3D4e')).toBe('a1B2c3D4e')
    const ids = Array.from({ length: 300 }, (_, index) => idOf(`toolu_${index}`))
    expect(new Set(ids).size).toBe(300)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
  })

  test('appended messages do not change those before them', () => {
    const before = sent({ messages: [...call('call_1')] }, 'mistral').messages
    const after = sent({ messages: [...call('call_1'), user('And?')] }, 'mistral').messages
    expectSame(after.slice(0, before.length), before)
    expect(after.slice(before.length).map(({ role }) => role)).toEqual(['assistant', 'user'])
  })

  test('a last message that is no object is sent as received', () => {
    const { value } = chat.decodeRequest({ messages: [null] })
    expect(sent(value, 'mistral').messages).toEqual([null])
  })
})

test('responses are encoded in the plain format: no flavor changes them', () => {
  // A fixed time, since both encodings contain the current second.
  const now = (): number => 0
  // The reason of a loss names the host, so only its rule and path are compared.
  const encode = (response: ChatResponse, flavor?: OpenAIChatFlavorName): unknown => {
    const { losses, ...result } = chat.encodeResponse(response, { ...(flavor && { flavor }), now })
    return { ...result, losses: losses.map(({ rule, path }) => ({ rule, path })) }
  }
  law(
    anyResponse,
    (response) => {
      for (const flavor of ['deepseek', 'mistral', 'openrouter'] as const)
        expectSame(encode(response, flavor), encode(response))
    },
    100,
  )
})

test('the limits of a model and of its host both apply', () => {
  const capabilities = { refusedSettings: ['parallelToolCalls', 'user'] } as const
  const { value, losses } = chat.encodeRequest(everything, { flavor: 'xai', capabilities })
  for (const key of ['parallel_tool_calls', 'user', 'stop']) expect(value).not.toHaveProperty(key)
  expect(losses.filter(({ rule }) => rule === 'model-setting').map(({ path }) => path)).toEqual([
    '/parallelToolCalls',
    '/user',
    '/frequencyPenalty',
    '/presencePenalty',
    '/stop',
  ])
})

test('a translation uses the flavor of its target', () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  }
  const { value } = translateRequest(body, { from: 'openai-chat', to: 'openai-chat', flavor: 'zai' })
  expect(value.messages[0]?.role).toBe('system')
})

test('zai: `none` is not supported, so the tools are omitted', () => {
  const { body, losses } = sent({ ...everything, toolChoice: 'none' }, 'zai')
  expect(body).not.toHaveProperty('tools')
  expect(body).not.toHaveProperty('tool_choice')
  expect(losses).toContain('tools-withheld /toolChoice')
})

test('lmstudio: JSON without a schema gets a schema that accepts every object', () => {
  const { body } = sent({ messages: [user('Hi')], output: { type: 'json' } }, 'lmstudio')
  expect(body['response_format']).toEqual({
    type: 'json_schema',
    json_schema: { name: 'output', schema: { type: 'object' } },
  })
})

describe('the body for a host is valid for any conversation', () => {
  test.each(names)('%s', (flavor) => {
    law(
      anyRequest,
      (request) => {
        const { extra: _extra, ...asked } = request
        const { body, messages } = sent(asked, flavor)
        const back = chat.decodeRequest(body).value
        expect(validate(back.messages, chat).filter(({ severity }) => severity === 'error')).toEqual([])
        expectFit(messages, flavor)
      },
      HOST_CASES,
    )
  })
})

/** Checks all messages against the row of a host. */
function expectFit(messages: readonly JsonObject[], flavor: OpenAIChatFlavorName): void {
  const { reasoningFields = [], supportsName, supportsDeveloperRole, callIdRule, turnOrder } = flavors[flavor]
  const { requiredReasoning } = flavors[flavor]
  const refused = ['reasoning_content', 'reasoning', 'reasoning_details'].filter(
    (field) => !reasoningFields.some((each) => each === field),
  )
  for (const [index, message] of messages.entries()) {
    for (const field of refused) expect(message).not.toHaveProperty(field)
    if (supportsName === false) expect(message).not.toHaveProperty('name')
    if (supportsDeveloperRole === false) expect(message['role']).not.toBe('developer')
    if (turnOrder === 'strict' && message['role'] === 'user')
      expect(messages[index - 1]?.['role']).not.toBe('tool')
    const calls = (message['tool_calls'] ?? []) as readonly { readonly id: string }[]
    const isReasoningRequired =
      requiredReasoning !== undefined &&
      message['role'] === 'assistant' &&
      (requiredReasoning.messages === 'all' || calls.length > 0)
    if (isReasoningRequired) expect(message).toHaveProperty(reasoningFields[0] ?? '')
    if (callIdRule !== undefined) for (const { id } of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
  }
  const last = messages.at(-1)
  if (turnOrder === 'strict' && last?.['role'] === 'assistant') expect(last['prefix']).toBe(true)
}
