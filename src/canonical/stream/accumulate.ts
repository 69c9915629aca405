import { InterlinguaError, ProviderError, type ProviderErrorKind } from '../../errors.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { omitUndefined } from '../../wire/json.ts'
import { generateId, type IdentityOptions } from '../build/ids-and-timestamps.ts'
import type { ChatEvent, StartEvent } from '../model/event.ts'
import type { Finish, AssistantMessage } from '../model/message.ts'
import type { AssistantPart } from '../model/part.ts'
import type { ChatResponse } from '../model/response.ts'
import type { Usage } from '../model/usage.ts'
import { textOf } from '../read/message-content.ts'
import { checkIterable } from '../shape/shape.ts'
import { copyUsageToMessages } from './copy-usage-to-messages.ts'
import { createInitialPart, PartAccumulator } from './part-accumulator.ts'

/**
 * The error of a stream that ended with an `error` event. `partial` is the response so far.
 *
 * @example
 * try {
 *   await accumulate(events)
 * } catch (error) {
 *   if (error instanceof StreamError) show(error.partial.candidates)
 * }
 */
export class StreamError extends InterlinguaError {
  override readonly name: string = 'StreamError'
  readonly partial: ChatResponse
  /** The kind of the error, if the provider or the connection failed. */
  declare readonly kind?: ProviderErrorKind

  constructor(error: InterlinguaError, partial: ChatResponse) {
    super(error.code, error.message, {
      ...(error.hint !== undefined && { hint: error.hint }),
      retryable: error.retryable,
      cause: error,
    })
    this.partial = partial
    if (error instanceof ProviderError) this.kind = error.kind
  }
}

interface CandidateState {
  readonly parts: Map<number, PartAccumulator>
  start?: StartEvent
  finish?: Finish
}

/** Accumulates events into a response. */
export class ResponseAccumulator {
  readonly #identity: IdentityOptions
  #start: StartEvent | undefined
  #usage: Usage | undefined
  #candidates = new Map<number, CandidateState>()

  constructor(identity: IdentityOptions = {}) {
    this.#identity = identity
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'start':
        if ((event.candidate ?? 0) === 0) {
          // The stream starts, perhaps again: the response so far is discarded.
          this.#start = event
          this.#usage = undefined
          this.#candidates = new Map()
        }
        if (event.message !== undefined || (event.candidate ?? 0) !== 0) this.#candidate(event).start = event
        return
      case 'usage':
        this.#usage = event.usage
        return
      case 'finish':
        this.#candidate(event).finish = event.finish
        return
      case 'part-start':
        this.#candidate(event).parts.set(event.index, new PartAccumulator(event.part))
        return
      case 'text-delta':
      case 'refusal-delta':
      case 'reasoning-delta':
        this.#part(event, createInitialPart(event)).append(event.text)
        return
      case 'arguments-delta':
        this.#candidate(event).parts.get(event.index)?.append(event.json)
        return
      case 'media-delta':
        this.#candidate(event).parts.get(event.index)?.append(event.data)
        return
      case 'part-update':
        this.#candidate(event).parts.get(event.index)?.update(event)
        return
      case 'part-end':
        this.#part(event, event.part ?? { type: 'text', text: '' }).end(event)
        return
      case 'error':
        throw new StreamError(event.error, this.response())
      case 'loss':
      case 'opaque':
      case 'retry':
        return
    }
  }

  #candidate({ candidate = 0 }: ChatEvent): CandidateState {
    const found = this.#candidates.get(candidate) ?? { parts: new Map() }
    this.#candidates.set(candidate, found)
    return found
  }

  #part(event: ChatEvent & { readonly index: number }, blankPart: AssistantPart): PartAccumulator {
    const { parts } = this.#candidate(event)
    const found = parts.get(event.index) ?? new PartAccumulator(blankPart)
    parts.set(event.index, found)
    return found
  }

  /** Returns the response so far. */
  response(): ChatResponse {
    const { id, model, createdAt } = this.#start ?? {}
    const candidates = sortByNumber(this.#candidates)
    return copyUsageToMessages({
      ...omitUndefined({ id, model, createdAt }),
      candidates: candidates.map((candidate) => this.#message(candidate)),
      ...omitUndefined({ usage: this.#usage }),
    })
  }

  #message({ parts, start, finish }: CandidateState): AssistantMessage {
    const { origin } = start ?? this.#start ?? {}
    return freezeOwned<AssistantMessage>({
      id: generateId('msg', this.#identity),
      ...start?.message,
      role: 'assistant',
      content: sortByNumber(parts).map((part) => part.build()),
      ...omitUndefined({ origin, finish }),
    })
  }
}

function sortByNumber<T>(items: ReadonlyMap<number, T>): readonly T[] {
  return [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item)
}

/**
 * Returns the response of a stream of events. Rejects with a {@link StreamError} on an `error` event.
 *
 * @example
 * const response = await accumulate(dialects.anthropic.decodeStream(body))
 */
export async function accumulate(
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  identity: IdentityOptions = {},
): Promise<ChatResponse> {
  const accumulator = withTypedErrors(() => new ResponseAccumulator(identity), [events, identity])
  // Errors of the stream reach the caller unchanged.
  for await (const event of checkIterable(events, 'a stream of events'))
    withTypedErrors(() => accumulator.push(event), [events, identity])
  return withTypedErrors(() => accumulator.response(), [events, identity])
}

/**
 * Returns the text of the first candidate of a stream of events, as `textOf` does. Rejects with a {@link
 * StreamError} on an `error` event (`textOf(error.partial.candidates[0])` is the text so far).
 *
 * @example
 * const answer = await toText(dialects.anthropic.decodeStream(response.body))
 */
export async function toText(events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>): Promise<string> {
  const [first] = (await accumulate(events)).candidates
  return first === undefined ? '' : textOf(first)
}
