import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunUpdate, SessionTree } from '../../src/studio/api/contract.ts'
import { formatPageLocation, parsePageLocation } from '../../src/studio/page/navigation.ts'

/** A call of the page that waits for its answer. */
interface OpenCall {
  readonly name: string
  readonly input: { readonly session?: string; readonly ids?: readonly string[] }
  readonly answer: (value: unknown) => void
  /** Answers with a stream; returns its writer. */
  readonly stream: () => { send(update: RunUpdate): void; end(): void }
  readonly fail: () => void
}

let calls: OpenCall[] = []

beforeEach(() => {
  calls = []
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('fetch', (url: string, { body, signal }: RequestInit) => {
    let resolve: (response: Response) => void = () => undefined
    let reject: (error: Error) => void = () => undefined
    const promise = new Promise<Response>((...functions) => ([resolve, reject] = functions))
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
    calls.push({
      name: url.replace('/api/', ''),
      input: JSON.parse(body as string) as OpenCall['input'],
      answer: (value) => resolve(Response.json(value)),
      stream: () => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        const writer = writable.getWriter()
        signal?.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => undefined))
        resolve(new Response(readable))
        return {
          send: (update) => void writer.write(new TextEncoder().encode(`${JSON.stringify(update)}\n`)),
          end: () => void writer.close(),
        }
      },
      fail: () => reject(new TypeError('network error')),
    })
    return promise
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Waits for a call of the page, and takes it. */
async function takeCall(name: string): Promise<OpenCall> {
  const index = await vi.waitUntil(
    () => {
      const found = calls.findIndex((each) => each.name === name)
      return found >= 0 && { found }
    },
    { timeout: 20_000 },
  )
  return calls.splice(index.found, 1)[0] as OpenCall
}

const tree = (id: string, ...messages: string[]): SessionTree => ({
  session: { id, title: id, updatedAt: '', isSample: false },
  nodes: messages.map((message) => ({ id: message, role: 'user' as const, excerpt: '' })),
  ...(messages.length > 0 && { head: messages.at(-1) as string }),
})

const message = (id: string): object => ({ id, role: 'user', content: [] })

test('places survive their address, whatever their ids contain', () => {
  for (const place of [
    { view: 'chat' },
    { view: 'conversations', item: 'a/b%2F#?', message: 'ä /' },
    { view: 'lens' },
  ])
    expect(parsePageLocation(formatPageLocation(place))).toEqual(place)
  expect(parsePageLocation('#/chat/%')).toEqual({ view: 'chat', item: '%' })
  expect(parsePageLocation('')).toEqual({ view: '' })
})

describe('the loader of messages', () => {
  test('waits for messages that another call has requested', async () => {
    const { MessageLoader } = await import('../../src/studio/page/conversations/message-loader.ts')
    const loader = new MessageLoader('s')
    const first = loader.load(['a', 'b'])
    const second = loader.load(['b', 'c'])
    const [ab, c] = [await takeCall('messages.read'), await takeCall('messages.read')]
    expect([ab.input.ids, c.input.ids]).toEqual([['a', 'b'], ['c']])
    c.answer([message('c')])
    ab.answer([message('a'), message('b')])
    await second
    expect(['b', 'c'].map((id) => loader.find(id)?.id)).toEqual(['b', 'c'])
    await first
  })

  test('reports messages that cannot be loaded, and requests them again', async () => {
    const { MessageLoader } = await import('../../src/studio/page/conversations/message-loader.ts')
    const loader = new MessageLoader('s')
    const failed = expect(loader.load(['a'])).rejects.toThrow('network error')
    ;(await takeCall('messages.read')).fail()
    await failed
    const missing = expect(loader.load(['a'])).rejects.toThrow('deleted')
    ;(await takeCall('messages.read')).answer([])
    await missing
  })
})

describe('the chat', () => {
  test('a run of a session that was left changes nothing of the next one', async () => {
    const { chat } = await import('../../src/studio/page/chat/chat-state.ts')
    void chat.open('first')
    ;(await takeCall('sessions.open')).answer(tree('first'))
    const run = chat.run({ type: 'send', content: [] })
    const stream = (await takeCall('chat.run')).stream()
    stream.send({ type: 'event', event: { type: 'text-delta', index: 0, text: 'Old' } })
    await vi.waitFor(() => expect(chat.answer.value.parts).toHaveLength(1))
    stream.send({ type: 'error', error: { code: 'x', message: 'Old error' } })
    void chat.open('second')
    expect(chat.isRunning.value).toBe(false)
    await run
    ;(await takeCall('sessions.open')).answer(tree('second'))
    await vi.waitFor(() => expect(chat.opened.value?.session.id).toBe('second'))
    expect([chat.answer.value.parts, chat.error.value]).toEqual([[], undefined])
    expect(calls.filter(({ name }) => name === 'sessions.open')).toEqual([])
  })

  test('an answer about a session that was left is ignored', async () => {
    const { chat } = await import('../../src/studio/page/chat/chat-state.ts')
    void chat.open('first')
    const first = await takeCall('sessions.open')
    void chat.open('second')
    ;(await takeCall('sessions.open')).answer(tree('second'))
    first.fail()
    await vi.waitFor(() => expect(chat.opened.value?.session.id).toBe('second'))
    expect(chat.error.value).toBeUndefined()
  })

  test.each([
    ['true if the message was stored', ['m1'], true],
    ['false if nothing was stored', [], false],
  ])('a run returns %s', async (_what, stored, expected) => {
    const { chat } = await import('../../src/studio/page/chat/chat-state.ts')
    void chat.open('s')
    ;(await takeCall('sessions.open')).answer(tree('s'))
    const run = chat.run({ type: 'send', content: [] })
    const stream = (await takeCall('chat.run')).stream()
    stream.send({ type: 'error', error: { code: 'x', message: 'No such model.' } })
    stream.end()
    ;(await takeCall('sessions.open')).answer(tree('s', ...stored))
    if (stored.length > 0) (await takeCall('messages.read')).answer(stored.map(message))
    expect(await run).toBe(expected)
    expect(chat.error.value).toBe('No such model.')
  })
})
