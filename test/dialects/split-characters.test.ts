import {
  type ChatEvent,
  type DialectName,
  dialects,
  type JsonObject,
  textOf,
  toolCallsOf,
  translateStream,
} from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allPairs, subjects } from './dialect-table.ts'
import { payloads } from './stream-payloads.ts'
import { answerOf, collect, encodeStreamText, framed, source, toStreamText } from './stream-responses.ts'

const chatChunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const geminiChunk = (text: string, more: JsonObject = {}): JsonObject => ({
  responseId: 'r',
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
})
const ollamaLine = (content: string, more: JsonObject = { done: false }): JsonObject => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content },
  ...more,
})
const response = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [] }

/** Returns the payloads of a stream in which each piece of a text is a delta of its own. */
const streams: { readonly [name in DialectName]: (pieces: readonly string[]) => readonly JsonObject[] } = {
  anthropic: (pieces) => [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
  gemini: (pieces) => [...pieces.map((text) => geminiChunk(text)), geminiChunk('', { finishReason: 'STOP' })],
  ollama: (pieces) => [
    ...pieces.map((text) => ollamaLine(text)),
    ollamaLine('', { done: true, done_reason: 'stop' }),
  ],
  'openai-chat': (pieces) => [...pieces.map((content) => chatChunk({ content })), chatChunk({}, 'stop')],
  'openai-responses': (pieces) => [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: 'response.completed', response },
  ],
  mistral: (pieces) => [...pieces.map((content) => chatChunk({ content })), chatChunk({}, 'stop')],
  'gemini-interactions': (pieces) => [
    {
      event_type: 'interaction.created',
      interaction: { id: 'r', object: 'interaction', status: 'in_progress', model: 'm' },
    },
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    ...pieces.map((text) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } })),
    { event_type: 'step.stop', index: 0 },
    {
      event_type: 'interaction.completed',
      interaction: { id: 'r', object: 'interaction', status: 'completed', model: 'm' },
    },
  ],
  bedrock: (pieces) => [
    { messageStart: { role: 'assistant' } },
    ...pieces.map((text) => ({ contentBlockDelta: { contentBlockIndex: 0, delta: { text } } })),
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: 'end_turn' } },
  ],
  cohere: (pieces) => [
    { type: 'message-start', id: 'r', delta: { message: { role: 'assistant' } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    ...pieces.map((text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })),
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ],
}

const hasHalf = (value: unknown): boolean => /\\ud[89a-f]/i.test(JSON.stringify(value))

const pieceOf = (event: ChatEvent): string =>
  'text' in event ? event.text : 'json' in event ? event.json : ''

async function translated(from: DialectName, to: DialectName, wires: readonly JsonObject[]) {
  const { body, losses } = translateStream(source(framed(from, wires)), { from, to })
  const text = toStreamText(to, await collect(body))
  return { text, losses: await losses }
}

describe.each(subjects)('$name: a character that is split between two deltas', ({ name, dialect }) => {
  const wires = streams[name](['Hi \uD83D', '\uDE00 and ', '\uD83D', '\uDE00!'])

  test('is complete in one event', async () => {
    for (const exact of [true, false]) {
      const events = await collect(dialect.decodeStream(source(framed(name, wires)), { exact }))
      expect(events.every((event) => pieceOf(event).isWellFormed())).toBe(true)
      expect(events.map(pieceOf).join('')).toBe('Hi 😀 and 😀!')
    }
  })

  test('is sent back as received', async () => {
    const events = await collect(dialect.decodeStream(source(framed(name, wires))))
    const { text, losses } = await encodeStreamText(name, events)
    expect(payloads(text)).toEqual(wires)
    expect(losses).toEqual([])
  })

  test('is the same however the text is split', async () => {
    const pieces = fc.array(fc.constantFrom('\uD83D', '\uDE00', 'a', ''), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const sent = framed(name, streams[name](parts))
        const { candidates } = await answerOf(dialect.decodeStream(source(sent)))
        expect(candidates.map((message) => textOf(message)).join('')).toBe(parts.join(''))
        const events = await collect(dialect.decodeStream(source(sent)))
        const again = await encodeStreamText(name, events)
        if (parts.join('').isWellFormed()) expect(payloads(again.text)).toEqual(streams[name](parts))
        const isNoted = again.losses.some(({ rule }) => rule === 'lone-surrogate')
        expect(isNoted).toBe(!parts.join('').isWellFormed())
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(allPairs.filter(({ from, to }) => from !== to))(
  '$name: in the other format',
  ({ from, to }) => {
    test('split characters are complete', async () => {
      const wires = streams[from.name](['Hi \uD83D', '\uDE00', '!'])
      const { text, losses } = await translated(from.name, to.name, wires)
      expect(payloads(text).some(hasHalf)).toBe(false)
      const { candidates } = await answerOf(to.dialect.decodeStream(source(text)))
      expect(candidates.map((message) => textOf(message)).join('')).toBe('Hi 😀!')
      expect(losses.filter(({ rule }) => rule === 'lone-surrogate')).toEqual([])
    })

    test('half of a character is U+FFFD, with one note', async () => {
      const { text, losses } = await translated(
        from.name,
        to.name,
        streams[from.name](['a\uD83D', 'b\uDE00', '\uD83D']),
      )
      expect(payloads(text).some(hasHalf)).toBe(false)
      const { candidates } = await answerOf(to.dialect.decodeStream(source(text)))
      expect(candidates.map((message) => textOf(message)).join('')).toBe('a\uFFFDb\uFFFD\uFFFD')
      const notes = losses.filter(({ rule }) => rule === 'lone-surrogate')
      expect(notes.map(({ path }) => path)).toEqual(['/candidates/0/content/0/text'])
    })
  },
)

test('arguments and reasoning are joined too', async () => {
  const call = (fields: JsonObject): JsonObject => chatChunk({ tool_calls: [{ index: 0, ...fields }] })
  const wires = [
    chatChunk({ reasoning_content: 'Hm \uD83D' }),
    chatChunk({ reasoning_content: '\uDE00' }),
    call({ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":"\uD83D' } }),
    call({ function: { arguments: '\uDE00"}' } }),
    chatChunk({}, 'tool_calls'),
  ]
  const sent = framed('openai-chat', wires)
  const events = await collect(dialects['openai-chat'].decodeStream(source(sent)))
  expect(events.every((event) => pieceOf(event).isWellFormed())).toBe(true)
  const { candidates } = await answerOf(dialects['openai-chat'].decodeStream(source(sent)))
  expect(candidates.flatMap((message) => toolCallsOf(message))).toMatchObject([{ arguments: { a: '😀' } }])
  expect(payloads((await encodeStreamText('openai-chat', events)).text)).toEqual(wires)
})
