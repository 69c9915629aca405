import fc from 'fast-check'
import {
  assistant,
  type AssistantMessage,
  type DialectName,
  dialects,
  type Finish,
  FINISH_REASONS,
  type JsonObject,
  toolCall,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyText } from '../arbitraries.ts'
import { law } from '../law-assertions.ts'
import { answerOf, collect, framed, source, encodeStreamText } from './stream-responses.ts'
import { subjects } from './dialect-table.ts'
import { isNamed } from './find-lost-values.ts'

const { anthropic, 'openai-chat': chat } = dialects

describe('[r60, C17] the finish reason', () => {
  const claude = (word: string, ...content: readonly JsonObject[]): unknown =>
    anthropic.decodeResponse({ type: 'message', content, stop_reason: word }).value.candidates[0]?.finish
  const gpt = (word: string, message: JsonObject = {}): unknown =>
    chat.decodeResponse({ choices: [{ message, finish_reason: word }] }).value.candidates[0]?.finish
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

  test('an unknown value is `other` with the value in `raw`', () => {
    expect(claude('daydream')).toEqual({ reason: 'other', raw: 'daydream' })
    expect(gpt('daydream')).toEqual({ reason: 'other', raw: 'daydream' })
  })

  test('a refusal is `refusal`', () => expect(claude('refusal')).toEqual({ reason: 'refusal' }))

  test('tool calls mean `tool-calls`', () => {
    expect(claude('tool_use', { type: 'tool_use', id: 'a', name: 'f', input: {} })).toEqual({
      reason: 'tool-calls',
    })
    expect(gpt('tool_calls', { tool_calls: [call] })).toEqual({ reason: 'tool-calls' })
    expect(gpt('stop', { tool_calls: [call] })).toEqual({ reason: 'tool-calls', raw: 'stop' })
    expect(gpt('stop', { function_call: call.function })).toEqual({ reason: 'tool-calls', raw: 'stop' })
  })

  test('tool calls decide if the value does not state them, and the value is sent back', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'f', input: {} }
    expect(claude('end_turn', use)).toEqual({ reason: 'tool-calls', raw: 'end_turn' })
    expect(claude('stop_sequence', use)).toEqual({ reason: 'tool-calls', raw: 'stop_sequence' })
    // A call that the provider runs does not wait for a result.
    expect(claude('end_turn', { ...use, type: 'server_tool_use' })).toEqual({ reason: 'stop' })
    expect(claude('max_tokens', use)).toEqual({ reason: 'length' })
    const events = [
      { type: 'message_start', message: { id: 'm', type: 'message', content: [] } },
      { type: 'content_block_start', index: 0, content_block: use },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    const sent = framed('anthropic', events)
    const read = await collect(anthropic.decodeStream(source(sent)))
    expect(read.find(({ type }) => type === 'finish')).toMatchObject({ finish: { reason: 'tool-calls' } })
    expect((await encodeStreamText('anthropic', read)).text).toBe(sent)
    const others = await encodeStreamText('openai-chat', read)
    expect(others.text).toContain('"finish_reason":"tool_calls"')
  })

  test('a value that depends on tool calls is removed together with them', () => {
    const body = { choices: [{ index: 0, message: { tool_calls: [call] }, finish_reason: 'stop' }] }
    const [answer] = chat.decodeResponse(body).value.candidates
    const without = { ...answer, content: [] } as AssistantMessage
    const { value, losses } = chat.encodeResponse({ candidates: [without] })
    expect(value.choices[0]?.finish_reason).toBe('tool_calls')
    expect(isNamed(losses, ['candidates', 0, 'finish', 'raw'])).toBe(true)
  })

  test('each dialect decodes the same reason from the single object as from the response', () => {
    const choice = { message: { function_call: call.function }, finish_reason: 'stop' }
    expect(chat.decodeFinish(choice)).toEqual(gpt('stop', choice.message))
    const use = { type: 'tool_use', id: 'a', name: 'f', input: {} }
    expect(anthropic.decodeFinish({ content: [use], stop_reason: 'end_turn' })).toEqual(
      claude('end_turn', use),
    )
  })
})

/** How each dialect states that the model or a filter refused to answer. Ollama, Mistral and Cohere have no value for it. */
const refusalValues: { readonly [name in DialectName]: JsonObject } = {
  anthropic: { stop_reason: 'refusal' },
  gemini: { candidates: [{ finishReason: 'SAFETY' }] },
  ollama: { done_reason: 'stop' },
  'openai-chat': { choices: [{ finish_reason: 'content_filter' }] },
  'openai-responses': { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
  mistral: { choices: [{ finish_reason: 'stop' }] },
  'gemini-interactions': { status: 'failed' },
  bedrock: { stopReason: 'content_filtered' },
  cohere: { finish_reason: 'COMPLETE' },
}

describe.each(subjects)('a refusal in $name', ({ name, dialect }) => {
  const refused = { type: 'message', role: 'assistant', content: [], stop_reason: 'refusal' }
  const events = [
    { type: 'message_start', message: { ...refused, id: 'm', stop_reason: null } },
    { type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]

  test('is not reported as a normal end', () => {
    const { value, losses } = dialect.encodeResponse(anthropic.decodeResponse(refused).value)
    expect(value).toMatchObject(refusalValues[name])
    expect(isNamed(losses, ['candidates', 0, 'finish', 'reason'])).toBe(name !== 'anthropic')
  })

  test('is the same in a stream', async () => {
    const read = await collect(anthropic.decodeStream(source(framed('anthropic', events))))
    const { text, losses } = await encodeStreamText(name, read)
    const [first] = (await answerOf(dialect.decodeStream(source(text)))).candidates
    const complete = dialect.decodeResponse({ ...refusalValues[name], done: true }).value.candidates[0]
    expect(first?.finish).toEqual(complete?.finish)
    expect(isNamed(losses, ['candidates', 0, 'finish', 'reason'])).toBe(name !== 'anthropic')
  })
})

const anyFinish: fc.Arbitrary<Finish> = fc.record(
  {
    reason: fc.constantFrom(...FINISH_REASONS),
    raw: fc.constantFrom('daydream', 'stop', 'end_turn', 'STOP', 'eos', 'completed'),
    stopSequence: anyText,
  },
  { requiredKeys: ['reason'], noNullPrototype: true },
)

describe.each(subjects)('the finish reason of a response to $name', ({ dialect }) => {
  test('is decoded again, or its loss is reported', () => {
    law(fc.tuple(anyFinish, fc.boolean()), ([finish, calls]) => {
      const said = calls ? [toolCall({ id: 'c', name: 'f', arguments: {} })] : 'Hi'
      const { value, losses } = dialect.encodeResponse({ candidates: [assistant(said, { finish })] })
      const back = dialect.decodeResponse(value).value.candidates[0]?.finish
      const lost = (['reason', 'raw', 'stopSequence'] as const)
        .filter((key) => finish[key] !== undefined && finish[key] !== back?.[key])
        // A known value is not kept in `raw`.
        .filter((key) => key !== 'raw' || !JSON.stringify(value).includes(`"${finish.raw}"`))
        .filter((key) => !isNamed(losses, ['candidates', 0, 'finish', key]))
      expect(lost).toEqual([])
    })
  })
})
