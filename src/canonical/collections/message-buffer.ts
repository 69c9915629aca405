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

/** Returns the buffer that a conversation shares with its prefixes: the key of their caches. */
export let getMessageBuffer: (messages: BufferedMessages) => MessageBuffer

/** The storage of a `Messages`. It is a class of its own, so that a cache needs no parser of messages. */
export class BufferedMessages {
  readonly #buffer: MessageBuffer
  /** The number of messages of the buffer that belong to this value. */
  readonly #size: number

  static {
    getMessageBuffer = (messages) => messages.#buffer
  }

  constructor(buffer: MessageBuffer, size: number) {
    this.#buffer = buffer
    this.#size = size
  }

  /** The number of messages. */
  get size(): number {
    return this.#size
  }
}
