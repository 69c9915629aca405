import type { Message } from '../../canonical/model/message.ts'

/**
 * Remembers the last response of one WebSocket with its conversation, so that the next request of the connection can continue it
 * although it is not stored. `startGateway` has one for each WebSocket.
 *
 * @example
 * const connection = new ConnectionMemory()
 * const response = await gateway(new Request(url, { method: 'POST', body }), connection)
 */
export class ConnectionMemory {
  #last: { readonly id: string; readonly messages: readonly Message[] } | undefined

  /** Returns the conversation up to a response; undefined if it is not the last one. */
  get(id: string): readonly Message[] | undefined {
    return this.#last?.id === id ? this.#last.messages : undefined
  }

  /** Replaces the last response. */
  set(id: string, messages: readonly Message[]): void {
    this.#last = { id, messages }
  }

  /** Forgets a response: what follows a failed turn is not certain. */
  evict(id: string): void {
    if (this.#last?.id === id) this.#last = undefined
  }
}
