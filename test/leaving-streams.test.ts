import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { type ChatEvent, translateStream } from 'interlingua'
import { Agent, renderText } from 'interlingua/agent'
import { toAgUi, toAgUiBytes } from 'interlingua/formats/ag-ui'
import { toUIMessageStream, toUIMessageStreamBytes } from 'interlingua/formats/ai-sdk-ui'
import {
  caching,
  fallback,
  logging,
  type Middleware,
  type Model,
  providers,
  rateLimit,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { dialects } from '../src/dialects/dialects.ts'
import { type StreamName, streamNames } from './dialects/stream-responses.ts'
import {
  type OpenStream,
  readUntilSilent,
  settles,
  silentBytes,
  silentEvents,
  waitTurns,
} from './silent-sources.ts'

/** The number of values after which a source is silent: before the first, inside of the answer. */
const STAGES = [0, 3]

type OpenRow = (count: number, signal: AbortSignal) => OpenStream

function overEvents(convert: (events: AsyncIterable<ChatEvent>) => AsyncIterable<unknown>): OpenRow {
  return (count) => {
    const { values, ...state } = silentEvents(count)
    return { iterator: convert(values)[Symbol.asyncIterator](), ...state }
  }
}

/** A host that sends nothing after some frames, and whose connection ignores signals. */
function overHost(
  name: StreamName,
  convert: (model: Model, signal: AbortSignal) => AsyncIterable<unknown>,
): OpenRow {
  return (count, signal) => {
    const { values, ...state } = silentBytes(name, count)
    const type = name === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'
    const fetch = async (): Promise<Response> => new Response(values, { headers: { 'content-type': type } })
    const model = providers[name].with({ apiKey: 'k', baseUrl: 'http://127.0.0.1', fetch })('m')
    return { iterator: convert(model, signal)[Symbol.asyncIterator](), ...state }
  }
}

const forwarding: Middleware = {
  async *stream(request, options, inner) {
    const stream = inner.stream(request, options)
    for await (const event of stream) yield event
    return stream.reply
  },
}

const middlewares: { readonly [name: string]: Middleware } = {
  logging: logging({ log: () => {} }),
  fallback: fallback([scripted(['never used'])]),
  caching: caching({ store: new Map() }),
  rateLimit: rateLimit({ maxRequests: 1_000 }),
  forwarding,
}

async function* copyEvents(source: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  for await (const event of source) yield event
}

const run = { threadId: 't', runId: 'r' }
const toAgent = (model: Model): Agent => new Agent({ model })

/** Every public function that returns a stream. Those of the second table take a signal. */
const unsignalled: { readonly [name: string]: OpenRow } = {
  ...Object.fromEntries(
    streamNames.map((name) => [
      `encodeStream of ${name}`,
      overEvents((source) => dialects[name].encodeStream(source)),
    ]),
  ),
  toUIMessageStream: overEvents((source) => toUIMessageStream(source)),
  toAgUi: overEvents((source) => toAgUi(source, run)),
  'scripted events': overEvents((source) => scripted([{ reply: { events: source } }]).stream('Hi')),
}

const signalled: { readonly [name: string]: OpenRow } = {
  ...Object.fromEntries(
    streamNames.flatMap((name): readonly (readonly [string, OpenRow])[] => [
      [
        `decodeStream of ${name}`,
        (count, signal) => {
          const { values, ...state } = silentBytes(name, count)
          const decoded = dialects[name].decodeStream(values, { signal })
          return { iterator: decoded[Symbol.asyncIterator](), ...state }
        },
      ],
      [
        `translateStream of ${name}`,
        (count, signal) => {
          const { values, ...state } = silentBytes(name, count)
          const { body } = translateStream(values, { from: name, to: 'anthropic', signal })
          return { iterator: body, ...state }
        },
      ],
      [`model.stream of ${name}`, overHost(name, (model, signal) => model.stream('Hi', { signal }))],
    ]),
  ),
  'translateStream with a transform': (count, signal) => {
    const { values, ...state } = silentBytes('gemini', count)
    const options = { from: 'gemini', to: 'anthropic', transformEvents: copyEvents, signal } as const
    return { iterator: translateStream(values, options).body, ...state }
  },
  ...Object.fromEntries(
    Object.entries(middlewares).map(([name, middleware]) => [
      `the middleware ${name}`,
      overHost('anthropic', (model, signal) => wrapModel(model, middleware).stream('Hi', { signal })),
    ]),
  ),
  'all middlewares': overHost('anthropic', (model, signal) =>
    wrapModel(model, ...Object.values(middlewares)).stream('Hi', { signal }),
  ),
  'a scripted wire format': (count, signal) => {
    const { values, ...state } = silentEvents(count)
    const model = scripted([{ reply: { events: values } }], { dialect: 'anthropic' })
    return { iterator: model.stream('Hi', { signal })[Symbol.asyncIterator](), ...state }
  },
  'agent.stream': overHost('anthropic', (model, signal) => toAgent(model).stream('Hi', { signal })),
  'agent.stream events': overHost('gemini', (model, signal) =>
    toAgent(model).stream('Hi', { signal }).events(),
  ),
  renderText: overHost('ollama', (model, signal) => renderText(toAgent(model).stream('Hi', { signal }))),
  'a UI stream of an agent': overHost('openai-chat', (model, signal) =>
    toUIMessageStream(toAgent(model).stream('Hi', { signal }).events()),
  ),
}

async function expectReleased(stream: OpenStream, signal: AbortSignal): Promise<void> {
  await waitTurns(5)
  expect(stream.cancelled()).toBe(1)
  expect(getEventListeners(signal, 'abort')).toEqual([])
}

const DONE = { status: 'fulfilled', value: { done: true, value: undefined } }

async function expectLeft(open: OpenRow, count: number, way: 'return' | 'throw'): Promise<void> {
  const { signal } = new AbortController()
  const stream = open(count, signal)
  const { iterator } = stream
  const { pending } = await readUntilSilent(stream)
  if (way === 'return') expect(await settles(iterator.return?.() ?? Promise.reject())).toEqual(DONE)
  else {
    const thrown = await settles<unknown>(iterator.throw?.(new Error('mine')) ?? Promise.resolve())
    expect(thrown).toMatchObject({ status: 'rejected', reason: { message: 'mine' } })
  }
  expect(await settles(pending)).toEqual(DONE)
  expect(await settles(iterator.next())).toEqual(DONE)
  await expectReleased(stream, signal)
}

async function expectAborted(open: OpenRow, count: number): Promise<void> {
  const controller = new AbortController()
  const stream = open(count, controller.signal)
  const { pending } = await readUntilSilent(stream)
  controller.abort()
  const outcomes = [await settles(pending)]
  // An error or the result of an aborted run may follow.
  while (outcomes.at(-1)?.status === 'fulfilled' && outcomes.length < 20)
    outcomes.push(await settles(stream.iterator.next()))
  expect(outcomes.some((each) => each.status === 'rejected' || each.value.done === true)).toBe(true)
  await expectReleased(stream, controller.signal)
}

describe.each(Object.entries({ ...unsignalled, ...signalled }))('%s', (name, open) => {
  test('ends at once by return() and throw()', async () => {
    await Promise.all(
      STAGES.flatMap((count) => [expectLeft(open, count, 'return'), expectLeft(open, count, 'throw')]),
    )
  })

  test('ends by return() before the first read', async () => {
    const { signal } = new AbortController()
    const stream = open(0, signal)
    expect(await settles(stream.iterator.return?.() ?? Promise.reject())).toEqual(DONE)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(stream.cancelled()).toBeLessThanOrEqual(1)
  })

  test.runIf(name in signalled)('ends at once by its signal', async () => {
    await Promise.all(STAGES.map((count) => expectAborted(open, count)))
  })
})

describe.each([
  ['toUIMessageStreamBytes', (source: AsyncIterable<ChatEvent>) => toUIMessageStreamBytes(source)],
  ['toAgUiBytes', (source: AsyncIterable<ChatEvent>) => toAgUiBytes(source, run)],
])('%s', (_name, convert) => {
  test.each(STAGES)('is cancelled at once after %d values, and its source, too', async (count) => {
    for (const kind of ['events', 'a model'] as const) {
      const own = silentEvents(count)
      const host = silentBytes('anthropic', count)
      const fetch = async (): Promise<Response> => new Response(host.values)
      const model = providers.anthropic.with({ apiKey: 'k', fetch })('m')
      const reader = convert(kind === 'events' ? own.values : model.stream('Hi')).getReader()
      const iterator = { next: async () => reader.read() as Promise<IteratorResult<unknown>> }
      const { silence, cancelled } = kind === 'events' ? own : host
      const { pending } = await readUntilSilent({ iterator, silence })
      expect(await settles(reader.cancel())).toMatchObject({ status: 'fulfilled' })
      expect(await settles(pending)).toEqual(DONE)
      const { signal } = new AbortController()
      await expectReleased({ iterator, cancelled, silence }, signal)
    }
  })
})

test('a silent Node stream is destroyed', async () => {
  const source = new Readable({ read() {} })
  const iterator = dialects.anthropic.decodeStream(source)[Symbol.asyncIterator]()
  const { pending } = await readUntilSilent({ iterator, silence: Promise.resolve() })
  expect(await settles(iterator.return?.() ?? Promise.reject())).toEqual(DONE)
  expect(await settles(pending)).toEqual(DONE)
  expect(source.destroyed).toBe(true)
})

test('a connection that never opens does not keep its reader', async () => {
  const fetch = (): Promise<Response> => new Promise(() => {})
  const model = providers.anthropic.with({ apiKey: 'k', fetch })('m')
  const stream = model.stream('Hi')
  const iterator = stream[Symbol.asyncIterator]()
  const pending = iterator.next()
  expect(await settles(iterator.return?.() ?? Promise.reject())).toEqual(DONE)
  expect(await settles(pending)).toEqual(DONE)
  expect(await settles(stream.reply)).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } })
})

test('a middleware that ignores the signal does not delay an abort', async () => {
  const hanging: Middleware = { stream: () => silentGenerator() }
  const controller = new AbortController()
  const stream = wrapModel(scripted(['Hi']), hanging).stream('Hi', { signal: controller.signal })
  const pending = settles(stream[Symbol.asyncIterator]().next())
  controller.abort()
  expect(await pending).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } })
  await expect(stream.reply).rejects.toMatchObject({ code: 'aborted' })
})

async function* silentGenerator(): AsyncGenerator<ChatEvent, never> {
  yield* []
  return new Promise<never>(() => {})
}

test('a reader that left while the model was silent is logged as such', async () => {
  const logged: string[] = []
  const host = silentBytes('anthropic', 3)
  const fetch = async (): Promise<Response> => new Response(host.values)
  const model = wrapModel(
    providers.anthropic.with({ apiKey: 'k', fetch })('m'),
    logging({ log: ({ event }) => logged.push(event) }),
  )
  const iterator = model.stream('Hi')[Symbol.asyncIterator]()
  await readUntilSilent({ iterator, silence: host.silence })
  await iterator.return?.()
  expect(logged).toEqual(['request', 'abandoned'])
})
