import { dialects, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'

const { anthropic, 'openai-chat': chat } = dialects

describe('[C17] why the model stopped', () => {
  const claude = (word: string, ...content: readonly JsonObject[]): unknown =>
    anthropic.decodeResponse({ type: 'message', content, stop_reason: word }).value.candidates[0]?.finish
  const gpt = (word: string, message: JsonObject = {}): unknown =>
    chat.decodeResponse({ choices: [{ message, finish_reason: word }] }).value.candidates[0]?.finish
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

  test('an unknown word is `other` with the word beside it', () => {
    expect(claude('daydream')).toEqual({ reason: 'other', raw: 'daydream' })
    expect(gpt('daydream')).toEqual({ reason: 'other', raw: 'daydream' })
  })

  test('a refusal is one', () => expect(claude('refusal')).toEqual({ reason: 'refusal' }))

  test('calls mean `tool-calls`', () => {
    expect(claude('tool_use', { type: 'tool_use', id: 'a', name: 'f', input: {} })).toEqual({
      reason: 'tool-calls',
    })
    expect(gpt('tool_calls', { tool_calls: [call] })).toEqual({ reason: 'tool-calls' })
    expect(gpt('stop', { tool_calls: [call] })).toEqual({ reason: 'tool-calls', raw: 'stop' })
  })
})
