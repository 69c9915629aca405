import fc from 'fast-check'
import { assistant, dialects, type Finish, FINISH_REASONS, type JsonObject, toolCall } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyText } from '../arbitraries.ts'
import { law } from '../laws.ts'
import { subjects } from './subjects.ts'
import { isNamed } from './traces.ts'

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

const anyFinish: fc.Arbitrary<Finish> = fc.record(
  { reason: fc.constantFrom(...FINISH_REASONS), raw: fc.constant('daydream'), stopSequence: anyText },
  { requiredKeys: ['reason'], noNullPrototype: true },
)

describe.each(subjects)('why an answer to $name stopped', ({ dialect }) => {
  test('comes back, or its loss is named', () => {
    law(fc.tuple(anyFinish, fc.boolean()), ([finish, calls]) => {
      const said = calls ? [toolCall({ id: 'c', name: 'f', arguments: {} })] : 'Hi'
      const { value, losses } = dialect.encodeResponse({ candidates: [assistant(said, { finish })] })
      const back = dialect.decodeResponse(value).value.candidates[0]?.finish
      const lost = (['reason', 'raw', 'stopSequence'] as const)
        .filter((key) => finish[key] !== undefined && finish[key] !== back?.[key])
        .filter((key) => !isNamed(losses, ['candidates', 0, 'finish', key]))
      expect(lost).toEqual([])
    })
  })
})
