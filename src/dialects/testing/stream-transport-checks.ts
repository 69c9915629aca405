import type { ChatEvent } from '../../canonical/model/event.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { InterlinguaError } from '../../errors.ts'
import { listResponseSamples } from './canonical-samples.ts'
import {
  awaitDialect,
  type CheckContext,
  type ConformanceCheck,
  createContext,
  expectEqual,
} from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import { createRandom } from './random.ts'
import {
  collectAll,
  encodeToText,
  parsePayloads,
  splitBytes,
  toStreamBytes,
  toStreamText,
} from './stream-text.ts'
import { FIXED_IDENTITY, type Subject } from './conformance-subject.ts'

/** Longer streams are not read byte by byte: they contain nothing that shorter ones do not. */
const MAX_SINGLE_BYTES = 20_000

/** The number of payloads from which on the first event must not wait for the last payload. */
const MIN_PAYLOADS = 3

/** A stream to transport; the text of an encoded one is known when the check runs. */
interface TransportedStream {
  readonly name: string
  readonly getText: (context: CheckContext) => Promise<string>
}

/** Lists the checks of how streams are transported: in chunks, cut off, left early, and aborted. */
export function listStreamTransportChecks(subject: Subject): readonly ConformanceCheck[] {
  const samples = subject.streams.map(({ name, text }): TransportedStream => ({
    name,
    getText: async () => text,
  }))
  const encoded = listResponseSamples().map(({ name, value }): TransportedStream => ({
    name: `encoded, with ${name}`,
    getText: async (context) =>
      (
        await awaitDialect(context, 'encoding the stream', () =>
          encodeToText(subject.dialect, toEvents(value), FIXED_IDENTITY),
        )
      ).text,
  }))
  return [...samples, ...encoded].flatMap(({ name, getText }) => {
    const bind =
      (law: 'any-chunking' | 'stream-end', check: typeof checkChunking) => async (): Promise<void> => {
        const context = createContext(law, 'stream', name)
        await check(subject, context, toStreamBytes(subject.dialect, await getText(context)))
      }
    return [
      {
        law: 'any-chunking',
        title: `stream "${name}" has the same events in chunks of any size`,
        run: bind('any-chunking', checkChunking),
      },
      {
        law: 'any-chunking',
        title: `stream "${name}" yields its first event before all of its bytes were read`,
        run: bind('any-chunking', checkFirstEvent),
      },
      {
        law: 'stream-end',
        title: `stream "${name}" ends with a typed error if it is cut off`,
        run: bind('stream-end', checkCutOff),
      },
      {
        law: 'stream-end',
        title: `stream "${name}" closes its source if it is left early or aborted`,
        run: bind('stream-end', checkLeaving),
      },
    ]
  })
}

function decode(
  { dialect }: Subject,
  context: CheckContext,
  bytes: Uint8Array,
  getSize: () => number,
): Promise<ChatEvent[]> {
  return awaitDialect(context, 'decoding the stream', () =>
    collectAll(dialect.decodeStream(splitBytes(bytes, getSize), FIXED_IDENTITY)),
  )
}

/** Errors are compared by their code: each run has its own error object. */
const toComparable = (events: readonly ChatEvent[]): unknown =>
  events.map((event) => (event.type === 'error' ? { type: 'error', code: event.error.code } : event))

async function checkChunking(subject: Subject, context: CheckContext, bytes: Uint8Array): Promise<void> {
  const expected = toComparable(await decode(subject, context, bytes, () => bytes.length))
  const random = createRandom(subject.seed)
  const smallest = bytes.length > MAX_SINGLE_BYTES ? 5 : 1
  const sizes: { readonly [name: string]: () => number } = {
    [`chunks of ${smallest} byte(s)`]: () => smallest,
    'chunks of 7 bytes': () => 7,
    [`chunks of random sizes (seed ${subject.seed})`]: () => 1 + random(300),
  }
  for (const [name, getSize] of Object.entries(sizes)) {
    const found = toComparable(await decode(subject, context, bytes, getSize))
    expectEqual(context, `${name} give other events than the whole text`, found, expected)
  }
}

/** A decoder that waits for the end of the stream would show the user nothing until then. */
async function checkFirstEvent(subject: Subject, context: CheckContext, bytes: Uint8Array): Promise<void> {
  // A stream of one or two payloads may have nothing to report before the last one.
  if ((parsePayloads(toStreamText(subject.dialect, [bytes]))?.length ?? 0) < MIN_PAYLOADS) return
  const size = Math.max(1, Math.floor(bytes.length / 50))
  let bytesRead = 0
  const source = splitBytes(bytes, () => {
    bytesRead += size
    return size
  })
  for await (const event of subject.dialect.decodeStream(source, FIXED_IDENTITY)) {
    if (event.type !== 'error' && bytesRead >= bytes.length)
      throw new ConformanceError({
        ...context,
        problem: 'the first event arrives only after the complete stream was read',
        found: createDescription(`${bytes.length} bytes read before the first event`),
        expected: createDescription('an event as soon as its payload is complete'),
      })
    return
  }
}

async function checkCutOff(subject: Subject, context: CheckContext, bytes: Uint8Array): Promise<void> {
  const random = createRandom(subject.seed)
  for (let cut = 0; cut < 8; cut++) {
    const length = random(bytes.length)
    const cutContext = { ...context, subject: `${context.subject}, cut off after ${length} bytes` }
    const events = await decode(subject, cutContext, bytes.subarray(0, length), () => 512)
    const position = events.findIndex(({ type }) => type === 'error')
    const event = events[position]
    if (
      event?.type === 'error' &&
      !(event.error instanceof InterlinguaError && event.error.code !== 'internal')
    )
      throw new ConformanceError({
        ...cutContext,
        problem: 'the stream ends with an error that is not typed',
        found: event.error,
        expected: createDescription('an InterlinguaError, such as `stream-cut`'),
      })
    if (position >= 0 && position < events.length - 1)
      throw new ConformanceError({
        ...cutContext,
        problem: 'events follow the error',
        found: events[position + 1]?.type,
        expected: createDescription('an error as the last event'),
      })
    const isFinished = events.some(({ type }) => type === 'finish')
    if (position < 0 && !isFinished)
      throw new ConformanceError({
        ...cutContext,
        problem:
          'the stream ends without a finish and without an error, so that a partial answer looks complete',
        found: events.at(-1)?.type,
        expected: createDescription('an `error` event with the code `stream-cut`'),
      })
  }
}

async function checkLeaving(subject: Subject, context: CheckContext, bytes: Uint8Array): Promise<void> {
  const size = Math.max(1, Math.floor(bytes.length / 50))
  for (const way of ['left early', 'aborted'] as const) {
    let isClosed = false
    const controller = new AbortController()
    const source = (async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* splitBytes(bytes, () => size)
      } finally {
        isClosed = true
      }
    })()
    const events = subject.dialect.decodeStream(source, { ...FIXED_IDENTITY, signal: controller.signal })
    for await (const event of events) {
      if (way === 'left early' || event.type === 'error') break
      controller.abort()
    }
    if (!isClosed)
      throw new ConformanceError({
        ...context,
        problem: `the source stays open after the stream was ${way}`,
        found: createDescription('an open source'),
        expected: createDescription('the source is closed (`return` of its iterator)'),
      })
  }
}
