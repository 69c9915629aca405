import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { accumulate } from '../canonical/stream/accumulate.ts'
import { dialects } from '../dialects/dialects.ts'
import type { Dialect, DialectName, Flavor } from '../dialects/engine/dialect.ts'
import { checkFlavor } from '../dialects/engine/flavor-registry.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { throwInvalid } from '../canonical/shape/shape.ts'
import { child } from '../wire/json-pointer.ts'
import { describeType, type Json } from '../wire/json.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { rejectOnAbort, sleep, throwIfAborted } from '../wire/cancellation.ts'
import { toChatRequest } from './check-call-input.ts'
import type {
  CallOptions,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
} from '../canonical/model/model-interface.ts'
import { CAPABILITY_NAMES, type ModelCapabilities } from '../canonical/model/capabilities.ts'
import { createReply, startCallTimer, recordFirstEventTime } from './reply.ts'
import { createReplyStream, forwardAndAccumulate } from './reply-stream.ts'
import {
  forwardFailuresAsEvents,
  playScriptedTurn,
  getScriptedDelayMs,
  type PreparedScriptedTurn,
  prepareScriptedTurn,
  scriptExhaustedError,
  type ScriptedFunction,
  type ScriptEntry,
  type ScriptedIdentity,
} from './script/scripted-turn.ts'
import { WireRecording, WireRoundTrip } from './script/wire-round-trip.ts'

/** Options of {@link scripted}. */
export interface ScriptedOptions extends IdentityOptions {
  /** Default: `scripted`. */
  readonly name?: string
  /** Default: `scripted`. */
  readonly provider?: string
  readonly capabilities?: ModelCapabilities
  /** Encodes and decodes requests and responses in this dialect, with the losses of a real call. */
  readonly dialect?: DialectName | Dialect
  readonly flavor?: Flavor
  /** The usage of every response without its own. */
  readonly usage?: Usage
}

const SCRIPTED_OPTION_NAMES: OptionNames<ScriptedOptions> = {
  name: true,
  provider: true,
  capabilities: CAPABILITY_NAMES,
  dialect: true,
  flavor: true,
  usage: true,
  newId: Function,
  now: Function,
}

/** One request to a scripted model. */
export interface ScriptedCall {
  readonly sentRequest: ChatRequest
  /** With a dialect: the request as the receiver decodes it; otherwise the request as sent. */
  readonly receivedRequest: ChatRequest
  /** With a dialect: the encoded body. */
  readonly body?: Json
  readonly isStreamed: boolean
}

/** A model that follows a script and records its requests. */
export interface ScriptedModel extends Model {
  /** The requests as received, in order. */
  readonly requests: readonly ChatRequest[]
  readonly calls: readonly ScriptedCall[]
  /** The number of unused entries of the script. */
  readonly remaining: number
}

/** A request in progress. */
interface PendingScriptedCall extends ScriptedCall {
  readonly losses: readonly Loss[]
  readonly index: number
  readonly options: CallOptions
}

/**
 * Returns a model that replies from a script, for tests and examples. The script has one entry for each request, or is
 * a function for all requests. An entry is text, one or several parts, a message, a response, `{ events }`, an error to
 * throw, a function of the request, or `{ reply, delayMs, eventDelayMs, usage, finish, breakAfterEvents, error }`.
 *
 * @example
 * const model = scripted(['Hello!', toolCall({ name: 'weather', arguments: { city: 'Oslo' } })])
 * const { text } = await model.generate('Hi') // 'Hello!'
 * model.requests[0]?.messages.length // 1
 */
