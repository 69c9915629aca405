import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import type { ChatEvent, RetryEvent, RetryInfo } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { CallOptions, Cost, ModelInput, Reply } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { ResponseAccumulator } from '../canonical/stream/accumulate.ts'
import type { DecodeOptions, Dialect, EncodeOptions, Endpoint } from '../dialects/engine/dialect.ts'
import { withLossesOf } from '../dialects/engine/encode-context.ts'
import { AsyncQueue } from '../wire/async-queue.ts'
import { forwardReader } from '../wire/iterable-source.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { toChatRequest } from './check-call-input.ts'
import { openResponseEvents } from './open-response-events.ts'
import {
  addOriginToResponse,
  type CallTimer,
  createReply,
  hasAnswer,
  type ReplyOrigin,
  startCallTimer,
} from './reply.ts'
import type { ContinuationTracker } from './response-continuation.ts'
import type { RetryResult } from './transport/send-request.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts'
import { invalidResponseError, toTransportError } from './transport/transport-errors.ts'

/** Returns the cost of a call, if its price is known. */
export type CostCalculator = (
  usage: Usage,
  source: { readonly provider: string; readonly model: string },
) => Promise<Cost | undefined>

/** Options of {@link DialectCalls}. */
export interface DialectCallOptions {
  readonly name: string
  readonly dialect: Dialect
  readonly transport: Transport
  readonly capabilities?: ModelCapabilities
  /** Options of the encoder; its `model` is always `name`. */
  readonly encoding?: EncodeOptions
  /** Wire fields that a body gets unless the request sets them; the second are for streams only. */
  readonly defaultFields?: JsonObject
  readonly defaultStreamFields?: JsonObject
  readonly calculateCost?: CostCalculator
  /** Throws if the API of the provider cannot serve a request. */
  readonly checkRequest?: (request: ChatRequest) => void
  /** Overrides `promptCaching` of the calls. */
  readonly promptCaching?: boolean
  /** Finds stored responses, if the provider stores conversations. */
  readonly continuation?: ContinuationTracker
}

/** A request whose body is encoded. */
export interface EncodedCall {
  readonly request: ChatRequest
  readonly body: string
  readonly losses: readonly Loss[]
  readonly timer: CallTimer
}

/** The value read from a response, the number of attempts, and the body that was sent. */
export interface SentCall<T> extends RetryResult<T> {
  readonly sentBody: string
}

/** A decoded response with the facts from which its reply is made. */
export interface ReceivedResponse extends Omit<SentCall<unknown>, 'value'> {
  readonly response: ChatResponse
  /** The body as JSON, or the text of a stream. */
  readonly receivedBody: Json
}

/** A streamed response whose first event has arrived. */
export interface OpenedResponse {
  readonly events: AsyncIterable<ChatEvent>
  /** Returns the response after its last event; throws if it contains no message. */
  readonly getReceived: () => ReceivedResponse
}

type ResponseReader<T> = (response: TransportResponse) => Promise<T>

/** Sends a streamed request; `read` reads the response of each attempt. */
export type StreamSender = <T>(read: ResponseReader<T>, call: CallOptions) => Promise<SentCall<T>>

const NO_MESSAGE = 'The response contains no message'

/** Encodes, sends and decodes the calls of one model. */
export class DialectCalls {
  readonly #options: DialectCallOptions
  readonly #encodeOptions: EncodeOptions

  constructor(options: DialectCallOptions) {
    this.#options = options
    const { capabilities = {}, name } = options
    this.#encodeOptions = { ...options.encoding, capabilities, model: name }
  }

