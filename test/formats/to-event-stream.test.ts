import type { ChatEvent } from 'interlingua'
import { agUiHeaders, toAgUi, toAgUiBytes } from 'interlingua/formats/ag-ui'
import {
  toUIMessageStream,
  toUIMessageStreamBytes,
  uiMessageStreamHeaders,
} from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { collect } from './arbitrary-runs.ts'

const run = { threadId: 't', runId: 'r' }
const formats: readonly {
  readonly name: string
  readonly to: (events: AsyncIterable<ChatEvent>) => AsyncIterableIterator<object>
  readonly bytes: (events: AsyncIterable<ChatEvent>) => ReadableStream<Uint8Array>
}[] = [
  {
    name: 'ai-sdk-ui',
    to: (events: AsyncIterable<ChatEvent>) => toUIMessageStream(events),
    bytes: toUIMessageStreamBytes,
  },
  {
    name: 'ag-ui',
    to: (events: AsyncIterable<ChatEvent>) => toAgUi(events, run),
    bytes: (events: AsyncIterable<ChatEvent>) => toAgUiBytes(events, run),
  },
]

/** An endless response that counts its reads. */
class Endless implements AsyncIterableIterator<ChatEvent> {
  asked = 0
  closed = 0;

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<ChatEvent>> {
    const value: ChatEvent =
      this.asked++ === 0 ? { type: 'start' } : { type: 'text-delta', index: 0, text: 'x' }
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<ChatEvent>> {
    this.closed++
    return { done: true, value: undefined }
  }
}

describe.each(formats)('$name', ({ to, bytes }) => {
  test('reads only on demand', async () => {
    const source = new Endless()
    const out = to(source)
    expect(source.asked).toBe(0)
    await out.next()
    await out.next()
    expect(source.asked).toBe(1)
    for (let count = 0; count < 10; count++) await out.next()
    expect(source.asked).toBeLessThanOrEqual(11)
  })

  test('reads nothing ahead as bytes, and cancels the source when they are cancelled', async () => {
    const source = new Endless()
    const stream = bytes(source)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.asked).toBe(0)
    const reader = stream.getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(source.asked).toBe(1)
    await reader.cancel()
    expect(source.closed).toBe(1)
  })

  test('cancels the source when the consumer stops, also before the first read', async () => {
    const source = new Endless()
    for await (const _ of to(source)) break
    expect(source.closed).toBe(1)
    const unread = new Endless()
    await to(unread).return?.()
    expect([unread.asked, unread.closed]).toEqual([0, 1])
  })

  test('stops while the source is silent', async () => {
    let closed = false
    const silent: AsyncIterableIterator<ChatEvent> = {
      [Symbol.asyncIterator]: () => silent,
      next: () => new Promise(() => {}),
      return: async () => {
        closed = true
        return { done: true, value: undefined }
      },
    }
    const out = to(silent)
    const waiting = out.next()
    await Promise.resolve()
    await out.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(closed).toBe(true)
  })

  test('serves concurrent requests in order', async () => {
    const source = new Endless()
    const out = to(source)
    const all = await Promise.all(Array.from({ length: 8 }, () => out.next()))
    const one = to(new Endless())
    for (const each of all) expect(await one.next()).toEqual(each)
  })

  test('stops reading after an error', async () => {
    const source = new Endless()
    async function* failing(): AsyncGenerator<ChatEvent> {
      yield { type: 'start' }
      yield { type: 'error', error: Object.assign(new Error('secret'), { code: 'stream-cut' }) as never }
      yield* source
    }
    const all = await collect(to(failing()))
    expect(source.asked).toBe(0)
    expect(JSON.stringify(all)).not.toContain('secret')
  })

  test('takes linear time', async () => {
    const pieces = 50_000
    async function* long(): AsyncGenerator<ChatEvent> {
      const part = { type: 'tool-call', id: 'c', name: 'f', arguments: {} } as const
      yield { type: 'part-start', index: 1, part }
      yield { type: 'arguments-delta', index: 1, json: '{"a":"' }
      for (let count = 0; count < pieces; count++) {
        yield { type: 'text-delta', index: 0, text: 'word ' }
        yield { type: 'arguments-delta', index: 1, json: 'word ' }
      }
      yield { type: 'arguments-delta', index: 1, json: '"}' }
      yield { type: 'finish', finish: { reason: 'tool-calls' } }
    }
    // If each delta cost as much as all before it, this would take minutes.
    expect((await collect(to(long()))).length).toBeGreaterThan(2 * pieces)
  }, 30_000)

  test('reports a failing source, and does not throw', async () => {
    async function* failing(): AsyncGenerator<ChatEvent> {
      yield { type: 'start' }
      throw new Error('secret')
    }
    const all = await collect(to(failing()))
    expect(String((all.at(-1) as { type: string }).type)).toMatch(/^(error|RUN_ERROR)$/)
    expect(JSON.stringify(all)).not.toContain('secret')
  })
})

describe('bytes', () => {
  async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
    return new Response(stream).text()
  }

  test('of a UI message stream are server-sent events with an end marker', async () => {
    const body = await textOf(toUIMessageStreamBytes([{ type: 'text-delta', index: 0, text: 'a\nb' }]))
    expect(body).toBe(
      [
        '{"type":"start"}',
        '{"type":"start-step"}',
        '{"type":"text-start","id":"0-0"}',
        '{"type":"text-delta","id":"0-0","delta":"a\\nb"}',
        '{"type":"text-end","id":"0-0"}',
        '{"type":"finish-step"}',
        '{"type":"finish"}',
        '[DONE]',
      ]
        .map((data) => `data: ${data}\n\n`)
        .join(''),
    )
    expect(uiMessageStreamHeaders).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-vercel-ai-ui-message-stream': 'v1',
    })
  })

  test('of AG-UI are server-sent events without an end marker', async () => {
    const body = await textOf(toAgUiBytes([], run))
    expect(body).toBe(
      'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n' +
        'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}\n\n',
    )
    expect(agUiHeaders['content-type']).toBe('text/event-stream')
  })
})
