import type { ChatEvent } from '../canonical/model/event.ts'
import type { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import { getStreamCodec } from '../dialects/engine/define-dialect.ts'
import type { DecodeOptions, Dialect } from '../dialects/engine/dialect.ts'
import type { StreamResidue } from '../dialects/engine/frame-reader-writer.ts'
import { decodeStream } from '../dialects/engine/stream-codec.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { openBatchReader, throwFailure, transformIterable, transformReader } from '../wire/iterable-source.ts'
import { isObject, omitUndefined, tryParseJson } from '../wire/json.ts'
import type { CallbackReader, StreamFailure, StreamTransform } from '../wire/pull-stages.ts'
import {
  type TransportErrorContext,
  invalidResponseError,
  notFromProviderError,
  quoteBody,
  toTransportError,
} from './transport/transport-errors.ts'
import { addOriginToEvent, hasAnswer, type ReplyOrigin } from './reply.ts'
import type { TransportResponse } from './transport/transport.ts'

/** Options of {@link openResponseEvents}. */
export interface EventStreamOptions {
  readonly dialect: Dialect
  readonly decodeOptions: DecodeOptions
  /** What of the residue the events keep. */
  readonly residue: StreamResidue
  readonly origin: ReplyOrigin
  /** Gets all events of the response. */
  readonly accumulator: ResponseAccumulator
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
  const reader = openBatchReader(events)
  const first = await reader.read()
  cancelTimeout()
  start.isComplete = true
  const [firstEvent] = first.done === true ? [] : first.value
  // An error ends its stream, so there is nothing to close.
  if (firstEvent?.type === 'error') throw quoteStart(firstEvent.error, start.text, response.errorContext)
  return transformReader(() => prependResult(first, reader), new ResponseEvents(response, options))
}

/** Returns a reader whose first result was read before. */
function prependResult<Chunk>(
  first: IteratorResult<Chunk, unknown>,
  reader: CallbackReader<Chunk>,
): CallbackReader<Chunk> {
  let pending: typeof first | undefined = first
  return {
    request(receive, fail) {
      const next = pending
      pending = undefined
      if (next === undefined) reader.request(receive, fail)
      else receive(next)
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

/** Adds the origin to the events of a response and accumulates them. An `error` event is thrown as a `StreamError`. */
class ResponseEvents implements StreamTransform<ChatEvent, ChatEvent> {
  isDone = false
  readonly #origin: ReplyOrigin
  readonly #accumulator: ResponseAccumulator
  readonly #errorContext: TransportErrorContext
  #isFinished = false

  constructor({ errorContext }: TransportResponse, { origin, accumulator }: EventStreamOptions) {
    this.#errorContext = errorContext
    this.#origin = origin
    this.#accumulator = accumulator
  }

  read(received: ChatEvent): readonly ChatEvent[] {
    if (received.type === 'error') return this.#readError(received.error)
    this.#isFinished ||= received.type === 'finish'
    const event = addOriginToEvent(received, this.#origin)
    this.#accumulator.push(event)
    return [event]
  }

  #readError(received: InterlinguaError): readonly ChatEvent[] {
    const error = toTransportError(received, this.#errorContext)
    this.isDone = this.#isFinished && isConnectionError(error)
    // A response with a finish reason is complete, so a connection error after it is ignored.
    if (!this.isDone) this.#accumulator.push({ type: 'error', error })
    return []
  }

  end(failure: StreamFailure | undefined): readonly ChatEvent[] {
    return throwFailure(failure)
  }
}

function isConnectionError(error: InterlinguaError): boolean {
  return error instanceof ProviderError && (error.kind === 'network' || error.kind === 'timeout')
}

function decodeEvents(
  response: TransportResponse,
  { dialect, decodeOptions, residue }: EventStreamOptions,
  start: StreamStart,
): AsyncIterable<ChatEvent> {
  const source = copyTextTo(response.readBytes(), start)
  return decodeStream(getStreamCodec(dialect), source, decodeOptions, residue)
}

function copyTextTo(bytes: AsyncIterable<Uint8Array>, start: StreamStart): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder()
  return transformIterable<Uint8Array, Uint8Array>(bytes, {
    read(chunk) {
      if (start.needsText) start.add(decoder.decode(chunk, { stream: true }))
      return [chunk]
    },
    end(failure) {
      if (start.needsText) start.add(decoder.decode())
      return throwFailure(failure)
    },
  })
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
  { dialect, decodeOptions, residue }: EventStreamOptions,
  start: StreamStart,
): Promise<AsyncIterable<ChatEvent>> {
  const text = await response.readText()
  start.add(text)
  const json = tryParseJson(text)
  // Several stream payloads with the content type of JSON.
  if (!isObject(json)) return decodeStream(getStreamCodec(dialect), iterate([text]), decodeOptions, residue)
  const error = getStreamCodec(dialect).errors.decodeErrorEvent(json)
  if (error !== undefined) throw error
  const { value: decoded } = dialect.decodeResponse(json, decodeOptions)
  if (!hasAnswer(decoded))
    throw invalidResponseError('The response contains no message', text, response.errorContext)
  return iterate(toEvents(decoded))
}

async function* iterate<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values
}
