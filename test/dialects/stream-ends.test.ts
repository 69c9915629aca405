import { type ChatEvent, type DialectName, dialects, ProviderError, translateStream } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { recorded } from '../recorded-exchanges.ts'
import { allPairs, subjects } from './dialect-table.ts'
import { payloads } from './stream-payloads.ts'
import { answerOf, collect, encodeStreamText, framed, source, toStreamText } from './stream-responses.ts'

const { 'openai-responses': responses } = dialects

async function translated(text: string, from: DialectName, to: DialectName) {
  const { body, losses } = translateStream(source(text), { from, to })
  return { text: toStreamText(to, await collect(body)), losses: await losses }
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function errorOf(events: readonly ChatEvent[]): unknown {
  const last = events.at(-1)
  return last?.type === 'error' ? last.error : undefined
}

/** The payloads of a streamed text in each dialect, without a finish reason. */
const unfinished: { readonly [name in DialectName]: readonly object[] } = {
  anthropic: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello 😀' } },
    { type: 'content_block_stop', index: 0 },
  ],
  gemini: [
    {
      responseId: 'm',
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello 😀' }] } }],
    },
  ],
  ollama: [
    {
      model: 'm',
      created_at: '2026-01-01T00:00:00Z',
      message: { role: 'assistant', content: 'Hello 😀' },
      done: false,
    },
  ],
  'openai-chat': [
    {
      id: 'm',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content: 'Hello 😀' } }],
    },
  ],
  'openai-responses': [
    {
      type: 'response.created',
      response: { id: 'm', object: 'response', model: 'm', status: 'in_progress', output: [] },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'Hello 😀',
    },
  ],
  mistral: [
    {
      id: 'm',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta: { content: 'Hello 😀' } }],
    },
  ],
  'gemini-interactions': [
    {
      event_type: 'interaction.created',
      interaction: { id: 'm', object: 'interaction', model: 'm', status: 'in_progress' },
    },
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hello 😀' } },
  ],
  bedrock: [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hello 😀' } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
  ],
  cohere: [
    { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hello 😀' } } } },
    { type: 'content-end', index: 0 },
  ],
}

const done = 'data: [DONE]\n\n'

/** What ends a stream of each dialect without a finish reason; none for those whose last payload contains it. */
const endings: readonly (readonly [DialectName, string])[] = [
  ['openai-chat', done],
  ['openai-responses', done],
  ['openai-responses', framed('openai-responses', [{ type: 'response.completed', response: { id: 'm' } }])],
  ['anthropic', framed('anthropic', [{ type: 'message_stop' }])],
  ['anthropic', done],
  ['gemini', done],
  ['gemini-interactions', done],
]

describe('a stream that ends without a finish reason', () => {
  test.each(endings)('%s: ends the answer if it is marked: %j', async (name, ending) => {
    const text = framed(name, unfinished[name]) + ending
    const events = await collect(dialects[name].decodeStream(source(text)))
    expect(errorOf(events)).toBeUndefined()
    const [message] = (await answerOf(dialects[name].decodeStream(source(text)))).candidates
    expect(message?.content).toMatchObject([{ type: 'text', text: 'Hello 😀' }])
    expect(message?.finish).toEqual({ reason: 'stop' })
    const again = await encodeStreamText(name, events)
    const received = payloads(text)
    expect(payloads(again.text).slice(0, received.length)).toEqual(received)
    // A format without this mark gets a finish reason.
    const isOwnMark = ending !== done || name === 'openai-chat' || name === 'gemini-interactions'
    expect(again.losses).toEqual([])
    expect(payloads(again.text).length > received.length).toBe(!isOwnMark)
  })

  test.each(endings.flatMap(([from, ending]) => subjects.map(({ name: to }) => [from, to, ending] as const)))(
    '%s to %s is complete in the other format: %j',
    async (from, to, ending) => {
      const { text } = await translated(framed(from, unfinished[from]) + ending, from, to)
      const [message] = (await answerOf(dialects[to].decodeStream(source(text)))).candidates
      expect(message?.content).toMatchObject([{ type: 'text', text: 'Hello 😀' }])
    },
  )

  test.each(subjects)('$name: was cut off if it is not marked', async ({ name, dialect }) => {
    const events = await collect(dialect.decodeStream(source(framed(name, unfinished[name]))))
    expect(errorOf(events)).toMatchObject({ code: 'stream-cut', retryable: true })
  })

  test.each(subjects)('$name: a mark without an answer is no answer', async ({ name, dialect }) => {
    const events = await collect(
      dialect.decodeStream(source(name === 'ollama' || name === 'bedrock' ? '' : done)),
    )
    expect(errorOf(events)).toMatchObject({ code: 'stream-cut', retryable: true })
  })
})

