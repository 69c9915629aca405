import {
  type ChatRequest,
  dialects,
  type Flavor,
  type JsonObject,
  type ReasoningSettings,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors } from '../../../src/dialects/openai-chat/flavors.ts'
import { expectSame } from '../../law-assertions.ts'

const chat = dialects['openai-chat']
const hosts = (Object.keys(flavors) as (keyof typeof flavors)[]).filter(
  (name) => flavors[name].hasThinkingSwitch,
)

function encode(flavor: Flavor, reasoning: ReasoningSettings) {
  const request: ChatRequest = { model: 'a-model', messages: [user('Hi')], reasoning }
  return chat.encodeRequest(request, { flavor })
}

describe.each(hosts)('the thinking switch of %s', (flavor) => {
  test.each([
    { reasoning: { enabled: false }, thinking: { type: 'disabled' } },
    { reasoning: { effort: 'none' }, thinking: { type: 'disabled' } },
    { reasoning: { enabled: true }, thinking: { type: 'enabled' } },
    { reasoning: { enabled: true, effort: 'high' }, thinking: { type: 'enabled' } },
    { reasoning: { effort: 'high' }, thinking: undefined },
  ] as const)('is $thinking for $reasoning', ({ reasoning, thinking }) => {
    const { value, losses } = encode(flavor, reasoning)
    expect((value as JsonObject)['thinking']).toEqual(thinking)
    expect(losses.filter(({ severity }) => severity === 'loss')).toEqual([])
  })

  test.each(['enabled', 'disabled'])('%s is decoded, and sent back as received', (type) => {
    const body = {
      model: 'a-model',
      messages: [{ role: 'user', content: 'Hi' }],
      thinking: { type, clear: true },
    }
    const { value } = chat.decodeRequest(body, { flavor })
    expect(value.reasoning).toEqual({ enabled: type === 'enabled' })
    expectSame(chat.encodeRequest(value, { flavor }).value, body)
  })

  test('turns off the thinking of another provider', () => {
    const body = {
      model: 'a-model',
      messages: [{ role: 'user', content: 'Hi' }],
      thinking: { type: 'disabled' },
    }
    const { value: request } = chat.decodeRequest(body, { flavor })
    const { value } = dialects.anthropic.encodeRequest(request, { model: 'claude-sonnet-4-5' })
    expect(value).toMatchObject({ thinking: { type: 'disabled' } })
  })
})
