import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { accumulate } from '../canonical/stream/accumulate.ts'
import type { DialectName, Flavor } from '../dialects/engine/dialect.ts'
import type { Json } from '../wire/json.ts'
import { sleep, throwIfAborted } from '../wire/cancellation.ts'
import { checkRequest } from './check-input.ts'
import type { CallOptions, Model, Reply, ReplyStream } from '../canonical/model/model-interface.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import { createReply, startCallTimer, recordFirstEventTime } from './reply.ts'
import { createReplyStream, forwardAndAccumulate } from './reply-stream.ts'
import {
  readWithoutWire,
  playTurn,
  getDelayMs,
  type PreparedTurn,
  prepareTurn,
  scriptExhaustedError,
  type ScriptedFunction,
  type ScriptEntry,
  type ScriptedIdentity,
} from './script/scripted-turn.ts'
import { WireRecording, type ReceivedRequest, WireRoundTrip } from './script/wire-round-trip.ts'

/** How a scripted model presents itself. */
export interface ScriptedOptions extends IdentityOptions {
  /** Default: `scripted`. */
  readonly name?: string
  /** Default: `scripted`. */
  readonly provider?: string
  readonly capabilities?: ModelCapabilities
  /** Sends requests and answers through this wire format, so that what it cannot say is lost as it would be. */
  readonly dialect?: DialectName
  readonly flavor?: Flavor
  /** The usage of every answer that does not tell its own. */
  readonly usage?: Usage
}

/** One request, as it was asked and as it arrived. */
export interface ScriptedCall {
  readonly sentRequest: ChatRequest
  /** With a dialect: what the other end reads; else what was asked. */
  readonly receivedRequest: ChatRequest
  /** The body on the wire, with a dialect. */
  readonly body?: Json
  readonly isStreamed: boolean
}

/** A model that follows a script and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** The requests as they arrived, in their order. */
  readonly requests: readonly ChatRequest[]
  readonly calls: readonly ScriptedCall[]
  /** How many entries of the script are left. */
  readonly remaining: number
}

/** A request under way. */
interface PendingScriptedCall extends Omit<ReceivedRequest, 'body'> {
  /** As the client made it: that is what answers are read by. */
  readonly sentRequest: ChatRequest
  readonly body?: Json
  readonly index: number
  readonly isStreamed: boolean
  readonly options: CallOptions
}

/**
 * A model that answers from a script, for tests and examples: one entry for each request, or a function for all of them.
 * An entry is text, a part or several, a message, a response, `{ events }`, an error to throw, a function of the request, or
 * `{ reply, delay, pace, usage, finish, breakAfter, error }`.
 *
 * @example
 * const model = scripted(['Hello!', toolCall({ name: 'weather', arguments: { city: 'Oslo' } })])
 * const { text } = await model.generate({ messages: [user('Hi')] }) // 'Hello!'
 * model.requests[0]?.messages.length // 1
 */
export function scripted(
  script: readonly ScriptEntry[] | ScriptedFunction,
  options: ScriptedOptions = {},
): ScriptedModel {
  return new ScriptedModelImpl(script, options)
}

class ScriptedModelImpl implements ScriptedModel {
  readonly name: string
  readonly provider: string
  readonly capabilities: ModelCapabilities
  readonly calls: ScriptedCall[] = []
  readonly #script: readonly ScriptEntry[] | ScriptedFunction
  readonly #identity: ScriptedIdentity
  readonly #roundTrip: WireRoundTrip | undefined

  constructor(script: readonly ScriptEntry[] | ScriptedFunction, options: ScriptedOptions) {
    const { name = 'scripted', provider = 'scripted', capabilities = {}, dialect, ...rest } = options
    this.name = name
    this.provider = provider
    this.capabilities = capabilities
    this.#script = script
    this.#identity = { ...rest, name, provider }
    this.#roundTrip =
      dialect === undefined ? undefined : new WireRoundTrip(name, { ...rest, capabilities, dialect })
  }

  get requests(): readonly ChatRequest[] {
    return this.calls.map(({ receivedRequest }) => receivedRequest)
  }