test.each(subjects)('$name: a stream may be retried wherever it was cut', async ({ name, dialect }) => {
  const bytes = new TextEncoder().encode(framed(name, unfinished[name]))
  for (let size = 0; size <= bytes.length; size++) {
    for (const exact of [true, false]) {
      const events = await collect(dialect.decodeStream(bytesOf(bytes.subarray(0, size)), { exact }))
      expect(errorOf(events)).toMatchObject({ code: 'stream-cut', retryable: true })
    }
  }
})

test('an error that was cut off may be retried', async () => {
  const text = framed('anthropic', unfinished.anthropic)
  const events = await collect(
    dialects.anthropic.decodeStream(source(`${text}event: error\ndata: {"type":"err`)),
  )
  expect(errorOf(events)).toMatchObject({ code: 'stream-cut', retryable: true })
})

describe('a Responses stream that reports its error twice', () => {
  const failure = { code: 'rate_limit_exceeded', message: 'Slow down' }
  const error = { type: 'error', sequence_number: 2, error: { type: 'tokens', ...failure, param: null } }
  const response = { id: 'm', object: 'response', status: 'failed', error: failure, output: [], model: 'm' }
  const failed = { type: 'response.failed', sequence_number: 3, response }
  const start = unfinished['openai-responses']
  const text = framed('openai-responses', [...start, error, failed])

  test.each([
    ['an error and a failed response', [error, failed]],
    ['a failed response', [failed]],
    ['an error', [error]],
  ])('%s is sent back as received', async (_name, ends) => {
    const sent = framed('openai-responses', [...start, ...ends])
    const events = await collect(responses.decodeStream(source(sent)))
    expect(errorOf(events)).toBeInstanceOf(ProviderError)
    expect(errorOf(events)).toMatchObject({ kind: 'rate-limit' })
    expect((await encodeStreamText('openai-responses', events)).text).toBe(sent)
  })

  test.each(
    recorded('openai-responses').flatMap(({ id, stream }) =>
      typeof stream === 'string' && stream.includes('response.failed') ? [{ id, stream }] : [],
    ),
  )('recorded: $id', async ({ stream }) => {
    const { text: again } = await translated(stream, 'openai-responses', 'openai-responses')
    expect(payloads(again)).toEqual(payloads(stream))
  })

  test('is one error for its reader, which does not wait for the second report', async () => {
    let isSecondRead = false
    async function* chunks(): AsyncGenerator<string> {
      yield framed('openai-responses', [...start, error])
      isSecondRead = true
      yield framed('openai-responses', [failed])
    }
    const events = await collect(responses.decodeStream(chunks(), { exact: false }))
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(1)
    expect(isSecondRead).toBe(false)
  })

  test('is one error in other formats, and the second report is noted', async () => {
    for (const { from, to } of allPairs.filter(
      (pair) => pair.from.name === 'openai-responses' && pair.to !== pair.from,
    )) {
      const { text: other, losses } = await translated(text, from.name, to.name)
      const events = await collect(to.dialect.decodeStream(source(other)))
      expect(errorOf(events)).toMatchObject({ kind: 'rate-limit' })
      expect(losses.map(({ rule, path }) => [rule, path])).toContainEqual([
        'foreign-metadata',
        '/extra/openai-responses/response.failed',
      ])
    }
  })

  test('is replaced together with its error', async () => {
    const events = await collect(responses.decodeStream(source(text)))
    const other = new ProviderError('Later', { kind: 'overloaded' })
    const edited = events.map((event) => (event.type === 'error' ? { ...event, error: other } : event))
    const { text: again } = await encodeStreamText('openai-responses', edited)
    expect(again).toContain('Later')
    expect(again).not.toContain('Slow down')
  })

  test('names the model of the request', async () => {
    const events = await collect(responses.decodeStream(source(text)))
    const { text: again } = await encodeStreamText('openai-responses', events, { model: 'asked' })
    expect(payloads(again).at(-1)).toMatchObject({ response: { ...response, model: 'asked' } })
  })
})
