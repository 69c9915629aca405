import type { IdentityOptions } from '../canonical/build/identity.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { accumulate } from '../canonical/stream/accumulate.ts'
import type { DialectName, Flavor } from '../dialects/dialect.ts'
import type { Json } from '../wire/json.ts'
import { sleep, throwIfAborted } from '../wire/abort.ts'
import { checkedRequest } from './checked.ts'
import type { CallOptions, Model, ModelCapabilities, Reply, ReplyStream } from './model.ts'
import { replyOf, startTimer, timed } from './reply.ts'
import { streamOf, telling } from './reply-stream.ts'
import { directly, play } from './script/play.ts'
import {
  delayOf,
  type ReadyTurn,
  readyTurn,
  scriptExhausted,
  type ScriptedFunction,
  type ScriptEntry,
  type Speaker,
} from './script/turn.ts'
import { Heard, type Received, Wire } from './script/wire.ts'

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
  readonly asked: ChatRequest
  /** With a dialect: what the other end reads; else what was asked. */
  readonly received: ChatRequest
  /** The body on the wire, with a dialect. */
  readonly body?: Json
  readonly streamed: boolean
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
interface Asked extends Omit<Received, 'body'> {
  /** As the client made it: that is what answers are read by. */
  readonly asked: ChatRequest
  readonly body?: Json
  readonly index: number
  readonly streamed: boolean
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
  return new Scripted(script, options)
}

class Scripted implements ScriptedModel {
  readonly name: string
  readonly provider: string
  readonly capabilities: ModelCapabilities
  readonly calls: ScriptedCall[] = []
  readonly #script: readonly ScriptEntry[] | ScriptedFunction
  readonly #speaker: Speaker
  readonly #wire: Wire | undefined

  constructor(script: readonly ScriptEntry[] | ScriptedFunction, options: ScriptedOptions) {
    const { name = 'scripted', provider = 'scripted', capabilities = {}, dialect, ...rest } = options
    this.name = name
    this.provider = provider
    this.capabilities = capabilities
    this.#script = script
    this.#speaker = { ...rest, name, provider }
    this.#wire = dialect === undefined ? undefined : new Wire(name, { ...rest, capabilities, dialect })
  }

  get requests(): readonly ChatRequest[] {
    return this.calls.map(({ received }) => received)
  }

  get remaining(): number {
    return typeof this.#script === 'function'
      ? Infinity
      : Math.max(0, this.#script.length - this.calls.length)
  }

  async generate(request: ChatRequest, options: CallOptions = {}): Promise<Reply> {
    const timer = startTimer(this.#speaker.now)
    const asked = this.#receive(request, false, options)
    const turn = await this.#turn(asked)
    const { response, losses, body } = await this.#answer(turn, asked)
    throwIfAborted(options.signal)
    return replyOf(response, {
      losses: [...asked.losses, ...losses],
      timing: timer.timing(),
      ...rawOf(asked, body),
    })
  }

  stream(request: ChatRequest, options: CallOptions = {}): ReplyStream {
    return streamOf(() => this.#play(request, options))
  }

  async *#play(request: ChatRequest, options: CallOptions): AsyncGenerator<ChatEvent, Reply, undefined> {
    const timer = startTimer(this.#speaker.now)
    const asked = this.#receive(request, true, options)
    const turn = await this.#turn(asked)
    const heard = new Heard()
    const { response, losses } = yield* telling(timed(this.#events(turn, asked, heard), timer), this.#speaker)
    return replyOf(response, {
      losses: [...asked.losses, ...heard.losses, ...losses],
      timing: timer.timing(),
      ...rawOf(asked, heard.text),
    })
  }

  /** Takes note of a request. */
  #receive(request: ChatRequest, streamed: boolean, options: CallOptions): Asked {
    throwIfAborted(options.signal)
    const index = this.calls.length
    const asked = { ...request, messages: [...checkedRequest(request).messages] }
    const {
      request: received,
      losses,
      ...wired
    } = this.#wire?.request(asked, streamed) ?? {
      request: asked,
      losses: [],
    }
    this.calls.push({ asked, received, streamed, ...wired })
    return { asked, request: received, losses, ...wired, index, streamed, options }
  }

  async #turn({ request, index, streamed, options: { signal } }: Asked): Promise<ReadyTurn> {
    const entry = typeof this.#script === 'function' ? this.#script : this.#script[index]
    if (entry === undefined) throw scriptExhausted(index)
    const context = { index, streamed, ...(signal && { signal }) }
    const turn = typeof entry === 'function' ? await entry(request, context) : entry
    const delay = delayOf(turn)
    if (delay > 0) await sleep(delay, signal)
    const answer = readyTurn(turn, this.#speaker)
    if (answer instanceof Error) throw this.#wire?.error(answer) ?? answer
    return answer
  }

  async #answer(
    turn: ReadyTurn,
    asked: Asked,
  ): Promise<Pick<Reply, 'response' | 'losses'> & { readonly body?: Json }> {
    if ('events' in turn.answer || turn.breakAfter !== undefined) {
      const heard = new Heard()
      const response = await accumulate(this.#events(turn, asked, heard), this.#speaker)
      return { response, losses: heard.losses, body: heard.text }
    }
    if (this.#wire === undefined) return { response: turn.answer, losses: [] }
    const { value, ...rest } = this.#wire.response(turn.answer, asked.asked)
    return { response: value, ...rest }
  }

  #events(turn: ReadyTurn, asked: Asked, heard: Heard): AsyncIterable<ChatEvent> {
    const { signal } = asked.options
    const told = play(turn, signal)
    return this.#wire?.events(told, asked.asked, signal, heard) ?? directly(told, signal)
  }
}

/** The bodies, where they were asked for and there are some. */
function rawOf({ body, options }: Asked, response: Json | undefined): Pick<Reply, 'raw'> {
  return options.raw && body !== undefined && response !== undefined
    ? { raw: { request: body, response } }
    : {}
}