export function scripted(
  script: readonly ScriptEntry[] | ScriptedFunction,
  options: ScriptedOptions = {},
): ScriptedModel {
  return withTypedErrors(() => new ScriptedModelImpl(script, options), [script, options])
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
    checkOptions('`scripted`', options, SCRIPTED_OPTION_NAMES)
    checkFlavor(options.flavor)
    const { name = 'scripted', provider = 'scripted', capabilities = {}, dialect, ...rest } = options
    this.name = name
    this.provider = provider
    this.capabilities = capabilities
    if (typeof script !== 'function' && !Array.isArray(script))
      throwInvalid(
        'invalid-type',
        child(undefined, 'script'),
        describeType(script),
        'a list of replies or a function',
        "Pass a list, even for a single reply: scripted(['…']).",
      )
    this.#script = script
    this.#identity = { ...rest, name, provider }
    if (dialect === undefined) return
    const wireDialect = typeof dialect === 'string' ? dialects[dialect] : dialect
    this.#roundTrip = new WireRoundTrip(name, { ...rest, capabilities, dialect: wireDialect })
  }

  get requests(): readonly ChatRequest[] {
    return this.calls.map(({ receivedRequest }) => receivedRequest)
  }

  get remaining(): number {
    if (typeof this.#script === 'function') return Infinity
    return Math.max(0, this.#script.length - this.calls.length)
  }

  async generate(input: ModelInput, options: CallOptions = {}): Promise<Reply> {
    const timer = startCallTimer(this.#identity.now)
    const call = this.#recordCall(input, false, options)
    const turn = await this.#nextTurn(call)
    const { response, losses, body } = await this.#respond(turn, call)
    throwIfAborted(options.signal)
    const timing = timer.getTiming()
    return createReply(response, { losses: [...call.losses, ...losses], timing, ...toRaw(call, body) })
  }

  stream(input: ModelInput, options: CallOptions = {}): ReplyStream {
    return createReplyStream((signal) => this.#streamTurn(input, { ...options, signal }), options.signal)
  }

  async *#streamTurn(input: ModelInput, options: CallOptions): AsyncGenerator<ChatEvent, Reply> {
    const timer = startCallTimer(this.#identity.now)
    const call = this.#recordCall(input, true, options)
    const turn = await this.#nextTurn(call)
    const recording = new WireRecording()
    const { response, losses } = yield* forwardAndAccumulate(
      recordFirstEventTime(this.#turnEvents(turn, call, recording), timer),
      this.#identity,
    )
    const allLosses = [...call.losses, ...recording.losses, ...losses]
    const timing = timer.getTiming()
    return createReply(response, { losses: allLosses, timing, ...toRaw(call, recording.text) })
  }

  #recordCall(input: ModelInput, isStreamed: boolean, options: CallOptions): PendingScriptedCall {
    const request = toChatRequest(input, options)
    throwIfAborted(options.signal)
    const index = this.calls.length
    const sentRequest = { ...request, messages: [...request.messages] }
    const received = this.#roundTrip?.sendRequest(sentRequest, isStreamed)
    const { request: receivedRequest, losses, ...wireBody } = received ?? { request: sentRequest, losses: [] }
    const call = { sentRequest, receivedRequest, isStreamed, ...wireBody }
    this.calls.push(call)
    return { ...call, losses, index, options }
  }

  async #nextTurn(call: PendingScriptedCall): Promise<PreparedScriptedTurn> {
    const { receivedRequest, index, isStreamed } = call
    const { signal } = call.options
    const entry = typeof this.#script === 'function' ? this.#script : this.#script[index]
    if (entry === undefined) throw scriptExhaustedError(index)
    const context = { index, isStreamed, ...(signal && { signal }) }
    const turn =
      typeof entry === 'function'
        ? await rejectOnAbort((async () => entry(receivedRequest, context))(), signal)
        : entry
    const delay = getScriptedDelayMs(turn)
    if (delay > 0) await sleep(delay, signal)
    const prepared = prepareScriptedTurn(turn, this.#identity)
    if (prepared instanceof Error) throw this.#roundTrip?.sendError(prepared) ?? prepared
    return prepared
  }

  async #respond(
    turn: PreparedScriptedTurn,
    call: PendingScriptedCall,
  ): Promise<Pick<Reply, 'response' | 'losses'> & { readonly body?: Json }> {
    if ('events' in turn.content || turn.breakAfterEvents !== undefined) {
      const recording = new WireRecording()
      const response = await accumulate(this.#turnEvents(turn, call, recording), this.#identity)
      return { response, losses: recording.losses, body: recording.text }
    }
    if (this.#roundTrip === undefined) return { response: turn.content, losses: [] }
    const { value, ...rest } = this.#roundTrip.sendResponse(turn.content, call.sentRequest)
    return { response: value, ...rest }
  }

  #turnEvents(
    turn: PreparedScriptedTurn,
    { sentRequest, options: { signal } }: PendingScriptedCall,
    recording: WireRecording,
  ): AsyncIterable<ChatEvent> {
    const events = playScriptedTurn(turn, signal)
    if (this.#roundTrip === undefined) return forwardFailuresAsEvents(events, signal)
    return this.#roundTrip.sendEvents(events, sentRequest, signal, recording)
  }
}

/** Returns the wire bodies if `includeRaw` is set and the model has a dialect. */
function toRaw({ body, options }: PendingScriptedCall, response: Json | undefined): Pick<Reply, 'raw'> {
  return options.includeRaw && body !== undefined && response !== undefined
    ? { raw: { request: body, response } }
    : {}
}
