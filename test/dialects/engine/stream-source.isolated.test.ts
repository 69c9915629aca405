import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ChatEvent, dialects, InterlinguaError, translateStream } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { framed, framedTexts, streamNames, type StreamName } from '../stream-responses.ts'

const MEBI = 2 ** 20
/** The length at which an endless stream ends. */
const STREAM_CHARS = (process.env['SOAK'] ? 10 : 5) * MEBI
const words = 'word '.repeat(200)

const chatChunk = (delta: object): object => ({
  id: 'r',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
})

/** The start of an endless response, and one more piece of it. */
const texts: { readonly [name in StreamName]: readonly [start: object, piece: object] } = {
  'openai-chat': [chatChunk({ role: 'assistant' }), chatChunk({ content: words })],
  'openai-responses': [
    {
      type: 'response.created',
      response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
    },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: words },
  ],
  anthropic: [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
  ],
  gemini: [
    { responseId: 'r', modelVersion: 'm' },
    { candidates: [{ content: { role: 'model', parts: [{ text: words }] }, index: 0 }], responseId: 'r' },
  ],
  ollama: [
    { model: 'm', message: { role: 'assistant', content: '' }, done: false },
    { model: 'm', message: { role: 'assistant', content: words }, done: false },
  ],
  mistral: [chatChunk({ role: 'assistant', content: '' }), chatChunk({ content: words })],
  'gemini-interactions': [
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: words } },
  ],
  bedrock: [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: words } } },
  ],
  cohere: [
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: words } } } },
  ],
}

/**
 * The additional memory of the dialects that need more than a little: openai-responses repeats every text when it ends, and
 * gemini and cohere address text by offsets in bytes or code points, so they keep the text until the end.
 */
const room: { readonly [name in StreamName]?: number } = {
  'openai-responses': 4 * MEBI + 2 * STREAM_CHARS,
  gemini: 4 * MEBI + 2 * STREAM_CHARS,
  cohere: 4 * MEBI + 2 * STREAM_CHARS,
}

/** A framing of a dialect. */
interface Way {
  readonly title: string
  readonly name: StreamName
  readonly piece: (wire: object, turn: number) => string
  /** The start of a payload that never ends, and the code of its error. */
  readonly opening: string
  readonly code: string
}

const ways: readonly Way[] = [
  ...streamNames.map((name): Way => ({
    title: name,
    name,
    piece: (wire) => framed(name, [wire]),
    opening: framedTexts(name, ['']).trimEnd(),
    code: 'line-too-long',
  })),
  ...streamNames
    .filter((name) => name === 'gemini')
    .map((name): Way => ({
      title: `${name} as one JSON array`,
      name,
      piece: (wire, turn) => `${turn === 0 ? '[' : ','}${JSON.stringify(wire)}`,
      opening: '[{"text":"',
      code: 'event-too-large',
    })),
]

/** A source that counts its reads and records its cancellation. */
class Source {
  asked = 0
  letGo = false
  readonly #piece: (turn: number) => string | Promise<string>

  constructor(piece: (turn: number) => string | Promise<string>) {
    this.#piece = piece
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) yield await this.#piece(this.asked++)
    } finally {
      this.letGo = true
    }
  }

  /** The same source as a web stream without read-ahead. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) =>
          controller.enqueue(new TextEncoder().encode(await this.#piece(this.asked++))),
        cancel: () => {
          this.letGo = true
        },
      },
      { highWaterMark: 0 },
    )
  }
}

const pieceAt = ({ name, piece }: Way, turn: number): string => piece(texts[name][turn === 0 ? 0 : 1], turn)

/** Framed once, since the tests measure the reader. */
function endless(way: Way): Source {
  const [start, piece] = [pieceAt(way, 0), pieceAt(way, 1)]
  return new Source((turn) => (turn === 0 ? start : piece))
}

/** A source that never continues after its first pieces. */
const silent = (way: Way): Source =>
  new Source((turn) => (turn < 3 ? pieceAt(way, turn) : new Promise<string>(() => {})))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns the bytes in use. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The event of an endless stream at which its memory is measured, near its limit: collecting garbage is slow. */
const MEASURED_EVENT = Math.floor((0.7 * STREAM_CHARS) / words.length)

/** Returns the additional memory near and after the end of a stream, and how it ends. */
async function peak(
  events: AsyncIterable<ChatEvent>,
): Promise<{ readonly grown: number; readonly last: ChatEvent | undefined }> {
  const before = held()
  let [most, count] = [0, 0]
  let last: ChatEvent | undefined
  for await (const event of events) {
    if (++count === MEASURED_EVENT) most = held() - before
    last = event
  }
  return { grown: Math.max(most, held() - before), last }
}

