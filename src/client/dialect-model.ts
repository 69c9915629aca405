import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { DecodeOptions, DialectName, EncodeOptions, Endpoint } from '../dialects/engine/dialect.ts'
import { dialects } from '../dialects/dialects.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { checkRequest } from './check-input.ts'
import type { ContinuationTracker } from './response-continuation.ts'
import type { CallOptions, Cost, Model, Reply, ReplyStream } from '../canonical/model/model-interface.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import { addOrigin, type ReplyOrigin, createReply, startCallTimer, type CallTimer } from './reply.ts'
import { createReplyStream, forwardAndAccumulate } from './reply-stream.ts'
import { openEventStream } from './open-event-stream.ts'
import type { TransportResponse, TransportRequest, Transport } from './transport/transport.ts'
import { ProviderError } from '../errors.ts'

/** How a host counts the tokens of a request. */
export interface TokenCountFormat {
  buildPath(endpoint: Endpoint): string
  /** What is counted, from the body that would be sent. */
  buildBody(body: JsonObject, model: string): JsonObject
  readCount(answer: Json): number | undefined
}

/** Asks a host how many tokens a body is that would go to an endpoint. */
export async function countTokens(
  format: TokenCountFormat,
  transport: Transport,
  {
    endpoint,
    body,
    model,
  }: { readonly endpoint: Endpoint; readonly body: JsonObject; readonly model: string },
  signal: AbortSignal | undefined,
): Promise<number> {
  const call: TransportRequest = {
    ...endpoint,
    method: 'POST',
    path: format.buildPath(endpoint),
    body: JSON.stringify(format.buildBody(body, model)),
  }
  const { value } = await transport.send(
    call,
    async (answer) => readCountOrThrow(format, await answer.readJson()),
    signal,
  )
  return value
}

function readCountOrThrow(counting: TokenCountFormat, answer: Json): number {
  const count = counting.readCount(answer)
  if (count !== undefined) return count
  throw new ProviderError('The provider gave no count', { kind: 'server', shouldRetry: false })
}

/** What a model of a provider is made of. */
export interface DialectModelOptions {
  readonly name: string
  readonly dialect: DialectName
  readonly transport: Transport
  readonly capabilities?: ModelCapabilities
  /** How requests are encoded; the model is `name`. */
  readonly encoding?: EncodeOptions
  /** Fields that every body gets unless the request says otherwise: of all requests, and of streamed ones. */
  readonly defaultFields?: JsonObject
  readonly defaultStreamFields?: JsonObject
  readonly calculateCost?: CostCalculator
  /** How the provider counts tokens, where it does. */
  readonly tokenCountFormat?: TokenCountFormat
  /** How a conversation goes on that the provider has kept, where it keeps any. */
  readonly continuation?: ContinuationTracker
}

/** What a call cost, where that is known. */
export type CostCalculator = (
  usage: Usage,
  made: { readonly provider: string; readonly model: string },
) => Cost | undefined

/** A call that was answered: with what, which text was sent, and how often. */
interface TransportResult<T> {
  readonly value: T
  readonly attempts: number
  readonly sentBody: string
}

/** What is known of a call when its answer is whole. */
interface CallFacts extends Pick<TransportResult<unknown>, 'attempts' | 'sentBody'> {
  readonly request: ChatRequest
  readonly losses: readonly Loss[]
  readonly timer: CallTimer
  readonly receivedBody: Json
}

/**
 * A model of a provider: requests go out in its wire format, answers come back from it.
 *
 * @example
 * dialectModel({ name: 'claude-…', dialect: 'anthropic', transport: createTransport(host) })
 */
