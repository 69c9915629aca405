import type { ChatEvent, RetryInfo } from './event.ts'
import type { Finish, AssistantMessage } from './message.ts'
import type { Loss } from './loss.ts'
import type { ChatRequest } from './request.ts'
import type { ChatResponse } from './response.ts'
import type { Usage } from './usage.ts'
import type { ModelCapabilities } from './capabilities.ts'
import type { Json } from '../../wire/json.ts'

/** Options of one model call. */
export interface CallOptions {
  /** Aborts the call immediately. */
  readonly signal?: AbortSignal | undefined
  /** True to return the bodies that were sent and received. Default: false. */
  readonly includeRaw?: boolean
  /** Called before each retry, like `onRetry` of the provider. An error that it throws ends the call. */
  readonly onRetry?: (retry: RetryInfo) => void
  /**
   * True to mark the prompt for the cache of the provider, if it caches only what is marked (Claude). An option of the
   * provider overrides it. Default: false; agents set it.
   */
  readonly promptCaching?: boolean
  /**
   * The dialect in which the events of a stream will be encoded again. If the provider uses it, they keep their residue, so that
   * the encoded stream has the payloads that were received. Default: none.
   */
  readonly exactFor?: string
}

/** The cost of a call, by the price table of its date. */
export interface Cost {
  readonly amount: number
  readonly currency: string
  /** The date of the prices. */
  readonly asOf: string
}

/** The duration of a call. */
export interface Timing {
  /** ISO 8601. */
  readonly startedAt: string
  /** Milliseconds until the first event of a streamed response. */
  readonly firstEventMs?: number
  /** Milliseconds until the response was complete. */
  readonly totalMs: number
  /** The number of times that the request was sent; more than 1 after retries. */
  readonly attempts: number
}

/** The model that responded, if it can be another one than the requested model. */
export interface ServedBy {
  readonly provider: string
  readonly model: string
  /** The response was cached by an earlier call: no request was sent, and it costs nothing. */
  readonly isCached?: true
  /** The errors of the models that were tried before, in order. */
  readonly failures?: readonly Error[]
}

/** A response with its cost, timing and losses. */
export interface Reply {
  readonly response: ChatResponse
  /** The first candidate. */
  readonly message: AssistantMessage
  /** The text of the first candidate. */
  readonly text: string
  readonly usage?: Usage
  readonly finish?: Finish
  /** Absent if the price is unknown. */
  readonly cost?: Cost
  /** The losses of the request and of the response. */
  readonly losses: readonly Loss[]
  readonly timing: Timing
  /** Set by middleware that uses other models or a cache. */
  readonly servedBy?: ServedBy
  /** The bodies that were sent and received, if they were requested. */
  readonly raw?: { readonly request: Json; readonly response: Json }
}

/**
 * A streamed response: events to iterate over once, and the complete reply. Both can be read, in either order; a
 * second iteration throws `invalid-stream`.
 *
 * @example
 * const stream = model.stream('Hi')
 * for await (const event of stream) if (event.type === 'text-delta') show(event.text)
 * const { usage } = await stream.reply
 */
export interface ReplyStream extends AsyncIterable<ChatEvent> {
  /**
   * Resolves when the stream ends. Rejects with the same error as the iteration. Before an iteration, it starts
   * the call, reads to the end and keeps the events for a later iteration; leaving that one early ends nothing.
   */
  readonly reply: Promise<Reply>
}

/**
 * The input of a model: a prompt, which becomes one user message, or a request. The messages of a request may be
 * a prompt, too.
 *
 * @example
 * await model.generate('Hi')
 * await model.generate({ messages: 'Hi', temperature: 0 })
 */
export type ModelInput =
  | string
  | (Omit<ChatRequest, 'messages'> & { readonly messages: string | ChatRequest['messages'] })

/**
 * A model that responds to conversations: a model of a provider, a scripted model, or a wrapper around
 * another model. A model of your own gets requests only, never a prompt, if you wrap it: `wrapModel(own, {})`.
 *
 * @example
 * const { text } = await model.generate('Hi')
 * for await (const event of model.stream({ messages: [system('Be brief.'), user('Hi')] })) {
 *   if (event.type === 'text-delta') show(event.text)
 * }
 */
