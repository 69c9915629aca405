import type { ChatEvent, StartEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { Reply, ReplyStream } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import { InterlinguaError } from '../errors.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import { openBatchReader } from '../wire/iterable-source.ts'
import type { JsonObject } from '../wire/json.ts'
import type { SourceReader } from '../wire/pull-stages.ts'
import { estimateTokens } from '../stores/context/estimate-tokens.ts'
import { toClientError } from './error-response.ts'
import type { RoutedModel } from './router.ts'
import type { ConversationState } from './state/conversation-state.ts'

/** A request of a client, and the model that answers it. */
export interface ChatCall {
  readonly dialect: Dialect
  /** The request with the client's name of the model, which the answer repeats: some clients drop their state otherwise. */
  readonly request: ChatRequest
  /** The request with the whole conversation, for the model. */
  readonly input: ChatRequest
  /** Returns the id that the client gets for the response. */
  readonly toResponseId: (received: string | undefined) => string | undefined
  readonly routed: RoutedModel
  readonly signal: AbortSignal
  readonly state: ConversationState
  /** Called when the first text, reasoning or call of a stream arrives. */
  readonly onFirstToken?: () => void
}

/** A complete answer in the client's format. */
export interface ChatAnswer {
  readonly body: unknown
  readonly reply: Reply
  readonly losses: readonly Loss[]
}

/** Asks the model, and encodes the whole answer. */
export async function generateAnswer({
  dialect,
  request,
  input: given,
  toResponseId,
  routed,
  signal,
  state,
}: ChatCall): Promise<ChatAnswer> {
  const input = await state.restore(toInput(given))
  const reply = await routed.model.generate(input, toCallOptions(routed, signal))
  const sealed = withResponseId(await state.sealResponse(reply.response), toResponseId)
  const { value, losses } = dialect.encodeResponse(sealed, toEncodeOptions(request))
  return { body: value as JsonObject, reply, losses: [...reply.losses, ...losses] }
}

/** An answer in the client's format whose first event has arrived. */
export interface StreamedAnswer {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Resolves when the stream has ended, whatever its end was. */
  readonly outcome: Promise<StreamOutcome>
}

/** How a streamed answer ended. */
export interface StreamOutcome {
  readonly reply?: Reply
  /** The usage of an answer without an end: what was reported, and an estimate of what was received. */
  readonly partialUsage?: Usage
  readonly losses: readonly Loss[]
  readonly error?: InterlinguaError
}

/**
 * Starts to ask the model, and encodes its events one by one. An error before the first event is thrown, so that the client gets
 * it with a status of its own; a later one becomes part of the stream.
 */
export async function streamAnswer({
  dialect,
  request,
  input: given,
  toResponseId,
  routed,
  signal,
  state,
  onFirstToken = () => {},
}: ChatCall): Promise<StreamedAnswer> {
  const input = await state.restore(toInput(given))
  const stream = routed.model.stream(input, toCallOptions(routed, signal))
  const events = new AnswerEvents(stream, { input, toResponseId, onFirstToken })
  await events.open()
  const encoded = dialect.encodeStream(state.sealEvents(events), toEncodeOptions(request))
  const outcome = encoded.losses.then(async (losses): Promise<StreamOutcome> => {
    const reply = events.error ?? (await stream.reply.catch((error: unknown) => toTypedError(error)))
    if (reply instanceof InterlinguaError) return { losses, error: reply, partialUsage: events.partialUsage }
    return { losses: [...reply.losses, ...losses], reply }
  })
  return { bytes: encoded.body, outcome }
}

/** What is needed to encode an answer that no model gave. */
type EmptyCall = Pick<ChatCall, 'dialect' | 'request' | 'toResponseId'>

/** Encodes an answer without content, for a client that only prepares a later turn. */
export function streamNoAnswer(call: EmptyCall): StreamedAnswer {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  return encodeEmpty(call, [
    { type: 'usage', usage },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
}

/** Encodes an answer that failed before its first event, for a client that has got a status already. */
export function streamFailure(call: EmptyCall, error: InterlinguaError): StreamedAnswer {
  const { bytes, outcome } = encodeEmpty(call, [{ type: 'error', error: toClientError(error) }])
  return { bytes, outcome: outcome.then(({ losses }) => ({ losses, error })) }
}

function encodeEmpty(
  { dialect, request, toResponseId }: EmptyCall,
  events: readonly ChatEvent[],
): StreamedAnswer {
  const start: StartEvent = { type: 'start', createdAt: new Date().toISOString() }
  const all = [withResponseId(start, toResponseId), ...events]
  const encoded = dialect.encodeStream(all, toEncodeOptions(request))
  return { bytes: encoded.body, outcome: encoded.losses.then((losses) => ({ losses })) }
}

/** The number of characters of a token in an estimate. */
const CHARS_PER_TOKEN = 4

/** Estimates the tokens of a request whose provider has not reported them. */
export function estimateInputTokens({ messages, tools = [] }: ChatRequest): number {
  const toolTokens = Math.ceil(JSON.stringify(tools).length / CHARS_PER_TOKEN)
  return [...messages].reduce((sum, message) => sum + estimateTokens(message), toolTokens)
}

/** What the events of a call need of it. */
type EventsCall = Pick<ChatCall, 'input' | 'toResponseId'> & Required<Pick<ChatCall, 'onFirstToken'>>

/** Reads the events of a stream, with the id for the client; a failure becomes an `error` event. */
class AnswerEvents implements SourceReader<readonly ChatEvent[]> {
  readonly #events: SourceReader<readonly ChatEvent[]>
  readonly #call: EventsCall
  #first: readonly ChatEvent[] = []
  #usage: Usage | undefined
  #chars = 0
  error: InterlinguaError | undefined

  constructor(stream: ReplyStream, call: EventsCall) {
    this.#events = openBatchReader(stream)
    this.#call = call
  }

  /** Most providers report the input with the end of the answer, so a client that leaves before would not pay for it. */
  get partialUsage(): Usage {
    const { inputTokens: reported = 0, outputTokens = 0, ...rest } = this.#usage ?? {}
    const input = reported > 0 ? reported : estimateInputTokens(this.#call.input)
    const output = Math.max(outputTokens, Math.ceil(this.#chars / CHARS_PER_TOKEN))
    return { ...rest, inputTokens: input, outputTokens: output, totalTokens: input + output }
  }

  /** Reads the first events of the answer; throws if the call fails before. */
  async open(): Promise<void> {
    try {
      for (;;) {
        const next = await this.#events.read()
        if (next.done === true) return
        // Retries are no events of the answer.
        this.#first = next.value.filter(({ type }) => type !== 'retry')
        if (this.#first.length > 0) return
      }
    } catch (error) {
      throw unwrapStreamError(error)
    }
  }

  async read(): Promise<IteratorResult<readonly ChatEvent[], unknown>> {
    const first = this.#first
    this.#first = []
    if (first.length > 0) return { done: false, value: this.#observe(first) }
    if (this.error !== undefined) return { done: true, value: undefined }
    try {
      const next = await this.#events.read()
      return next.done === true ? next : { done: false, value: this.#observe(next.value) }
    } catch (error) {
      this.error = unwrapStreamError(error)
      return { done: false, value: [{ type: 'error', error: this.error }] }
    }
  }

  #observe(events: readonly ChatEvent[]): readonly ChatEvent[] {
    let hasStart = false
    let hasPart = false
    for (const event of events) {
      if (event.type === 'usage') this.#usage = event.usage
      hasStart ||= event.type === 'start'
      hasPart ||= 'index' in event
      if ('text' in event) this.#chars += event.text.length
      if ('json' in event) this.#chars += event.json.length
    }
    if (hasPart) this.#call.onFirstToken()
    if (!hasStart) return events
    return events.map((event) =>
      event.type === 'start' ? withResponseId(event, this.#call.toResponseId) : event,
    )
  }

  async cancel(reason: unknown): Promise<void> {
    await this.#events.cancel(reason)
  }
}

/** Returns the error that ended a stream, without the part of the answer that was received before. */
function unwrapStreamError(error: unknown): InterlinguaError {
  return toTypedError(error instanceof StreamError ? error.cause : error)
}

/** Replaces the id of a response, or of the start of one. */
function withResponseId<T extends { readonly id?: string }>(named: T, toId: ChatCall['toResponseId']): T {
  const id = toId(named.id)
  if (id === named.id) return named
  const { id: _id, ...rest } = named
  return { ...rest, ...(id !== undefined && { id }) } as T
}

function toInput({ model: _model, stream: _stream, ...request }: ChatRequest): ChatRequest {
  return request
}

function toCallOptions(
  { route: { promptCaching } }: RoutedModel,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly promptCaching?: boolean } {
  return { signal, ...(promptCaching !== undefined && { promptCaching }) }
}

function toEncodeOptions(request: ChatRequest): { readonly request: ChatRequest; readonly model?: string } {
  const { model } = request
  return { request, ...(model !== undefined && { model }) }
}
