import type { ChatEvent, StartEvent } from '../canonical/model/event.ts'
import type { ReplyStream } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import type { InterlinguaError } from '../errors.ts'
import { estimateTokens } from '../stores/context/estimate-tokens.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import { openBatchReader } from '../wire/iterable-source.ts'
import type { AnyReader, CallbackReader } from '../wire/pull-stages.ts'
import { asksForUsage, withoutUsageEvent } from './unrequested-usage.ts'

/** The number of characters of a token in an estimate. */
const CHARS_PER_TOKEN = 4

/** Estimates the tokens of a request whose provider has not reported them. */
export function estimateInputTokens({ messages, tools = [] }: ChatRequest): number {
  const toolTokens = Math.ceil(JSON.stringify(tools).length / CHARS_PER_TOKEN)
  return [...messages].reduce((sum, message) => sum + estimateTokens(message), toolTokens)
}

/** Returns the id that the client gets for the response. */
export type ToResponseId = (received: string | undefined) => string | undefined

/** What the events of a call need of it. */
interface EventsCall {
  readonly dialect: Dialect
  readonly input: ChatRequest
  readonly toResponseId: ToResponseId
  readonly onFirstToken: () => void
}

/** Reads the events of a stream, with the id for the client; a failure becomes an `error` event. */
export class AnswerEvents implements CallbackReader<readonly ChatEvent[]> {
  readonly #events: AnyReader<readonly ChatEvent[]>
  readonly #call: EventsCall
  #first: readonly ChatEvent[] = []
  #usage: Usage | undefined
  #chars = 0
  error: InterlinguaError | undefined

  constructor(stream: ReplyStream, call: EventsCall) {
    this.#events = openBatchReader(stream)
    this.#call = call
  }

  /** True if the provider uses the dialect of the client. Known after `open`. */
  get isInDialect(): boolean {
    return this.#first.some((event) => event.type === 'start' && isSameDialect(this.#call.dialect, event))
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

  request(receive: (next: IteratorResult<readonly ChatEvent[], unknown>) => void): void {
    const first = this.#first
    this.#first = []
    if (first.length > 0) receive({ done: false, value: this.#observe(first) })
    else if (this.error !== undefined) receive({ done: true, value: undefined })
    else
      this.#events.request(
        (next) => receive(next.done === true ? next : { done: false, value: this.#observe(next.value) }),
        (error) => {
          this.error = unwrapStreamError(error)
          receive({ done: false, value: [{ type: 'error', error: this.error }] })
        },
      )
  }

  #observe(events: readonly ChatEvent[]): readonly ChatEvent[] {
    const { dialect, input, toResponseId } = this.#call
    let hasStart = false
    let hasUsage = false
    let hasPart = false
    for (const event of events) {
      if (event.type === 'usage') this.#usage = event.usage
      hasUsage ||= event.type === 'usage'
      hasStart ||= event.type === 'start'
      hasPart ||= 'index' in event
      if ('text' in event) this.#chars += event.text.length
      if ('json' in event) this.#chars += event.json.length
    }
    if (hasPart) this.#call.onFirstToken()
    if (!hasStart && !hasUsage) return events
    const keepsUsage = asksForUsage(dialect.name, input)
    return events.map((event) => {
      if (event.type === 'start') return withResponseId(event, toResponseId)
      return keepsUsage ? event : withoutUsageEvent(event, dialect.name)
    })
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
export function withResponseId<T extends { readonly id?: string }>(named: T, toId: ToResponseId): T {
  const id = toId(named.id)
  if (id === named.id) return named
  const { id: _id, ...rest } = named
  return { ...rest, ...(id !== undefined && { id }) } as T
}

/** Tests whether an answer or a message was received in a dialect. */
export function isSameDialect({ name }: Dialect, received: Pick<StartEvent, 'origin'> | undefined): boolean {
  return received?.origin?.dialect === name
}
