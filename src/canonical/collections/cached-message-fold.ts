import type { Message, MessageList } from '../model/message.ts'
import { BufferedMessages, getMessageBuffer, type MessageBuffer } from './message-buffer.ts'

/** The value of the first messages of a conversation. */
interface FoldedPrefix<T> {
  readonly size: number
  readonly value: T
}

/**
 * A fold over conversations that caches the value of their prefix: a growing conversation costs only its new messages.
 * The value may be mutable, because each fold begins with its own; it changes when the conversation grows.
 */
export class CachedMessageFold<T> {
  readonly #prefixes = new WeakMap<MessageBuffer, FoldedPrefix<T>>()
  readonly #begin: () => T
  readonly #add: (value: T, message: Message) => T

  constructor(begin: () => T, add: (value: T, message: Message) => T) {
    this.#begin = begin
    this.#add = add
  }

  /** Returns the value of all messages; the prefix of a `Messages` that was folded before is not folded again. */
  fold(messages: readonly Message[] | MessageList): T {
    if (!(messages instanceof BufferedMessages)) return this.#foldAll(messages)
    const buffer = getMessageBuffer(messages)
    const known = this.#prefixes.get(buffer) ?? { size: 0, value: this.#begin() }
    // A shorter conversation than the cached one is folded from the beginning, and the cache stays.
    if (known.size > messages.size) return this.#foldAll(messages)
    let { size, value } = known
    for (; size < messages.size; size++) value = this.#add(value, buffer.items[size] as Message)
    this.#prefixes.set(buffer, { size, value })
    return value
  }

  #foldAll(messages: Iterable<Message>): T {
    let value = this.#begin()
    for (const message of messages) value = this.#add(value, message)
    return value
  }
}
