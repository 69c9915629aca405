import type { Message } from '../model/message.ts'

/**
 * The messages that a line of `Messages` values share. It only ever grows at its end; each value sees as many as it had
 * when it was made, so appending copies nothing unless two values grow from the same place.
 */
export class MessageBuffer {
  readonly items: Message[]
  /** First position of each id, for the items up to `indexed`. */
  readonly #positions = new Map<string, number>()
  #indexedCount = 0

  constructor(items: Message[]) {
    this.items = items
  }

  /** The buffer that holds `length` items of this one and then `added`: this one, if it ends there. */
  extend(length: number, added: readonly Message[]): MessageBuffer {
    if (length !== this.items.length) return new MessageBuffer([...this.items.slice(0, length), ...added])
    for (const message of added) this.items.push(message)
    return this
  }

  /** Position of the first message with an id. The index grows with the buffer and serves all who share it. */
  positionOf(id: string): number | undefined {
    for (; this.#indexedCount < this.items.length; this.#indexedCount++) {
      const message = this.items[this.#indexedCount]
      if (message !== undefined && !this.#positions.has(message.id))
        this.#positions.set(message.id, this.#indexedCount)
    }
    return this.#positions.get(id)
  }
}
