import { type ChatEvent, dialects, textOf, toolCallsOf } from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accumulate } from '../../src/canonical/stream/accumulate.ts'
import { collect, encodeStreamText, source, streamNames } from './stream-responses.ts'

/** Answers of code that yields no `start` event. */
const anyAnswer = fc
  .tuple(fc.constantFrom('', 'Hello', 'Hello there.'), fc.boolean(), fc.boolean())
  .map(([text, hasCall, hasUsage]): readonly ChatEvent[] => [
    ...(text === ''
      ? []
      : [
          { type: 'part-start', index: 0, part: { type: 'text', text: '' } } as const,
          { type: 'text-delta', index: 0, text } as const,
          { type: 'part-end', index: 0 } as const,
        ]),
    ...(hasCall
      ? [
          {
            type: 'part-start',
            index: 1,
            part: { type: 'tool-call', id: 'c1', name: 'f', arguments: {} },
          } as const,
          { type: 'arguments-delta', index: 1, json: '{"a":1}' } as const,
          { type: 'part-end', index: 1 } as const,
        ]
      : []),
    ...(hasUsage
      ? [{ type: 'usage', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } } as const]
      : []),
    { type: 'finish', finish: { reason: hasCall ? 'tool-calls' : 'stop' } },
  ])

describe.each(streamNames)('%s', (name) => {
  test('a stream without a start is as complete as one with it', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (events) => {
        const { text } = await encodeStreamText(name, events)
        const { text: expected } = await encodeStreamText(name, [{ type: 'start' }, ...events])
        // Only generated ids differ.
        const kinds = (stream: string): readonly string[] => stream.match(/"type":"[\w.]+"/g) ?? []
        expect(kinds(text)).toEqual(kinds(expected))
        const decoded = await collect(dialects[name].decodeStream(source(text)))
        expect(decoded.filter(({ type }) => type === 'error')).toEqual([])
        const { candidates } = await accumulate(decoded)
        const given = await accumulate(events)
        const contents = (list: typeof candidates): unknown =>
          list.map((message) => [textOf(message), toolCallsOf(message).length, message.finish?.reason])
        expect(contents(candidates)).toEqual(contents(given.candidates))
      }),
      { numRuns: 10 },
    )
  })

  test('a byte order mark may be split anywhere', async () => {
    const { text } = await encodeStreamText(name, [
      { type: 'start', id: 'r' },
      { type: 'text-delta', index: 0, text: 'Hello' },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
    const bytes = new TextEncoder().encode(`\ufeff${text}`)
    const whole = await collect(dialects[name].decodeStream(source(text), { now: () => 0 }))
    for (const cuts of [[1], [2], [3], [1, 2], [1, 2, 3, 4]]) {
      const ends = [...cuts, bytes.length]
      async function* split(): AsyncGenerator<Uint8Array> {
        for (const [index, end] of ends.entries()) yield bytes.subarray(ends[index - 1] ?? 0, end)
      }
      const events = await collect(dialects[name].decodeStream(split(), { now: () => 0 }))
      expect(events.map(({ type }) => type)).toEqual(whole.map(({ type }) => type))
    }
  })
})

test('a Responses stream without a start is completed', async () => {
  const { text } = await encodeStreamText('openai-responses', [
    { type: 'text-delta', index: 0, text: 'Hi' },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
  expect(text).toContain('"type":"response.created"')
  expect(text).toContain('"type":"response.completed"')
})