  /** Checks and encodes an input. `fields` are wire fields that the body gets in any case. */
  prepare(input: ModelInput, call: CallOptions, stream?: boolean, fields: JsonObject = {}): EncodedCall {
    const { dialect, name, promptCaching, defaultFields, defaultStreamFields } = this.#options
    const timer = startCallTimer(this.#options.transport.settings.now)
    const { stream: _stream, ...read } = toChatRequest(input, call)
    this.#options.checkRequest?.(read)
    const defaults = { ...defaultFields, ...(stream === true && defaultStreamFields) }
    const request = addWireFields(
      { ...read, ...(stream !== undefined && { stream }) },
      dialect.name,
      defaults,
      fields,
    )
    const isCached = promptCaching ?? call.promptCaching ?? false
    const options = { ...this.#encodeOptions, model: name, promptCaching: isCached }
    const encoded = dialect.encodeRequestText(request, options)
    return withLossesOf({ request, body: encoded.value, timer }, encoded)
  }

  /** Returns the endpoint of a request. */
  getEndpoint(request: ChatRequest): Endpoint {
    return this.#options.dialect.endpoint(request, this.#encodeOptions)
  }

  /** Sends only the new messages if the provider has stored the others; sends all messages if it has not. */
  async send<T>(
    { request, body }: EncodedCall,
    read: ResponseReader<T>,
    callOptions: CallOptions,
  ): Promise<SentCall<T>> {
    const { transport, continuation, name } = this.#options
    const call: TransportRequest = { method: 'POST', ...this.getEndpoint(request), body, model: name }
    const shortBody = continuation?.encodeNewMessages(request)
    if (shortBody === undefined) return { ...(await transport.send(call, read, callOptions)), sentBody: body }
    try {
      const short = { ...call, body: shortBody }
      return { ...(await transport.send(short, read, callOptions)), sentBody: shortBody }
    } catch (error) {
      if (continuation?.isResponseExpired(error) !== true) throw error
    }
    const result = await transport.send(call, read, callOptions)
    return { ...result, attempts: result.attempts + 1, sentBody: body }
  }

  /** Reads and decodes a body that is not streamed. `select` returns the part of it that is the response. */
  async readResponse(
    response: TransportResponse,
    request: ChatRequest,
    select: (body: Json) => Json = (body) => body,
  ): Promise<readonly [ChatResponse, Json]> {
    const received = await response.readJson()
    const options = this.#getDecodeOptions(request)
    const { value: decoded } = this.#options.dialect.decodeResponse(select(received), options)
    if (hasAnswer(decoded)) return [decoded, received]
    throw invalidResponseError(NO_MESSAGE, received, response.errorContext)
  }

  /** Sends a streamed request, yields its retries, and returns the response whose first event has arrived. */
  async *openStream(
    request: ChatRequest,
    timer: CallTimer,
    send: StreamSender,
    call: CallOptions,
  ): AsyncGenerator<ChatEvent, OpenedResponse, undefined> {
    const read = async (response: TransportResponse) => {
      const pieces: string[] = []
      const accumulator = new ResponseAccumulator()
      const events = await openResponseEvents(response, {
        dialect: this.#options.dialect,
        decodeOptions: this.#getDecodeOptions(request),
        residue: call.exactFor === this.#options.dialect.name ? 'frames' : 'parts',
        origin: this.#createOrigin(),
        accumulator,
        ...(call.includeRaw === true && { onText: (text: string) => pieces.push(text) }),
      })
      return { events, accumulator, pieces, errorContext: response.errorContext }
    }
    const { value, ...facts } = yield* yieldRetries(call, (options) => send(read, options))
    timer.recordFirstEvent()
    const { events, accumulator, pieces, errorContext } = value
    return {
      events,
      getReceived() {
        const response = accumulator.response()
        if (response.candidates.length > 0) return { response, receivedBody: pieces.join(''), ...facts }
        throw toTransportError(invalidResponseError(NO_MESSAGE, '', errorContext), errorContext)
      },
    }
  }

  /** Creates the reply of a call. */
  async createReply(
    { response: decoded, sentBody, attempts, receivedBody }: ReceivedResponse,
    prepared: Omit<EncodedCall, 'body'>,
    { includeRaw }: CallOptions,
  ): Promise<Reply> {
    const { name, transport, continuation, calculateCost } = this.#options
    const { provider } = transport
    const { request, timer } = prepared
    const received = addOriginToResponse(decoded, this.#createOrigin())
    const response = continuation?.addStoredDigest(request, received) ?? received
    const { usage, model = name } = response
    const timing = timer.getTiming(attempts)
    const cost = usage && (await calculateCost?.(usage, { provider, model }))
    const facts = {
      timing,
      ...(cost !== undefined && { cost }),
      ...(includeRaw === true && { raw: { request: JSON.parse(sentBody) as Json, response: receivedBody } }),
    }
    return createReply(response, withLossesOf(facts, prepared))
  }

  #getDecodeOptions(request: ChatRequest): DecodeOptions {
    const { now, limits } = this.#options.transport.settings
    const { flavor } = this.#encodeOptions
    // Answers of some formats do not contain the model.
    return { request: { model: this.#options.name, ...request }, now, limits, ...(flavor && { flavor }) }
  }

  #createOrigin(): ReplyOrigin {
    const { provider, settings } = this.#options.transport
    return { provider, receivedAt: new Date(settings.now()).toISOString() }
  }
}

/** Adds wire fields: defaults, which the request overrides, and others, which override the request. */
function addWireFields(
  request: ChatRequest,
  dialect: string,
  defaults: JsonObject,
  fields: JsonObject,
): ChatRequest {
  if (Object.keys(defaults).length === 0 && Object.keys(fields).length === 0) return request
  const { extra } = request
  return { ...request, extra: { ...extra, [dialect]: { ...defaults, ...extra?.[dialect], ...fields } } }
}

/** Runs a call and yields its retries while it waits. */
async function* yieldRetries<T>(
  call: CallOptions,
  run: (call: CallOptions) => Promise<T>,
): AsyncGenerator<RetryEvent, T, undefined> {
  const retries = new AsyncQueue<RetryEvent>()
  const onRetry = (retry: RetryInfo): void => {
    call.onRetry?.(retry)
    retries.push({ type: 'retry', ...retry })
  }
  const result = run({ ...call, onRetry }).finally(() => retries.end())
  // The result of a call that the reader left is not awaited.
  result.catch(() => {})
  yield* forwardReader(() => retries)
  return result
}
