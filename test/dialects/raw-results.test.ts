import {
  assistant,
  type DialectName,
  dialects,
  type JsonObject,
  type Message,
  rawMessage,
  repair,
  toolCall,
  user,
  validate,
} from 'interlingua'
import { describe, expect, test } from 'vitest'

const call = toolCall({ id: 'call_1', name: 'f', arguments: {} })

/** A raw message with the result of a call, by dialect. */
const raw: { readonly [dialect in Exclude<DialectName, 'ollama'>]: JsonObject } = {
  anthropic: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }] },
  gemini: {
    role: 'user',
    parts: [{ functionResponse: { id: 'call_1', name: 'f', response: { output: 'ok' } } }],
  },
  'openai-chat': { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  'openai-responses': { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
  mistral: { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  'gemini-interactions': { type: 'function_result', call_id: 'call_1', name: 'f', result: 'ok' },
  bedrock: { role: 'user', content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'ok' }] } }] },
  cohere: { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
}
const missing = 'No result was recorded'

describe.each(Object.entries(raw))('a raw message of %s with a tool result', (name, wire) => {
  const result = rawMessage(name, wire)
  const conversation: readonly Message[] = [user('Hi'), assistant([call]), result, user('So?')]
  const encode = (dialect: DialectName, messages: readonly Message[]): string =>
    JSON.stringify(dialects[dialect].encodeRequest({ model: 'm', messages }).value)

  test('answers its call', () => {
    expect(validate(conversation)).toEqual([])
    expect(repair(conversation)).toEqual(conversation)
  })

  test('is the only result that its dialect gets', () => {
    const sent = encode(name as DialectName, conversation)
    expect(sent).toContain(JSON.stringify(wire))
    expect(sent).not.toContain(missing)
  })

  test('follows its call although a message separates them', () => {
    const late = [user('Hi'), assistant([call]), user('Wait'), result]
    const sent = encode(name as DialectName, late)
    expect(sent).not.toContain(missing)
    expect(sent.indexOf('Wait')).toBeGreaterThan(sent.indexOf(JSON.stringify(wire)))
  })

  test('is missing for other dialects, which get an error result', () => {
    const other = name === 'anthropic' ? 'openai-chat' : 'anthropic'
    expect(encode(other, conversation)).toContain(missing)
  })

  test('answers no other call', () => {
    const other = toolCall({ id: 'call_2', name: 'f', arguments: {} })
    expect(validate([user('Hi'), assistant([call, other]), result]).map(({ rule }) => rule)).toEqual([
      'orphan-call',
    ])
  })
})
