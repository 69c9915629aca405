import { type ChatEvent, InterlinguaError, StreamError } from 'interlingua'
import { Agent } from 'interlingua/agent'
import {
  caching,
  demo,
  fallback,
  type Model,
  openai,
  type ReplyStream,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { openaiChat as wire } from '../providers/fakes/openai-chat.ts'
import { cutsAfter, startFake, stallsAfter } from '../providers/fakes/server.ts'
import { KEY, usualOf } from '../providers/fakes/table.ts'

/** Sends the same stream for every request. */
const fetch = (): Promise<Response> =>
  Promise.resolve(new Response(wire.events.join(''), { headers: { 'content-type': wire.streamType } }))

const models: readonly (readonly [string, () => Model])[] = [
  ['a provider', () => openai('fake-1', { apiKey: 'k', fetch, now: () => 0 })],
  ['a script', () => scripted(() => 'Hello there.', { newId: () => 'msg_1', now: () => 0 })],
  ['the demo', () => demo({ newId: () => 'msg_1', now: () => 0 })],
  [
    'a wrapped model',
    () =>
      wrapModel(
        scripted(() => 'Hello.', { newId: () => 'msg_1', now: () => 0 }),
        fallback([]),
      ),
  ],
  [
    'a cache',
    () =>
      wrapModel(
        scripted(() => 'Hello.', { newId: () => 'msg_1', now: () => 0 }),
        caching({ store: new Map() }),
      ),
  ],
]

async function collect(stream: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Events as the type and the text alone: ids differ between calls. */
const shapes = (events: readonly ChatEvent[]): readonly unknown[] =>
  events.map((event) => [event.type, 'text' in event ? event.text : undefined])

const secondReader = { code: 'invalid-stream', hint: expect.stringContaining('reply') as string }

describe.each(models)('%s', (_title, create) => {
  test('gives the same events and the reply in every order', async () => {
    const model = create()
    const first = model.stream('Hi')
    const events = shapes(await collect(first))
    const { text } = await first.reply
    expect(events.length).toBeGreaterThan(3)

    const later = model.stream('Hi')
    expect((await later.reply).text).toBe(text)
    expect(shapes(await collect(later))).toEqual(events)

    const together = model.stream('Hi')
    const [reply, read] = await Promise.all([together.reply, collect(together)])
    expect([reply.text, shapes(read)]).toEqual([text, events])

    const during = model.stream('Hi')
    const replies: Promise<{ readonly text: string }>[] = []
    for await (const _event of during) replies.push(during.reply)
    expect((await Promise.all(replies)).every((each) => each.text === text)).toBe(true)
  })

  test('rejects a second iteration, and still has its reply', async () => {
    for (const begin of [collect, (stream: ReplyStream) => stream.reply.then(() => collect(stream))]) {
      const stream = create().stream('Hi')
      await begin(stream)
      await expect(collect(stream)).rejects.toMatchObject(secondReader)
      expect((await stream.reply).text).not.toBe('')
    }
  })
})

test('a stream that fails has the same error in every order', async () => {
  const fake = await startFake(cutsAfter(wire.events.slice(0, 2), wire.streamType))
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
  const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)
  const first = model.stream('Hi')
  const thrown = await failure(collect(first))
  expect(thrown).toBeInstanceOf(StreamError)
  expect(await failure(first.reply)).toBe(thrown)
  const later = model.stream('Hi')
  const rejected = await failure(later.reply)
  expect(rejected).toBeInstanceOf(StreamError)
  const seen: string[] = []
  const reading = (async () => {
    for await (const event of later) seen.push(event.type)
  })()
  expect(await failure(reading)).toBe(rejected)
  expect(seen).toContain('text-delta')
  await fake.close()
})

test('leaving the events early closes the call, unless the reply was requested before', async () => {
  const fake = await startFake(usualOf(wire))
  const model = openai('fake-1', { apiKey: KEY, baseUrl: fake.url })
  const requested = model.stream('Hi')
  const { reply } = requested
  for await (const _event of requested) break
  expect((await reply).text).toBe('Hello there.')
  fake.next(stallsAfter(wire.events.slice(0, 2), wire.streamType))
  const left = model.stream('Hi')
  for await (const event of left) if (event.type === 'text-delta') break
  await fake.abandoned(1)
  await expect(left.reply).rejects.toMatchObject({ code: 'aborted' })
  await fake.close()
})

test('events arrive while the reply is awaited', async () => {
  const model = scripted([{ reply: 'one two three', eventDelayMs: 5 }])
  const stream = model.stream('Hi')
  let isComplete = false
  void stream.reply.then(() => (isComplete = true))
  for await (const event of stream) {
    if (event.type !== 'start') continue
    expect(isComplete).toBe(false)
  }
})

describe('the stream of an agent', () => {
  const open = (): ReturnType<Agent['stream']> =>
    new Agent({ model: scripted(['Hello there.']) }).stream('Hi')

  test.each(['chunks first', 'result first'])('%s', async (order) => {
    const stream = open()
    if (order === 'result first') await stream.result
    let text = ''
    for await (const chunk of stream) text += chunk.text
    expect([text, (await stream.result).text]).toEqual(['Hello there.', 'Hello there.'])
  })

  test('rejects a second iteration', async () => {
    const stream = open()
    for await (const _chunk of stream) continue
    const again = (async () => {
      for await (const _event of stream.events()) continue
    })()
    await expect(again).rejects.toBeInstanceOf(InterlinguaError)
    await expect(again).rejects.toMatchObject({ code: 'invalid-stream' })
    expect((await stream.result).text).toBe('Hello there.')
  })
})
