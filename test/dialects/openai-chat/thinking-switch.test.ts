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
  (name) => flavors[name].thinkingSwitch !== undefined,
)

function encode(flavor: Flavor, reasoning: ReasoningSettings) {
  const request: ChatRequest = { model: 'a-model', messages: [user('Hi')], reasoning }
  return chat.encodeRequest(request, { flavor })
}

describe.each(hosts)('the thinking switch of %s', (flavor) => {
  const { thinkingSwitch: field = 'thinking', isSwitchExclusive } = flavors[flavor]
  const write = (isOn: boolean) =>
    field === 'enable_thinking' ? isOn : { type: isOn ? 'enabled' : 'disabled' }

  test.each([
    { reasoning: { enabled: false }, isOn: false },
    { reasoning: { effort: 'none' }, isOn: false },
    { reasoning: { enabled: false, effort: 'high' }, isOn: false },
    { reasoning: { enabled: true }, isOn: true },
    { reasoning: { enabled: true, effort: 'high' }, isOn: isSwitchExclusive ? undefined : true },
    { reasoning: { effort: 'high' }, isOn: undefined },
  ] as const)('is $isOn for $reasoning', ({ reasoning, isOn }) => {
    const { value, losses } = encode(flavor, reasoning)
    const body = value as JsonObject
    expect(body[field]).toEqual(isOn === undefined ? undefined : write(isOn))
    expect(losses.filter(({ severity }) => severity === 'loss')).toEqual([])
    if (isSwitchExclusive) expect(field in body && 'reasoning_effort' in body).toBe(false)
  })

  test.each([true, false])('%s is decoded, and sent back as received', (isOn) => {
    const value = write(isOn)
    const body = {
      model: 'a-model',
      messages: [{ role: 'user', content: 'Hi' }],
      [field]: typeof value === 'object' ? { ...value, clear: true } : value,
    }
    const decoded = chat.decodeRequest(body, { flavor }).value
    expect(decoded.reasoning).toEqual({ enabled: isOn })
    expectSame(chat.encodeRequest(decoded, { flavor }).value, body)
  })

  test('turns off the thinking of another provider', () => {
    const body = { model: 'a-model', messages: [{ role: 'user', content: 'Hi' }], [field]: write(false) }
    const { value: request } = chat.decodeRequest(body, { flavor })
    const { value } = dialects.anthropic.encodeRequest(request, { model: 'claude-sonnet-4-5' })
    expect(value).toMatchObject({ thinking: { type: 'disabled' } })
  })
})

describe('a thinking budget', () => {
  test('has a field at qwen, and is sent in both directions', () => {
    const { value, losses } = encode('qwen', { enabled: true, budgetTokens: 500 })
    expect(value).toMatchObject({ enable_thinking: true, thinking_budget: 500 })
    expect(losses).toEqual([])
    expect(chat.decodeRequest(value, { flavor: 'qwen' }).value.reasoning).toEqual({
      enabled: true,
      budgetTokens: 500,
    })
  })

  test('is an effort at other hosts', () => {
    expect(encode('nebius', { budgetTokens: 500 }).value).toMatchObject({ reasoning_effort: 'minimal' })
  })
})
