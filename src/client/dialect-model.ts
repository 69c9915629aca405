import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { DecodeOptions, DialectName, EncodeOptions } from '../dialects/dialect.ts'
import { dialects } from '../dialects/translate.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { checkedRequest } from './checked.ts'
import type { Continuation } from './continuation.ts'
import { type Counting, countTokens } from './counting.ts'
import type { CallOptions, Cost, Model, ModelCapabilities, Reply, ReplyStream } from './model.ts'
import { attribute, type Maker } from './origin.ts'
import { replyOf, startTimer, type Timer } from './reply.ts'
import { streamOf, telling } from './reply-stream.ts'
import { openEvents } from './streamed.ts'
import type { Answer, Call, Transport } from './transport/transport.ts'

/** What a model of a provider is made of. */
export interface DialectModelOptions {
  readonly name: string
  readonly dialect: DialectName
  readonly transport: Transport
  readonly capabilities?: ModelCapabilities
  /** How requests are encoded; the model is `name`. */
  readonly encoding?: EncodeOptions
  /** Fields that every body gets unless the request says otherwise: of all requests, and of streamed ones. */
  readonly fields?: JsonObject
  readonly streamFields?: JsonObject
  readonly costOf?: CostOf
  /** How the provider counts tokens, where it does. */
  readonly counting?: Counting
  /** How a conversation goes on that the provider has kept, where it keeps any. */
  readonly continuation?: Continuation
}

/** What a call cost, where that is known. */
export type CostOf = (
  usage: Usage,
  made: { readonly provider: string; readonly model: string },
) => Cost | undefined

/** A call that was answered: with what, which text was sent, and how often. */
interface Asked<T> {
  readonly value: T
  readonly attempts: number
  readonly sent: string
}

/** What is known of a call when its answer is whole. */
interface Facts extends Pick<Asked<unknown>, 'attempts' | 'sent'> {
  readonly request: ChatRequest
  readonly losses: readonly Loss[]
  readonly timer: Timer
  readonly received: Json
}

/**
 * A model of a provider: requests go out in its wire format, answers come back from it.
 *
 * @example
 * dialectModel({ name: 'claude-…', dialect: 'anthropic', transport: createTransport(host) })
 */
export function dialectModel(options: DialectModelOptions): Model {
  const { name, transport, capabilities = {}, continuation, counting } = options
  const { provider, settings } = transport
  const dialect = dialects[options.dialect]
  const encoding: EncodeOptions = { ...options.encoding, capabilities, model: name }

  const encode = (request: ChatRequest): ReturnType<typeof dialect.encodeRequestText> =>
    dialect.encodeRequestText(request, encoding)

  /** Sends what is new where the provider has kept the rest, and all of it where it has not. */
  async function ask<T>(
    request: ChatRequest,
    body: string,
    read: (answer: Answer) => Promise<T>,
    { signal }: CallOptions,
  ): Promise<Asked<T>> {
    const call: Call = { method: 'POST', ...dialect.endpoint(request, encoding), body }
    const shorter = continuation?.shorten(request)
    if (shorter === undefined) return { ...(await transport.send(call, read, signal)), sent: body }
    try {
      return { ...(await transport.send({ ...call, body: shorter }, read, signal)), sent: shorter }
    } catch (error) {
      if (continuation?.isGone(error) !== true) throw error
    }
    const whole = await transport.send(call, read, signal)
    return { ...whole, attempts: whole.attempts + 1, sent: body }
  }

  const decoding = (request: ChatRequest): DecodeOptions => ({
    request,
    now: settings.now,
    limits: settings.limits,
  })

  const maker = (): Maker => ({ provider, at: new Date(settings.now()).toISOString() })

  function finish(told: ChatResponse, facts: Facts, { raw }: CallOptions): Reply {
    const response = attribute(told, maker())
    const { request, sent, losses, timer, attempts, received } = facts
    continuation?.remember(request, response)
    const { usage, model = name } = response
    const cost = usage && options.costOf?.(usage, { provider, model })
    return replyOf(response, {
      provider,
      losses,
      timing: timer.timing(attempts),
      ...(cost !== undefined && { cost }),
      ...(raw === true && { raw: { request: JSON.parse(sent) as Json, response: received } }),
    })
  }

  async function generate(asked: ChatRequest, call: CallOptions = {}): Promise<Reply> {
    const timer = startTimer(settings.now)
    const request = withFields({ ...asked, stream: false }, options)
    const { value: body, losses } = encode(request)
    async function read(answer: Answer): Promise<{ readonly told: ChatResponse; readonly received: Json }> {
      const received = await answer.json()
      return { told: dialect.decodeResponse(received, decoding(request)).value, received }
    }
    const { value, ...facts } = await ask(request, body, read, call)
    return finish(value.told, { request, losses, timer, received: value.received, ...facts }, call)
  }

  function stream(asked: ChatRequest, call: CallOptions = {}): ReplyStream {
    // Everything happens when somebody reads, so that whatever fails is heard there.
    return streamOf(async function* () {
      const timer = startTimer(settings.now)
      const request = withFields({ ...asked, stream: true }, options)
      const { value: body, losses } = encode(request)
      let pieces: string[] = []
      function read(answer: Answer): ReturnType<typeof openEvents> {
        pieces = []
        return openEvents(answer, settings, {
          dialect: options.dialect,
          decoding: decoding(request),
          maker: maker(),
          ...(call.raw === true && { onText: (text: string) => pieces.push(text) }),
        })
      }
      const { value: events, ...facts } = await ask(request, body, read, call)
      timer.event()
      const { response } = yield* telling(events)
      return finish(response, { request, losses, timer, received: pieces.join(''), ...facts }, call)
    })
  }

  async function count(way: Counting, asked: ChatRequest, { signal }: CallOptions = {}): Promise<number> {
    const { stream: _stream, ...rest } = asked
    const request = withFields(rest, options)
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
    ...(counting && { countTokens: (request, call) => count(counting, request, call) }),
  }
}

/** The request with fields of its wire format that it does not set itself. */
function withFields(
  request: ChatRequest,
  { dialect, fields, streamFields }: DialectModelOptions,
): ChatRequest {
  checkedRequest(request)
  const added = { ...fields, ...(request.stream === true && streamFields) }
  if (Object.keys(added).length === 0) return request
  const { extra } = request
  return { ...request, extra: { ...extra, [dialect]: { ...added, ...extra?.[dialect] } } }
}
