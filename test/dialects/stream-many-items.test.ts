import { dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { collect, framed, source, type StreamName, encodeStreamText } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

/** More items than a function call can have arguments. */
const MANY = 150_000

const crowd = <T>(each: T): readonly T[] => Array.from({ length: MANY }, () => each)

/** A payload with very many items. */
const crowds: readonly (readonly [name: StreamName, wire: object])[] = [
  [
    'openai-chat',
    {
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: crowd({ type: 'text', text: 'x' }) } }],
    },
  ],
  ['gemini', { candidates: [{ content: { role: 'model', parts: crowd({ text: 'x' }) } }] }],
]

describe.each(crowds)('%s', (name, wire) => {
  test.each([true, false])('a payload may contain very many items, exact: %s', async (exact) => {
    const events = await collect(
      dialects[name].decodeStream(source(framed(name, [wire])), { exact, limits: { maxParts: Infinity } }),
    )
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(MANY)
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'stream-cut' } })
  })
})

describe('openai-responses', () => {
  test('a huge position does not allocate memory', async () => {
    const item = { type: 'message', id: 'm', role: 'assistant', status: 'in_progress', content: [] }
    const place = { item_id: 'm', output_index: 0, content_index: 2 ** 32 - 2 }
    const wires = [
      { type: 'response.created', response: { id: 'r', object: 'response', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', ...place, delta: 'x' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, status: 'completed', content: [{ type: 'output_text', text: 'x' }] },
      },
    ]
    const stream = source(framed('openai-responses', wires))
    const events = await collect(dialects['openai-responses'].decodeStream(stream))
    const { text } = await encodeStreamText(
      'openai-responses',
      events.filter(({ type }) => type !== 'error'),
    )
    expect(payloads(text).slice(0, wires.length)).toEqual(wires)
  })
})
