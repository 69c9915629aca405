import type { ChatEvent } from '../canonical/model/event.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import type { DecodeOptions, DialectName } from '../dialects/engine/dialect.ts'
import { dialectCodecs, dialects } from '../dialects/dialects.ts'
import { type InterlinguaError, ProviderError } from '../errors.ts'
import { tryParseJson } from '../wire/json.ts'
import { toTransportError, notFromProviderError } from './transport/transport-errors.ts'
import { addOriginToEvent, type ReplyOrigin } from './reply.ts'
import type { TransportResponse } from './transport/transport.ts'

/** Options of {@link openEventStream}. */
export interface EventStreamOptions {
  readonly dialect: DialectName
  readonly decodeOptions: DecodeOptions
  readonly origin: ReplyOrigin
  /** Called with the text of the stream as it arrives. */
  readonly onText?: (text: string) => void
}

/** Opens the events of a streamed response and waits for the first: until then, a retry is possible. */
export async function openEventStream(
  response: TransportResponse,
  options: EventStreamOptions,
): Promise<AsyncIterable<ChatEvent>> {
  const contentType = response.headers.get('content-type') ?? ''
  // A proxy or a captive portal may respond instead of the provider.
  if (/^text\/html\b/i.test(contentType)) throw notFromProviderError('a web page')
  const cancelTimeout = response.timeoutController.startTimeout('firstEventMs')
  const events = /^application\/json\b/i.test(contentType)
    ? await decodeJsonBody(response, options)
    : decodeEvents(response, options)
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  cancelTimeout()
  // An error ends its stream, so there is nothing to close.
  if (first.done !== true && first.value.type === 'error') throw first.value.error
  return forwardEvents(first, iterator, response, options.origin)
}

async function* forwardEvents(
  first: IteratorResult<ChatEvent, unknown>,
  iterator: AsyncIterator<ChatEvent>,
  { errorContext }: TransportResponse,
  origin: ReplyOrigin,
): AsyncGenerator<ChatEvent, void, undefined> {
  let isFinished = false
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const event = next.value
      isFinished ||= event.type === 'finish'
      if (event.type !== 'error') yield addOriginToEvent(event, origin)
      else {
        const error = toTransportError(event.error, errorContext)
        // A response with a finish reason is complete, so a connection error after it is ignored.
        if (!(isFinished && isConnectionError(error))) yield { type: 'error', error }
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
  response: TransportResponse,
  { dialect, decodeOptions, onText }: EventStreamOptions,
): AsyncIterable<ChatEvent> {
  const bytes = response.readBytes()
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

/** Some hosts respond to a failed or unsupported stream with a single JSON body. */
async function decodeJsonBody(
  response: TransportResponse,
  { dialect, decodeOptions, onText }: EventStreamOptions,
): Promise<AsyncIterable<ChatEvent>> {
  const text = await response.readText()
  onText?.(text)
  const json = tryParseJson(text)
  // Several stream payloads with the content type of JSON.
  if (json === undefined || Array.isArray(json))
    return dialects[dialect].decodeStream(iterate([text]), { ...decodeOptions, exact: false })
  const error = dialectCodecs[dialect].errors.decodeErrorEvent(json)
  if (error !== undefined) throw error
  return iterate(toEvents(dialects[dialect].decodeResponse(json, decodeOptions).value))
}

async function* iterate<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values
}
