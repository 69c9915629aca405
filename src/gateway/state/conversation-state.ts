import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { accumulate } from '../../canonical/stream/accumulate.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { digestText } from '../../wire/digest.ts'
import { forwardReader } from '../../wire/iterable-source.ts'
import { type Json, tryParseJson } from '../../wire/json.ts'
import type { CallbackReader } from '../../wire/pull-stages.ts'
import { type SealedItem, readSealedItems } from './sealed-items.ts'
import type { GatewayState } from './gateway-state.ts'
import { restoreHistory, type RestoreContext } from './restore-history.ts'
import { AnswerSealer, mayBeSealed, type SealContext } from './answer-sealer.ts'
import type { Sealer } from './sealer.ts'

/** How long the gateway remembers what belongs to a call. */
const MEMORY_MS = 6 * 60 * 60 * 1000

/** What the states of all conversations share. */
interface StateContext {
  readonly sealer: Sealer
  readonly state: GatewayState
  /** True if other programs can read the state, so that it gets sealed values only. */
  readonly isStateShared: boolean
  readonly onError: (error: unknown) => void
}

/** Keeps what providers want back with the next request: sealed in the answers for clients, and by the ids of calls. */
export class StateKeeper {
  readonly #context: StateContext

  constructor(context: StateContext) {
    this.#context = context
  }

  /** Returns the state of the conversations of one client, in the dialect that it uses. */
  forClient(client: string, dialect: string): ConversationState {
    return new ConversationState(client, dialect, this.#context)
  }
}

/** The state of the conversations of one client. */
export class ConversationState {
  readonly #client: string
  readonly #shared: StateContext
  readonly #context: SealContext

  constructor(client: string, dialect: string, shared: StateContext) {
    this.#client = client
    this.#shared = shared
    this.#context = {
      dialect,
      sealer: shared.sealer,
      remember: (callId, items) => this.#remember(callId, items),
    }
  }

  /** The client separates the calls of different keys, since their ids may be the same. Only other programs need a digest. */
  #toKey(callId: string): string {
    const key = JSON.stringify(['call', this.#client, callId])
    return this.#shared.isStateShared ? digestText(key) : key
  }

  /** Remembers what belongs to a call. A failure does not end the answer: most clients carry it themselves. */
  async #remember(callId: string, items: readonly SealedItem[]): Promise<void> {
    if (items.length === 0) return
    const { state, sealer, isStateShared, onError } = this.#shared
    try {
      const value = isStateShared ? await sealer.seal(items as unknown as Json) : JSON.stringify(items)
      await state.put(this.#toKey(callId), value, MEMORY_MS)
    } catch (error) {
      onError(error)
    }
  }

  /** Returns what is remembered of the calls of a request, with one query for all of them. */
  async #recall(callIds: readonly string[]): Promise<ReadonlyMap<string, readonly SealedItem[]>> {
    const { state, sealer, isStateShared, onError } = this.#shared
    const recalled = new Map<string, readonly SealedItem[]>()
    if (callIds.length === 0) return recalled
    try {
      const keys = callIds.map((id) => this.#toKey(id))
      const values = await state.get(keys)
      for (const [index, id] of callIds.entries()) {
        const value = values.get(keys[index] ?? '')
        if (value === undefined) continue
        recalled.set(id, readSealedItems(isStateShared ? await sealer.open(value) : tryParseJson(value)))
      }
    } catch (error) {
      onError(error)
    }
    return recalled
  }

  /** Returns the request with what earlier answers contained. */
  async restore(request: ChatRequest): Promise<ChatRequest> {
    // A call belongs to one message. If several claim it, each would get a copy of what is remembered, without a limit.
    const owners = new Map<string, Message>()
    for (const message of request.messages)
      for (const part of message.content) if (part.type === 'tool-call') owners.set(part.id, message)
    const remembered = await this.#recall([...owners.keys()])
    const recall: RestoreContext['recall'] = (callId, message) =>
      owners.get(callId) === message ? (remembered.get(callId) ?? []) : []
    return restoreHistory(request, { sealer: this.#shared.sealer, recall })
  }

  /** Returns the events of an answer with what the provider wants back. Leaving them leaves their source. */
  sealEvents(events: CallbackReader<readonly ChatEvent[]>): AsyncIterable<ChatEvent> {
    const sealer = new AnswerSealer(this.#context)
    return forwardReader(() => ({
      request(receive, fail) {
        const receiveSealed = (value: readonly ChatEvent[]): void => receive({ done: false, value })
        events.request((next) => {
          if (next.done === true) return receive(next)
          const sealed = sealer.seal(next.value)
          if (sealed instanceof Promise) sealed.then(receiveSealed, fail)
          else receiveSealed(sealed)
        }, fail)
      },
      cancel: (reason) => events.cancel(reason),
    }))
  }

  /** Returns a whole answer with what the provider wants back. */
  async sealResponse(response: ChatResponse): Promise<ChatResponse> {
    const isOwnFormat = response.candidates.every(({ origin }) => origin?.dialect === this.#context.dialect)
    const hasState = response.candidates.some(({ content }) => content.some(mayBeSealed))
    if (isOwnFormat || !hasState) return response
    return accumulate(await new AnswerSealer(this.#context).seal([...toEvents(response)]))
  }
}