  get remaining(): number {
    return typeof this.#script === 'function'
      ? Infinity
      : Math.max(0, this.#script.length - this.calls.length)
  }

  async generate(request: ChatRequest, options: CallOptions = {}): Promise<Reply> {
    const timer = startCallTimer(this.#identity.now)
    const asked = this.#recordCall(request, false, options)
    const turn = await this.#nextTurn(asked)
    const { response, losses, body } = await this.#respond(turn, asked)
    throwIfAborted(options.signal)
    return createReply(response, {
      losses: [...asked.losses, ...losses],
      timing: timer.getTiming(),
      ...toRaw(asked, body),
    })
  }

  stream(request: ChatRequest, options: CallOptions = {}): ReplyStream {
    return createReplyStream(() => this.#streamTurn(request, options))
  }

  async *#streamTurn(
    request: ChatRequest,
    options: CallOptions,
  ): AsyncGenerator<ChatEvent, Reply, undefined> {
    const timer = startCallTimer(this.#identity.now)
    const asked = this.#recordCall(request, true, options)
    const turn = await this.#nextTurn(asked)
    const heard = new WireRecording()
    const { response, losses } = yield* forwardAndAccumulate(
      recordFirstEventTime(this.#turnEvents(turn, asked, heard), timer),
      this.#identity,
    )
    return createReply(response, {
      losses: [...asked.losses, ...heard.losses, ...losses],
      timing: timer.getTiming(),
      ...toRaw(asked, heard.text),
    })
  }

  /** Takes note of a request. */
  #recordCall(request: ChatRequest, streamed: boolean, options: CallOptions): PendingScriptedCall {
    throwIfAborted(options.signal)
    const index = this.calls.length
    const asked = { ...request, messages: [...checkRequest(request).messages] }
    const {
      request: received,
      losses,
      ...wired
    } = this.#roundTrip?.sendRequest(asked, streamed) ?? {
      request: asked,
      losses: [],
    }
    this.calls.push({ sentRequest: asked, receivedRequest: received, isStreamed: streamed, ...wired })
    return { sentRequest: asked, request: received, losses, ...wired, index, isStreamed: streamed, options }
  }

  async #nextTurn({
    request,
    index,
    isStreamed,
    options: { signal },
  }: PendingScriptedCall): Promise<PreparedTurn> {
    const entry = typeof this.#script === 'function' ? this.#script : this.#script[index]
    if (entry === undefined) throw scriptExhaustedError(index)
    const context = { index, isStreamed, ...(signal && { signal }) }
    const turn = typeof entry === 'function' ? await entry(request, context) : entry
    const delay = getDelayMs(turn)
    if (delay > 0) await sleep(delay, signal)
    const answer = prepareTurn(turn, this.#identity)
    if (answer instanceof Error) throw this.#roundTrip?.sendError(answer) ?? answer
    return answer
  }

  async #respond(
    turn: PreparedTurn,
    asked: PendingScriptedCall,
  ): Promise<Pick<Reply, 'response' | 'losses'> & { readonly body?: Json }> {
    if ('events' in turn.answer || turn.breakAfterEvents !== undefined) {
      const heard = new WireRecording()
      const response = await accumulate(this.#turnEvents(turn, asked, heard), this.#identity)
      return { response, losses: heard.losses, body: heard.text }
    }
    if (this.#roundTrip === undefined) return { response: turn.answer, losses: [] }
    const { value, ...rest } = this.#roundTrip.sendResponse(turn.answer, asked.sentRequest)
    return { response: value, ...rest }
  }

  #turnEvents(
    turn: PreparedTurn,
    asked: PendingScriptedCall,
    heard: WireRecording,
  ): AsyncIterable<ChatEvent> {
    const { signal } = asked.options
    const told = playTurn(turn, signal)
    return (
      this.#roundTrip?.sendEvents(told, asked.sentRequest, signal, heard) ?? readWithoutWire(told, signal)
    )
  }
}

/** The bodies, where they were asked for and there are some. */
function toRaw({ body, options }: PendingScriptedCall, response: Json | undefined): Pick<Reply, 'raw'> {
  return options.includeRaw && body !== undefined && response !== undefined
    ? { raw: { request: body, response } }
    : {}
}