export function createDialectModel(options: DialectModelOptions): Model {
  const { name, transport, capabilities = {}, continuation, tokenCountFormat } = options
  const { provider, settings } = transport
  const dialect = dialects[options.dialect]
  const encoding: EncodeOptions = { ...options.encoding, capabilities, model: name }

  const encode = (request: ChatRequest): ReturnType<typeof dialect.encodeRequestText> =>
    dialect.encodeRequestText(request, encoding)

  /** Sends what is new where the provider has kept the rest, and all of it where it has not. */
  async function ask<T>(
    request: ChatRequest,
    body: string,
    read: (answer: TransportResponse) => Promise<T>,
    { signal }: CallOptions,
  ): Promise<TransportResult<T>> {
    const call: TransportRequest = { method: 'POST', ...dialect.endpoint(request, encoding), body }
    const shorter = continuation?.encodeNewMessages(request)
    if (shorter === undefined) return { ...(await transport.send(call, read, signal)), sentBody: body }
    try {
      return { ...(await transport.send({ ...call, body: shorter }, read, signal)), sentBody: shorter }
    } catch (error) {
      if (continuation?.isResponseExpired(error) !== true) throw error
    }
    const whole = await transport.send(call, read, signal)
    return { ...whole, attempts: whole.attempts + 1, sentBody: body }
  }

  const decoding = (request: ChatRequest): DecodeOptions => ({
    request,
    now: settings.now,
    limits: settings.limits,
  })

  const maker = (): ReplyOrigin => ({ provider, receivedAt: new Date(settings.now()).toISOString() })

  function finish(told: ChatResponse, facts: CallFacts, { includeRaw }: CallOptions): Reply {
    const response = addOrigin(told, maker())
    const { request, sentBody, losses, timer, attempts, receivedBody } = facts
    continuation?.recordResponse(request, response)
    const { usage, model = name } = response
    const cost = usage && options.calculateCost?.(usage, { provider, model })
    return createReply(response, {
      provider,
      losses,
      timing: timer.getTiming(attempts),
      ...(cost !== undefined && { cost }),
      ...(includeRaw === true && { raw: { request: JSON.parse(sentBody) as Json, response: receivedBody } }),
    })
  }

  async function generate(asked: ChatRequest, call: CallOptions = {}): Promise<Reply> {
    const timer = startCallTimer(settings.now)
    const request = withDefaultFields({ ...asked, stream: false }, options)
    const { value: body, losses } = encode(request)
    async function read(
      answer: TransportResponse,
    ): Promise<{ readonly told: ChatResponse; readonly received: Json }> {
      const received = await answer.readJson()
      return { told: dialect.decodeResponse(received, decoding(request)).value, received }
    }
    const { value, ...facts } = await ask(request, body, read, call)
    return finish(value.told, { request, losses, timer, receivedBody: value.received, ...facts }, call)
  }

  function stream(asked: ChatRequest, call: CallOptions = {}): ReplyStream {
    // Everything happens when somebody reads, so that whatever fails is heard there.
    return createReplyStream(async function* () {
      const timer = startCallTimer(settings.now)
      const request = withDefaultFields({ ...asked, stream: true }, options)
      const { value: body, losses } = encode(request)
      let pieces: string[] = []
      function read(answer: TransportResponse): ReturnType<typeof openEventStream> {
        pieces = []
        return openEventStream(answer, settings, {
          dialect: options.dialect,
          decodeOptions: decoding(request),
          origin: maker(),
          ...(call.includeRaw === true && { onText: (text: string) => pieces.push(text) }),
        })
      }
      const { value: events, ...facts } = await ask(request, body, read, call)
      timer.recordFirstEvent()
      const { response } = yield* forwardAndAccumulate(events)
      return finish(response, { request, losses, timer, receivedBody: pieces.join(''), ...facts }, call)
    })
  }

  async function count(
    way: TokenCountFormat,
    asked: ChatRequest,
    { signal }: CallOptions = {},
  ): Promise<number> {
    const { stream: _stream, ...rest } = asked
    const request = withDefaultFields(rest, options)
    const body = JSON.parse(encode(request).value) as JsonObject
    const endpoint = dialect.endpoint(request, encoding)
    return countTokens(way, transport, { endpoint, body, model: name }, signal)
  }

  return {
    name,
    provider,
    capabilities,
    generate,
    stream,
    ...(tokenCountFormat && { countTokens: (request, call) => count(tokenCountFormat, request, call) }),
  }
}

/** The request with fields of its wire format that it does not set itself. */
function withDefaultFields(
  request: ChatRequest,
  { dialect, defaultFields, defaultStreamFields }: DialectModelOptions,
): ChatRequest {
  checkRequest(request)
  const added = { ...defaultFields, ...(request.stream === true && defaultStreamFields) }
  if (Object.keys(added).length === 0) return request
  const { extra } = request
  return { ...request, extra: { ...extra, [dialect]: { ...added, ...extra?.[dialect] } } }
}
