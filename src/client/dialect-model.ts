import type { Loss, Translation } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { DecodeOptions, DialectName, EncodeOptions, Endpoint } from '../dialects/engine/dialect.ts'
import { dialects } from '../dialects/dialects.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { toChatRequest } from './check-input.ts'
import type { ContinuationTracker } from './response-continuation.ts'
import type {
  CallOptions,
  Cost,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
} from '../canonical/model/model-interface.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import {
  addOriginToResponse,
  type ReplyOrigin,
  createReply,
  startCallTimer,
  type CallTimer,
} from './reply.ts'
import { createReplyStream, forwardAndAccumulate } from './reply-stream.ts'
import { openResponseEvents } from './open-response-events.ts'
import { yieldRetries } from './yield-retries.ts'
import type { TransportResponse, TransportRequest, Transport } from './transport/transport.ts'
import type { RetryResult } from './transport/retry.ts'
import {
  type TransportErrorContext,
  invalidResponseError,
  toTransportError,
} from './transport/transport-errors.ts'

/** The wire format of a host's token counting endpoint. */
export interface TokenCountFormat {
  readonly buildPath: (endpoint: Endpoint) => string
  /** Builds the body of the count request from the body that would be sent to the model. */
  readonly buildBody: (body: JsonObject, model: string) => JsonObject
  readonly readCount: (body: Json) => number | undefined
}

/** Options of {@link createDialectModel}. */
export interface DialectModelOptions {
  readonly name: string
  readonly dialect: DialectName
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
  /** The format of the token counting endpoint, if the provider has one. */
  readonly tokenCountFormat?: TokenCountFormat
  /** Finds stored responses, if the provider stores conversations. */
  readonly continuation?: ContinuationTracker
}

/** Returns the cost of a call, if its price is known. */
export type CostCalculator = (
  usage: Usage,
  source: { readonly provider: string; readonly model: string },
) => Promise<Cost | undefined>

/** The value read from a response, the number of attempts, and the body that was sent. */
interface TransportResult<T> extends RetryResult<T> {
  readonly sentBody: string
}

/** The facts about a completed call. */
interface CallFacts extends Omit<TransportResult<unknown>, 'value'> {
  readonly request: ChatRequest
  readonly losses: readonly Loss[]
  readonly timer: CallTimer
  readonly receivedBody: Json
}

const NO_MESSAGE = 'The response contains no message'

