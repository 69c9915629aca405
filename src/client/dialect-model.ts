import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { DecodeOptions, DialectName, EncodeOptions } from '../dialects/dialect.ts'
import { codecs, dialects } from '../dialects/translate.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import type { Continuation } from './continuation.ts'
import { type Counting, countTokens } from './counting.ts'
import type { CallOptions, Cost, Model, ModelCapabilities, Reply } from './model.ts'
import { attribute, type Maker } from './origin.ts'
import { replyOf, startTimer } from './reply.ts'
import { replyStream } from './reply-stream.ts'
import { openEvents } from './streamed.ts'
import type { Answer, Call, Transport } from './transport.ts'

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
  readonly costOf?: (usage: Usage, provider: string, model: string) => Cost | undefined
  /** How the provider counts tokens, where it does. */
  readonly counting?: Counting
  /** Where part of a conversation lies with the provider: what is left to say. */
  readonly continuation?: Continuation
}

/** A body that was made of a request. */
interface Encoded {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
}

/**
 * A model of a provider: requests go out in its wire format, answers come back from it.
 *
 * @example
 * dialectModel({ name: 'claude-…', dialect: 'anthropic', transport: createTransport(host) })
 */
export function dialectModel(options: DialectModelOptions): Model {
  const { name, transport, capabilities = {}, continuation } = options
  const { provider, settings } = transport
  const dialect = dialects[options.dialect]
  const encoding: EncodeOptions = { ...options.encoding, capabilities, model: name }

  function encode(asked: ChatRequest): Encoded {
    const request = withFields(asked, options)
    const { value, losses } = dialect.encodeRequest(request, encoding)
    return { body: value, losses }
  }

  function callOf(request: ChatRequest, body: JsonObject): Call {
    return { method: 'POST', ...dialect.endpoint(request, encoding), body: JSON.stringify(body) }
  }

  /** Sends what is new where the provider has kept the rest, and all of it where it has not. */
  async function ask<T>(
    request: ChatRequest,
    { body }: Encoded,
    read: (answer: Answer) => Promise<T>,
    { signal }: CallOptions,
  ): Promise<{ readonly value: T; readonly attempts: number; readonly sent: JsonObject }> {
    const shorter = continuation?.shorten(request, body)
    if (continuation !== undefined && shorter !== undefined) {
      try {
        return { ...(await transport.send(callOf(request, shorter), read, signal)), sent: shorter }
      } catch (error) {
        if (!continuation.isGone(error)) throw error
      }
      const whole = await transport.send(callOf(request, body), read, signal)
      return { ...whole, attempts: whole.attempts + 1, sent: body }
    }
    return { ...(await transport.send(callOf(request, body), read, signal)), sent: body }
  }

  function finished(
    request: ChatRequest,
    sent: JsonObject,
    response: ChatResponse,
  ): { readonly cost?: Cost } {
    continuation?.remember(request, sent, response)
    const { usage, model = name } = response
    const cost = usage && options.costOf?.(usage, provider, model)
    return cost === undefined ? {} : { cost }
  }

  const decoding = (request: ChatRequest): DecodeOptions => ({
    request,
    now: settings.now,
    limits: settings.limits,
  })
  const maker = (): Maker => ({ provider, at: new Date(settings.now()).toISOString() })

  async function generate(asked: ChatRequest, call: CallOptions = {}): Promise<Reply> {
    const timer = startTimer(settings.now)
    const request: ChatRequest = { ...asked, stream: false }
    const encoded = encode(request)
    async function read(answer: Answer): Promise<{ readonly response: ChatResponse; readonly json: Json }> {
      const json = await answer.json()
      // Some hosts say that they failed with a status that says the contrary.
      const error = codecs[options.dialect].stream.readError(json)
      if (error !== undefined) throw error
      return { response: attribute(dialect.decodeResponse(json, decoding(request)).value, maker()), json }
    }
    const { value, attempts, sent } = await ask(request, encoded, read, call)
    return replyOf(value.response, {
      losses: encoded.losses,
      timing: timer.timing(attempts),
      ...finished(request, sent, value.response),
      ...(call.raw === true && { raw: { request: sent, response: value.json } }),
    })
  }

  function stream(asked: ChatRequest, call: CallOptions = {}): ReturnType<Model['stream']> {
    const request: ChatRequest = { ...asked, stream: true }
    const pieces: string[] = []
    let timer = startTimer(settings.now)
    let known: readonly Loss[] = []
    let facts: { readonly attempts: number; readonly sent: JsonObject } = { attempts: 1, sent: {} }
    // Everything happens when somebody reads, so that whatever fails is heard there.
    async function* open(): AsyncGenerator<ChatEvent, void, undefined> {
      timer = startTimer(settings.now)
      const encoded = encode(request)
      const reading = {
        dialect: options.dialect,
        decoding: decoding(request),
        maker: maker(),
        ...(call.raw === true && { onText: (text: string) => pieces.push(text) }),
      }
      const read = (answer: Answer): ReturnType<typeof openEvents> => openEvents(answer, settings, reading)
      const { value, ...rest } = await ask(request, encoded, read, call)
      timer.event()
      known = encoded.losses
      facts = rest
      yield* value
    }
    return replyStream(open, ({ response: told, losses }) => {
      const response = attribute(told, maker())
      return replyOf(response, {
        losses: [...known, ...losses],
        timing: timer.timing(facts.attempts),
        ...finished(request, facts.sent, response),
        ...(call.raw === true && { raw: { request: facts.sent, response: pieces.join('') } }),
      })
    })
  }

  function count(counting: Counting, asked: ChatRequest, { signal }: CallOptions = {}): Promise<number> {
    const { stream: _stream, ...request } = asked
    const endpoint = dialect.endpoint(request, encoding)
    return countTokens(counting, transport, { endpoint, body: encode(request).body, model: name }, signal)
  }

  const { counting } = options
  return {
    name,
    provider,
    capabilities,
    generate,
    stream,
    ...(counting && { countTokens: async (request, call) => count(counting, request, call) }),
  }
}

/** The request with fields of its wire format that it does not set itself. */
function withFields(
  request: ChatRequest,
  { dialect, fields, streamFields }: DialectModelOptions,
): ChatRequest {
  const added = { ...fields, ...(request.stream === true && streamFields) }
  if (Object.keys(added).length === 0) return request
  const { extra } = request
  return { ...request, extra: { ...extra, [dialect]: { ...added, ...extra?.[dialect] } } }
}
