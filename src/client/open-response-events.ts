import type { ChatEvent } from '../canonical/model/event.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import { getStreamCodec } from '../dialects/engine/define-dialect.ts'
import type { DecodeOptions, Dialect } from '../dialects/engine/dialect.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { isObject, omitUndefined, tryParseJson } from '../wire/json.ts'
import {
  type TransportErrorContext,
  invalidResponseError,
  notFromProviderError,
  quoteBody,
  toTransportError,
} from './transport/transport-errors.ts'
import { addOriginToEvent, type ReplyOrigin } from './reply.ts'
import type { TransportResponse } from './transport/transport.ts'

/** Options of {@link openResponseEvents}. */
export interface EventStreamOptions {
  readonly dialect: Dialect
  readonly decodeOptions: DecodeOptions
  readonly origin: ReplyOrigin
  /** Called with the text of the stream as it arrives. */
  readonly onText?: (text: string) => void
}

/** Opens the events of a streamed response and waits for the first: until then, a retry is possible. */
export async function openResponseEvents(
  response: TransportResponse,
  options: EventStreamOptions,
): Promise<AsyncIterable<ChatEvent>> {
  const contentType = response.headers.get('content-type') ?? ''
  // A proxy or a captive portal may respond instead of the provider.
  if (/^text\/html\b/i.test(contentType))
    throw notFromProviderError('a web page', await response.readExcerpt(), response.errorContext)
  const cancelTimeout = response.timeoutController.startTimeout('firstEventMs')
  const start = new StreamStart(options.onText)
  const events = /^application\/json\b/i.test(contentType)
    ? await decodeJsonBody(response, options, start)
    : decodeEvents(response, options, start)
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  cancelTimeout()
  start.isComplete = true
  // An error ends its stream, so there is nothing to close.
  if (first.done !== true && first.value.type === 'error')
    throw quoteStart(first.value.error, start.text, response.errorContext)
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
  { dialect, decodeOptions }: EventStreamOptions,
  start: StreamStart,
): AsyncIterable<ChatEvent> {
  const source = copyTextTo(response.readBytes(), start)
  return dialect.decodeStream(source, { ...decodeOptions, exact: false })
}

async function* copyTextTo(
  bytes: AsyncIterable<Uint8Array>,
  start: StreamStart,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    if (start.needsText) start.add(decoder.decode(chunk, { stream: true }))
    yield chunk
  }
  if (start.needsText) start.add(decoder.decode())
}

/** Keeps the text that arrives before the first event, for errors, and passes all text to the listener. */
class StreamStart {
  text = ''
  /** True after the first event. */
  isComplete = false
  readonly #onText: ((text: string) => void) | undefined

  constructor(onText: ((text: string) => void) | undefined) {
    this.#onText = onText
  }

  get needsText(): boolean {
    return !this.isComplete || this.#onText !== undefined
  }

  add(text: string): void {
    if (!this.isComplete && this.text.length < MAX_START_CHARACTERS) this.text += text
    this.#onText?.(text)
  }
}

/** Enough for the head of a web page. */
const MAX_START_CHARACTERS = 20_000

/** Adds the beginning of the stream to the error of a decoder; an error that the provider sent is complete. */
function quoteStart(error: InterlinguaError, text: string, context: TransportErrorContext): InterlinguaError {
  if (error instanceof ProviderError || error.code === 'aborted') return error
  const { code, hint, retryable } = error
  const message = `${error.message}${quoteBody(text, context)}`
  return new InterlinguaError(code, message, { retryable, ...omitUndefined({ hint }) })
}

/** Some hosts respond to a failed or unsupported stream with a single JSON body. */
async function decodeJsonBody(
  response: TransportResponse,
  { dialect, decodeOptions }: EventStreamOptions,
  start: StreamStart,
): Promise<AsyncIterable<ChatEvent>> {
  const text = await response.readText()
  start.add(text)
  const json = tryParseJson(text)
  // Several stream payloads with the content type of JSON.
  if (!isObject(json)) return dialect.decodeStream(iterate([text]), { ...decodeOptions, exact: false })
  const error = getStreamCodec(dialect).errors.decodeErrorEvent(json)
  if (error !== undefined) throw error
  const { value: decoded } = dialect.decodeResponse(json, decodeOptions)
  if (decoded.candidates.length === 0)
    throw invalidResponseError('The response contains no message', text, response.errorContext)
  return iterate(toEvents(decoded))
}

async function* iterate<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values
}