/** Creates a model that sends requests and decodes responses in the dialect of its provider. */
export function createDialectModel(options: DialectModelOptions): Model {
  const { name, transport, capabilities = {}, continuation, tokenCountFormat } = options
  const { provider } = transport
  const { now, limits } = transport.settings
  const dialect = dialects[options.dialect]
  const encodeOptions: EncodeOptions = { ...options.encoding, capabilities, model: name }

  function readRequest(input: ModelInput, call: CallOptions): ChatRequest {
    const request = toChatRequest(input, call)
    options.checkRequest?.(request)
    return request
  }

  function encode(request: ChatRequest, call: CallOptions): Translation<string> {
    const promptCaching = options.promptCaching ?? call.promptCaching ?? false
    return dialect.encodeRequestText(request, { ...encodeOptions, promptCaching })
  }

  /** Sends only the new messages if the provider has stored the others; sends all messages if it has not. */
  async function send<T>(
    request: ChatRequest,
    body: string,
    read: (response: TransportResponse) => Promise<T>,
    callOptions: CallOptions,
  ): Promise<TransportResult<T>> {
    const call: TransportRequest = {
      method: 'POST',
      ...dialect.endpoint(request, encodeOptions),
      body,
      model: name,
    }
    const shortBody = continuation?.encodeNewMessages(request)
    if (shortBody === undefined) return { ...(await transport.send(call, read, callOptions)), sentBody: body }
    try {
      return {
        ...(await transport.send({ ...call, body: shortBody }, read, callOptions)),
        sentBody: shortBody,
      }
    } catch (error) {
      if (continuation?.isResponseExpired(error) !== true) throw error
    }
    const result = await transport.send(call, read, callOptions)
    return { ...result, attempts: result.attempts + 1, sentBody: body }
  }

  const { flavor } = encodeOptions
  const decodeOptions = (request: ChatRequest): DecodeOptions => ({
    request,
    now,
    limits,
    ...(flavor && { flavor }),
  })
  const createOrigin = (): ReplyOrigin => ({ provider, receivedAt: new Date(now()).toISOString() })

  async function finish(
    decoded: ChatResponse,
    facts: CallFacts,
    { includeRaw }: CallOptions,
  ): Promise<Reply> {
    const { request, sentBody, losses, timer, attempts, receivedBody } = facts
    const received = addOriginToResponse(decoded, createOrigin())
    const response = continuation?.addStoredDigest(request, received) ?? received
    const { usage, model = name } = response
    const timing = timer.getTiming(attempts)
    const cost = usage && (await options.calculateCost?.(usage, { provider, model }))
    return createReply(response, {
      losses,
      timing,
      ...(cost !== undefined && { cost }),
      ...(includeRaw === true && { raw: { request: JSON.parse(sentBody) as Json, response: receivedBody } }),
    })
  }

  async function generate(input: ModelInput, call: CallOptions = {}): Promise<Reply> {
    const timer = startCallTimer(now)
    const request = withDefaultFields({ ...readRequest(input, call), stream: false }, options)
    const { value: body, losses } = encode(request, call)
    async function read(response: TransportResponse): Promise<readonly [ChatResponse, Json]> {
      const received = await response.readJson()
      const { value: decoded } = dialect.decodeResponse(received, decodeOptions(request))
      if (decoded.candidates.length > 0) return [decoded, received]
      throw invalidResponseError(NO_MESSAGE, received, response.errorContext)
    }
    const { value, ...facts } = await send(request, body, read, call)
    const [decoded, receivedBody] = value
    return finish(decoded, { request, losses, timer, receivedBody, ...facts }, call)
  }

  function stream(input: ModelInput, callerOptions: CallOptions = {}): ReplyStream {
    // All work happens when the stream is read, so that its reader gets every error.
    return createReplyStream(async function* (signal) {
      const call = { ...callerOptions, signal }
      const timer = startCallTimer(now)
      const request = withDefaultFields({ ...readRequest(input, call), stream: true }, options)
      const { value: body, losses } = encode(request, call)
      let pieces: string[] = []
      let errorContext: TransportErrorContext | undefined
      function read(response: TransportResponse): ReturnType<typeof openResponseEvents> {
        pieces = []
        ;({ errorContext } = response)
        return openResponseEvents(response, {
          dialect: options.dialect,
          decodeOptions: decodeOptions(request),
          origin: createOrigin(),
          ...(call.includeRaw === true && { onText: (text: string) => pieces.push(text) }),
        })
      }
      const { value: events, ...facts } = yield* yieldRetries(call, (options) =>
        send(request, body, read, options),
      )
      timer.recordFirstEvent()
      const { response } = yield* forwardAndAccumulate(events)
      if (response.candidates.length === 0 && errorContext !== undefined)
        throw toTransportError(invalidResponseError(NO_MESSAGE, '', errorContext), errorContext)
      return finish(response, { request, losses, timer, receivedBody: pieces.join(''), ...facts }, call)
    }, callerOptions.signal)
  }

  async function count(
    { buildPath, buildBody, readCount }: TokenCountFormat,
    input: ModelInput,
    call: CallOptions = {},
  ): Promise<number> {
    const { stream: _stream, ...rest } = readRequest(input, call)
    const request = withDefaultFields(rest, options)
    const endpoint = dialect.endpoint(request, encodeOptions)
    const body = JSON.stringify(buildBody(JSON.parse(encode(request, call).value) as JsonObject, name))
    const path = buildPath(endpoint)
    const counting: TransportRequest = { ...endpoint, method: 'POST', path, body, model: name }
    const read = async (response: TransportResponse): Promise<number> => {
      const received = await response.readJson()
      const tokens = readCount(received)
      if (tokens !== undefined) return tokens
      throw invalidResponseError('The response contains no token count', received, response.errorContext)
    }
    return (await transport.send(counting, read, call)).value
  }

  return {
    name,
    provider,
    capabilities,
    generate,
    stream,
    ...(tokenCountFormat && { countTokens: (input, call) => count(tokenCountFormat, input, call) }),
  }
}

/** Adds the default wire fields that the request does not set. */
function withDefaultFields(
  request: ChatRequest,
  { dialect, defaultFields, defaultStreamFields }: DialectModelOptions,
): ChatRequest {
  const added = { ...defaultFields, ...(request.stream === true && defaultStreamFields) }
  if (Object.keys(added).length === 0) return request
  const { extra } = request
  return { ...request, extra: { ...extra, [dialect]: { ...added, ...extra?.[dialect] } } }
}
