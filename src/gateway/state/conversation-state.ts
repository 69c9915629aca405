import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { accumulate } from '../../canonical/stream/accumulate.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { forwardIterable } from '../../wire/iterable-source.ts'
import { CallMemory } from './call-memory.ts'
import { restoreHistory } from './restore-history.ts'
import { sealEvents, type SealContext } from './seal-answer.ts'
import { Sealer } from './sealer.ts'

/** Keeps what providers want back with the next request: sealed in the answers for clients, and by the ids of calls. */
export class StateKeeper {
  readonly #sealer: Sealer
  readonly #memory = new CallMemory()

  constructor(sealKeys: readonly string[] | undefined) {
    this.#sealer = new Sealer(sealKeys)
  }

  /** Returns the state of the conversations of one client, in the dialect that it uses. */
  forClient(client: string, dialect: string): ConversationState {
    return new ConversationState(client, dialect, this.#sealer, this.#memory)
  }
}

/** The state of the conversations of one client. */
export class ConversationState {
  readonly #client: string
  readonly #memory: CallMemory
  readonly #context: SealContext

  constructor(client: string, dialect: string, sealer: Sealer, memory: CallMemory) {
    this.#client = client
    this.#memory = memory
    this.#context = {
      dialect,
      sealer,
      remember: (callId, items) => memory.add(client, callId, items),
    }
  }

  /** Returns the request with what earlier answers contained. */
  restore(request: ChatRequest): Promise<ChatRequest> {
    const recall = (callId: string) => this.#memory.get(this.#client, callId)
    return restoreHistory(request, { sealer: this.#context.sealer, recall })
  }

  /** Returns the events of an answer with what the provider wants back. Leaving them leaves their source. */
  sealEvents(events: AsyncIterableIterator<ChatEvent>): AsyncIterable<ChatEvent> {
    return forwardIterable(sealEvents(events, this.#context), { cancel: () => events.return?.() })
  }

  /** Returns a whole answer with what the provider wants back. */
  async sealResponse(response: ChatResponse): Promise<ChatResponse> {
    const isOwnFormat = response.candidates.every(({ origin }) => origin?.dialect === this.#context.dialect)
    return isOwnFormat ? response : accumulate(sealEvents(toAsync(toEvents(response)), this.#context))
  }
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values
}
