import type { ChatEvent } from '../canonical/model/event.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import type { DecodeOptions, DialectName } from '../dialects/engine/dialect.ts'
import { dialectCodecs, dialects } from '../dialects/dialects.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { toTransportError, notFromProviderError } from './transport/transport-errors.ts'
import { addOriginToEvent, type ReplyOrigin } from './reply.ts'
import type { TransportSettings } from './transport/settings.ts'
import type { TransportResponse } from './transport/transport.ts'

/** How the events of an answer are read. */
export interface EventStreamOptions {
  readonly dialect: DialectName
  readonly decodeOptions: DecodeOptions
  readonly origin: ReplyOrigin
  /** Told the text of the stream as it comes. */
  readonly onText?: (text: string) => void
}

/**
 * The events of a streamed answer, once the first one has come: until then the attempt may fail and be made again, and
 * nobody has seen anything of it.
 */
export async function openEventStream(
  answer: TransportResponse,
  { timeouts }: TransportSettings,
  reading: EventStreamOptions,
): Promise<AsyncIterable<ChatEvent>> {
  if (isWebPage(answer)) throw notFromProviderError('a web page')
  const disarm = answer.timeoutController.startTimeout('firstEventMs', timeouts.firstEventMs)
  const events = isJsonBody(answer) ? await decodeJsonBody(answer, reading) : decodeEvents(answer, reading)
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  disarm()
  // An error ends its stream: nothing is left to be closed.
  if (first.done !== true && first.value.type === 'error') throw first.value.error
  return forwardEvents(first, iterator, answer, reading.origin)
}

async function* forwardEvents(
  first: IteratorResult<ChatEvent, unknown>,
  iterator: AsyncIterator<ChatEvent>,
  { errorContext }: TransportResponse,
  maker: ReplyOrigin,
): AsyncGenerator<ChatEvent, void, undefined> {
  let finished = false
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const event = next.value
      finished ||= event.type === 'finish'
      if (event.type !== 'error') yield addOriginToEvent(event, maker)
      else {
        const error = toTransportError(event.error, errorContext)
        // An answer that says why it ended is whole: what breaks behind it takes nothing away.
        if (!(finished && isConnectionError(error))) yield { type: 'error', error }
        return
      }
    }
  } finally {
    await iterator.return?.()
  }
}

function isConnectionError(error: InterlinguaError): boolean {
  return error instanceof ProviderError && (error.kind === 'network' || error.kind === 'timeout')
}

function decodeEvents(
  answer: TransportResponse,
  { dialect, decodeOptions, onText }: EventStreamOptions,
): AsyncIterable<ChatEvent> {
  const bytes = answer.readBytes()
  const source = onText === undefined ? bytes : copyTextTo(bytes, onText)
  return dialects[dialect].decodeStream(source, { ...decodeOptions, exact: false })
}

async function* copyTextTo(
  bytes: AsyncIterable<Uint8Array>,
  onText: (text: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    onText(decoder.decode(chunk, { stream: true }))
    yield chunk
  }
  onText(decoder.decode())
}

/** What stands between us and the provider may answer in its place: a proxy, or a network that wants to be logged in to. */
function isWebPage({ headers }: TransportResponse): boolean {
  return /^text\/html\b/i.test(headers.get('content-type') ?? '')
}

/** Some hosts answer a stream that failed, or that they do not know how to make, with one JSON body. */
function isJsonBody({ headers }: TransportResponse): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

async function decodeJsonBody(
  answer: TransportResponse,
  { dialect, decodeOptions, onText }: EventStreamOptions,
): Promise<AsyncIterable<ChatEvent>> {
  const text = await answer.readText()
  onText?.(text)
  const json = tryParseJson(text)
  // Several payloads under a wrong name.
  if (json === undefined || Array.isArray(json))
    return dialects[dialect].decodeStream(singleChunk(text), { ...decodeOptions, exact: false })
  const error = dialectCodecs[dialect].stream.decodeErrorEvent(json)
  if (error !== undefined) throw error
  return iterateEvents(toEvents(dialects[dialect].decodeResponse(json, decodeOptions).value))
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* singleChunk(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}

async function* iterateEvents(events: readonly ChatEvent[]): AsyncGenerator<ChatEvent, void, undefined> {
  yield* events
}