describe.each(ways)('$title: a source is read only as far as needed', (way) => {
  const { name, opening, code } = way
  const dialect = dialects[name]
  const both = [
    ['an iterable', (source: Source) => source],
    ['a web stream', (source: Source) => source.stream()],
  ] as const

  test.each([true, false])(
    'an endless stream ends at its limit with little memory, exact: %s',
    async (exact) => {
      const source = endless(way)
      const { grown, last } = await peak(
        dialect.decodeStream(source, { exact, limits: { maxTotalChars: STREAM_CHARS } }),
      )
      expect(last).toMatchObject({ type: 'error', error: { code: 'stream-too-large' } })
      expect(source.asked).toBeGreaterThan(MEASURED_EVENT)
      expect(source.letGo).toBe(true)
      expect(grown).toBeLessThan(room[name] ?? 4 * MEBI)
    },
  )

  test('a line of 100 MiB is refused after a third of it', async () => {
    const before = held()
    let most = 0
    const source = new Source((turn) => {
      if (turn === 30) most = held() - before
      return turn === 0 ? opening : 'x'.repeat(MEBI)
    })
    const { grown, last } = await peak(dialect.decodeStream(source))
    expect(last).toMatchObject({ type: 'error', error: { code } })
    expect(source.asked).toBeLessThan(36)
    expect(source.letGo).toBe(true)
    expect(Math.max(most, grown)).toBeLessThan(40 * MEBI)
  })

  test('an invalid source is refused immediately', () => {
    for (const source of [null, undefined, 'text', {}])
      expect(() => dialect.decodeStream(source as never)).toThrowError(
        expect.objectContaining({ code: 'invalid-type' }),
      )
  })

  test.each(both)('%s is read only when an event is requested', async (_kind, open) => {
    const source = endless(way)
    const events = dialect.decodeStream(open(source))[Symbol.asyncIterator]()
    expect(source.asked).toBe(0)
    for (let turn = 1; turn <= 10; turn++) {
      await events.next()
      expect(source.asked).toBeLessThanOrEqual(turn)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.asked).toBeLessThanOrEqual(10)
    await events.return?.()
    expect(source.letGo).toBe(true)
  })

  test.each(both)('%s is cancelled when the reader stops', async (_kind, open) => {
    const source = endless(way)
    for await (const event of dialect.decodeStream(open(source))) if (event.type === 'text-delta') break
    expect(source.letGo).toBe(true)
    const asked = source.asked
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.asked).toBe(asked)
  })

  test.each(both)('%s that hangs is cancelled on abort', async (kind, open) => {
    const source = silent(way)
    const controller = new AbortController()
    const events: ChatEvent[] = []
    setTimeout(() => controller.abort(), 10)
    for await (const event of dialect.decodeStream(open(source), { signal: controller.signal }))
      events.push(event)
    expect(events.some(({ type }) => type === 'text-delta')).toBe(true)
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'aborted' } })
    // A waiting generator cannot be interrupted: it ends when its awaited value arrives.
    if (kind === 'a web stream') expect(source.letGo).toBe(true)
  })

  test.each(both)('%s that hangs does not block a reader that stops', async (_kind, open) => {
    const events = dialect.decodeStream(open(silent(way)))[Symbol.asyncIterator]()
    while ((await events.next()).value?.type !== 'text-delta') continue
    await events.next()
    const waiting = events.next()
    expect(await events.return?.()).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  test.each(both)('%s is cancelled by an abort between two pieces', async (_kind, open) => {
    const source = endless(way)
    const controller = new AbortController()
    let last: ChatEvent | undefined
    let count = 0
    for await (const event of dialect.decodeStream(open(source), { signal: controller.signal })) {
      last = event
      if (count++ === 5) controller.abort()
    }
    expect(last?.type === 'error' && last.error).toBeInstanceOf(InterlinguaError)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.letGo).toBe(true)
  })

  test.each(both)(
    '%s that is translated: read on request, cancelled on break and on abort',
    async (kind, open) => {
      const to = name === 'anthropic' ? 'openai-chat' : 'anthropic'
      const source = endless(way)
      const { body, losses } = translateStream(open(source), { from: name, to })
      let taken = 0
      for await (const _bytes of body) {
        if (++taken === 5) break
        expect(source.asked).toBeLessThanOrEqual(taken + 3)
      }
      expect(source.letGo).toBe(true)
      expect(await losses).toBeInstanceOf(Array)

      const unread = endless(way)
      const nothing = translateStream(open(unread), { from: name, to })
      await nothing.body[Symbol.asyncIterator]().return?.()
      expect(unread).toMatchObject({ asked: 0, letGo: kind === 'a web stream' })
      expect(await nothing.losses).toEqual([])

      const other = silent(way)
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 10)
      let text = ''
      const { body: cut } = translateStream(other.stream(), { from: name, to, signal: controller.signal })
      for await (const bytes of cut) text += new TextDecoder().decode(bytes)
      expect(text).toContain('word')
      expect(text).toContain('aborted')
      expect(other.letGo).toBe(true)
    },
  )
})
