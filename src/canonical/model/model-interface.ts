import type { ChatEvent } from './event.ts'
import type { Finish, AssistantMessage } from './message.ts'
import type { Loss } from './loss.ts'
import type { ChatRequest } from './request.ts'
import type { ChatResponse } from './response.ts'
import type { Usage } from './usage.ts'
import type { ModelCapabilities } from './capabilities.ts'
import type { Json } from '../../wire/json.ts'

/** What may be said for one call. */
export interface CallOptions {
  /** Ends the call at once, whatever it is waiting for. */
  readonly signal?: AbortSignal
  /** Whether the reply brings the bodies that were sent and received. Default: false. */
  readonly includeRaw?: boolean
}

/** What a call cost, by the price table of its date. */
export interface Cost {
  readonly amount: number
  readonly currency: string
  /** The date of the prices. */
  readonly asOf: string
}

/** How long a call took. */
export interface Timing {
  /** ISO 8601. */
  readonly startedAt: string
  /** Milliseconds until the first event of a streamed answer. */
  readonly firstEventMs?: number
  /** Milliseconds until the answer was whole. */
  readonly totalMs: number
  /** How often the request was sent; above 1 when it was tried again. */
  readonly attempts: number
}

/** Who answered, where it need not be the model that was asked. */
export interface ServedBy {
  readonly provider: string
  readonly model: string
  /** Nobody was asked: the answer was kept from an earlier call, and costs nothing. */
  readonly isCached?: true
  /** Why the models before this one did not answer, in their order. */
  readonly failures?: readonly Error[]
}

/** An answer, and all that is known about how it came. */
export interface Reply {
  readonly response: ChatResponse
  /** The first candidate. */
  readonly message: AssistantMessage
  /** Its text. */
  readonly text: string
  readonly usage?: Usage
  readonly finish?: Finish
  /** Absent where a price is not known. */
  readonly cost?: Cost
  /** What the request and the response lost in translation. */
  readonly losses: readonly Loss[]
  readonly timing: Timing
  /** Set by a middleware that lets others answer. */
  readonly servedBy?: ServedBy
  /** The bodies that were sent and received, when they were asked for. */
  readonly raw?: { readonly request: Json; readonly response: Json }
}

/** An answer as it comes: events to iterate over once, and the whole reply when they have ended. */
export interface ReplyStream extends AsyncIterable<ChatEvent> {
  /** Settles when the stream ends; reading it reads the stream. Rejects as iterating does. */
  readonly reply: Promise<Reply>
}

/**
 * Something that answers conversations: a provider's model, a script, or another model with something wrapped around it.
 *
 * @example
 * const { text } = await model.generate({ messages: [user('Hi')] })
 * for await (const event of model.stream({ messages: [user('Hi')] })) {
 *   if (event.type === 'text-delta') show(event.text)
 * }
 */
export interface Model {
  /** What its provider calls it. */
  readonly name: string
  readonly provider: string
  readonly capabilities: ModelCapabilities
  generate(request: ChatRequest, options?: CallOptions): Promise<Reply>
  stream(request: ChatRequest, options?: CallOptions): ReplyStream
  /** How many tokens a request is, by the provider's own count; absent where it does not count. */
  countTokens?(request: ChatRequest, options?: CallOptions): Promise<number>
}

/** Something that turns texts into vectors. */
export interface EmbeddingModel {
  readonly name: string
  readonly provider: string
  /** One vector per text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbeddingOptions): Promise<EmbeddingReply>
}

export interface EmbeddingOptions extends CallOptions {
  /** How many numbers a vector has, where the model can be asked. */
  readonly dimensions?: number
  /** What the texts are for, where the model makes a difference. */
  readonly purpose?: 'query' | 'document'
  /** Told after each batch. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface EmbeddingReply {
  readonly vectors: readonly (readonly number[])[]
  readonly usage?: Usage
  readonly cost?: Cost
}
