import {
  assistant,
  dialects,
  Messages,
  type Message,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'

const { anthropic } = dialects
const call = toolCall({ id: 'toolu_1', name: 'weather', arguments: {} })
const results = toolResults([toolResult(call, 'sunny')])

function rolesOf(messages: readonly Message[], model: string): readonly string[] {
  return anthropic
    .encodeRequest({ model, messages, maxOutputTokens: 9 })
    .value.messages.map(({ role }) => role)
}

describe('a system message within the conversation', () => {
  /** The conversation, the roles for a model that accepts it, and those for a model that does not. */
  const rows: readonly (readonly [readonly Message[], string, string])[] = [
    [[user('Hi'), system('Be brief')], 'user system', 'user'],
    [[user('Hi'), system('Be brief'), system('Be kind')], 'user system', 'user'],
    [
      [user('Hi'), system('Be brief'), assistant('Hello'), user('Go on')],
      'user system assistant user',
      'user assistant user',
    ],
    [
      [user('Hi'), assistant([call]), results, system('Be brief')],
      'user assistant user system',
      'user assistant user',
    ],
    // It may follow user turns only, and no user turn may follow it.
    [
      [user('Hi'), assistant('Hello'), system('Be brief'), user('Go on')],
      'user assistant user',
      'user assistant user',
    ],
    [[user('Hi'), system('Be brief'), user('Go on')], 'user', 'user'],
    [[system('Be brief'), user('Hi')], 'user', 'user'],
  ]

  test.each(rows)('%#', (messages, accepted, refused) => {
    expect(rolesOf(messages, 'claude-opus-4-8').join(' ')).toBe(accepted)
    for (const model of ['claude-opus-4-7', 'claude-haiku-4-5', 'glm-5'])
      expect(rolesOf(messages, model).join(' ')).toBe(refused)
  })

  test('is reported only where it becomes user text', () => {
    const request = { messages: [user('Hi'), system('Be brief')], maxOutputTokens: 9 }
    expect(anthropic.encodeRequest({ ...request, model: 'claude-opus-5-5' }).losses).toEqual([])
    const { value, losses } = anthropic.encodeRequest({ ...request, model: 'claude-haiku-4-5' })
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['system-in-place /messages/1'])
    expect(JSON.stringify(value.messages)).toContain('<system>')
  })

  test('that was received is sent back to the same model and adjusted to another', () => {
    const body = {
      model: 'claude-haiku-4-5',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Be brief' },
      ],
    }
    const { value } = anthropic.decodeRequest(body)
    expect(anthropic.encodeRequest(value)).toEqual({ value: body, losses: [] })
    for (const model of ['claude-sonnet-4-5', 'claude-opus-4-7'])
      expect(anthropic.encodeRequest(value, { model }).value.messages.map(({ role }) => role)).toEqual([
        'user',
      ])
    expect(anthropic.encodeRequest(value, { model: 'claude-opus-5' }).value.messages).toEqual(body.messages)
  })

  test('grows with the conversation as in one piece', () => {
    let messages = Messages.from([user('Hi')])
    for (const next of [
      system('Be brief'),
      assistant('Hello'),
      user('Go on'),
      system('Be kind'),
      user('More'),
    ]) {
      messages = messages.append(next)
      for (const model of ['claude-opus-4-8', 'claude-opus-4-7']) {
        const request = { model, messages, maxOutputTokens: 9 }
        expect(JSON.parse(anthropic.encodeRequestText(request).value)).toEqual(
          anthropic.encodeRequest(request).value,
        )
      }
    }
  })
})
