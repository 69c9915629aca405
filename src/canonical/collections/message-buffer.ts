import type { Message } from '../model/message.ts'

/** The messages that `Messages` values share. It grows only at its end; a prefix is copied to grow differently. */
export class MessageBuffer {
  readonly items: Message[]
  /** The first position of each id, for the items that are indexed. */
  readonly #positions = new Map<string, number>()
  #indexedCount = 0

  constructor(items: Message[]) {
    this.items = items
  }

  /** Returns a buffer with the first `length` items and then `added`: this one if it has no more items. */
  extend(length: number, added: readonly Message[]): MessageBuffer {
    if (length !== this.items.length) return new MessageBuffer([...this.items.slice(0, length), ...added])
    for (const message of added) this.items.push(message)
    return this
  }

  /** Returns the position of the first message with an id. All values of the buffer share the index. */
  positionOf(id: string): number | undefined {
    for (; this.#indexedCount < this.items.length; this.#indexedCount++) {
      const message = this.items[this.#indexedCount]
      if (message !== undefined && !this.#positions.has(message.id))
        this.#positions.set(message.id, this.#indexedCount)
    }
    return this.#positions.get(id)
  }
}