export interface Model {
  /** The name of the model at its provider. */
  readonly name: string
  readonly provider: string
  readonly capabilities: ModelCapabilities
  generate(input: ModelInput, options?: CallOptions): Promise<Reply>
  stream(input: ModelInput, options?: CallOptions): ReplyStream
  /** Returns the number of tokens of a request, as the provider counts them; absent if the provider has no count. */
  countTokens?(input: ModelInput, options?: CallOptions): Promise<number>
  /** Runs that the provider executes in the background; absent if the provider has none. */
  readonly background?: BackgroundRuns
}

/** A run that a provider executes in the background. Store its `id`, and continue with it in any process. */
export interface BackgroundRun {
  readonly id: string
  readonly status: 'queued' | 'running' | 'finished'
  /** The losses of the request; empty if the run was started before. */
  readonly losses: readonly Loss[]
  /** The reply, if the run has finished. The finish reason of a cancelled run is `aborted`. */
  readonly reply?: Reply
}

/** Options of a call about a run that was started before. */
export interface BackgroundRunOptions extends CallOptions {
  /** The request of the run: restores the names of its tools, and lets later requests continue its response. */
  readonly request?: ModelInput
}

/** Options of {@link BackgroundRuns.wait}. */
export interface WaitOptions extends BackgroundRunOptions {
  /** Milliseconds between two requests. Default: 500, doubled after each request up to 10,000. */
  readonly pollIntervalMs?: number
}

/** Options of {@link BackgroundRuns.stream}. */
export interface BackgroundStreamOptions extends CallOptions {
  /** Called with the id of each received event, by which {@link BackgroundRuns.resume} continues. */
  readonly onEventId?: (id: string) => void
}

/** Options of {@link BackgroundRuns.resume}. */
export interface ResumeOptions extends BackgroundRunOptions, BackgroundStreamOptions {
  /** The id of the last received event. Default: the stream is read from its beginning. */
  readonly after?: string
}

/**
 * Runs that a provider executes in the background, for responses that take longer than a connection lasts.
 *
 * @example
 * const { id } = await model.background.start('Compare the three proposals.')
 * const { text } = await model.background.wait(id)
 */
export interface BackgroundRuns {
  /** Starts a run and returns at once. */
  start(input: ModelInput, options?: CallOptions): Promise<BackgroundRun>
  /** Returns the present state of a run. */
  get(id: string, options?: BackgroundRunOptions): Promise<BackgroundRun>
  /** Asks for the state of a run until it has finished. Aborting the call does not cancel the run. */
  wait(id: string, options?: WaitOptions): Promise<Reply>
  /** Cancels a run. */
  cancel(id: string, options?: BackgroundRunOptions): Promise<BackgroundRun>
  /** Starts a run and streams it. If the connection is lost, the stream continues after the last received event. */
  stream(input: ModelInput, options?: BackgroundStreamOptions): ReplyStream
  /** Streams a run that was started with `stream`: from its beginning, or after an event. Its reply is complete. */
  resume(id: string, options?: ResumeOptions): ReplyStream
}

/** A model that turns texts into vectors. */
export interface EmbeddingModel {
  readonly name: string
  readonly provider: string
  /** Returns one vector per text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbeddingOptions): Promise<EmbeddingReply>
}

export interface EmbeddingOptions extends Omit<CallOptions, 'promptCaching' | 'exactFor'> {
  /** The number of dimensions of a vector, if the model supports several. */
  readonly dimensions?: number
  /** The purpose of the texts, if the model distinguishes them. */
  readonly purpose?: 'query' | 'document'
  /** The number of requests at the same time, if the texts need several. Default: 4. */
  readonly concurrency?: number
  /** Called after each batch with the number of texts that are done. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface EmbeddingReply {
  readonly vectors: readonly (readonly number[])[]
  readonly usage?: Usage
  readonly cost?: Cost
}
