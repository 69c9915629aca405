import type { Json } from '../../wire/json.ts'
import * as build from '../build/messages.ts'
import type { AssistantOptions, ContentInput, MessageOptions } from '../build/messages.ts'
import { withRole } from '../update/message.ts'
import type { Message, MessageList, Role } from '../model/message.ts'
import type { AssistantPart, Part, SystemPart, ToolPart, UserPart } from '../model/part.ts'
import { isEmptyMessage, isPlainText, requirePlainText, type ToTextOptions } from '../read/content-checks.ts'
import { MessageBuffer } from './message-buffer.ts'
import { type InputOptions, isBrandedMessage, type MessageInput, toMessages } from './message-input.ts'
import * as operations from './merge-split.ts'

/** What a conversation shares with those that it grew from, for what is kept about their beginning. */
export let bufferOf: (messages: Messages) => MessageBuffer

/**
 * An immutable conversation. Every operation gives a new value and shares the messages; appending copies nothing.
 *
 * @example
 * const messages = Messages.of()
 *   .system('Answer in one sentence.')
 *   .user('Why is the sky blue?')
 *   .assistant('Because air scatters blue light most.')
 * messages.size // 3
 */
export class Messages implements MessageList {
  readonly #buffer: MessageBuffer
  /** How many of the buffer's messages are ours. */
  readonly #size: number

  static {
    bufferOf = (messages) => messages.#buffer
  }

  private constructor(buffer: MessageBuffer, size: number) {
    this.#buffer = buffer
    this.#size = size
  }

  /** How many messages there are. */
  get size(): number {
    return this.#size
  }

  /** A conversation of the given inputs: `Messages.of('Hello', assistant('Hi!'))`. */
  static of(...inputs: readonly MessageInput[]): Messages {
    return Messages.#of([]).append(...inputs)
  }

  /** A conversation from one input or many; a `Messages` is given back as it is. */
  static from(input: MessageInput | Iterable<MessageInput>, options?: InputOptions): Messages {
    if (input instanceof Messages && options?.role === undefined) return input
    return Messages.#of(toMessages(input, options))
  }

  static #of(messages: readonly Message[]): Messages {
    return new Messages(new MessageBuffer([...messages]), messages.length)
  }

  /** The messages in order. */
  *[Symbol.iterator](): Generator<Message, void, undefined> {
    for (let index = 0; index < this.size; index++) yield this.#buffer.items[index] as Message
  }

  /** The messages as an array of your own. */
  toArray(): Message[] {
    return this.#buffer.items.slice(0, this.size)
  }

  /** What `JSON.stringify` writes: the array of messages. */
  toJSON(): Message[] {
    return this.toArray()
  }

  /** The messages themselves: a conversation can stand wherever messages are taken. */
  toMessages(): Messages {
    return this
  }

  /** The message at a position; negative positions count from the end. */
  at(index: number): Message | undefined {
    const position = index < 0 ? this.size + index : index
    return position < this.size ? this.#buffer.items[position] : undefined
  }

  /** The first message, if there is one. */
  first(): Message | undefined {
    return this.at(0)
  }

  /** The last message, if there is one. */
  last(): Message | undefined {
    return this.at(-1)
  }

  /** The message with an id. */
  get(id: string): Message | undefined {
    const position = this.#positionOf(id)
    return position === undefined ? undefined : this.#buffer.items[position]
  }

  /** Whether a message has the id. */
  has(id: string): boolean {
    return this.#positionOf(id) !== undefined
  }

  #positionOf(id: string): number | undefined {
    const position = this.#buffer.positionOf(id)
    return position !== undefined && position < this.size ? position : undefined
  }

  /**
   * The message with an id replaced.
   *
   * @example
   * messages.replace(id, (message) => edit(message, { name: 'Ada' }))
   */
  replace(id: string, by: MessageInput | ((message: Message) => MessageInput)): Messages {
    const old = this.get(id)
    if (old === undefined) throw operations.createUnknownIdError()
    const messages = toMessages(typeof by === 'function' ? by(old) : by)
    return this.#withMessages(this.toArray().toSpliced(this.#positionOf(id) ?? 0, 1, ...messages))
  }

  /** Without the message that has the id; the same value when there is none. */
  remove(id: string): Messages {
    const position = this.#positionOf(id)
    return position === undefined ? this : Messages.#of(this.toArray().toSpliced(position, 1))
  }

  /**
   * With more messages at the end.
   *
   * @example
   * messages.append('Thanks!', assistant('You are welcome.'))
   */
  append(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Messages {
    const added = inputs.every(isBrandedMessage) ? inputs : inputs.flatMap((input) => toMessages(input))
    return added.length === 0
      ? this
      : new Messages(this.#buffer.extend(this.size, added), this.size + added.length)
  }

  /** With more messages before the first. */
  prepend(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Messages {
    return Messages.#of([...inputs.flatMap((input) => toMessages(input)), ...this])
  }

  /** With the last message replaced, or appended when there is none. */
  replaceLast(input: MessageInput): Messages {
    return this.slice(0, -1).append(input)
  }

  /** With a system message at the end. */
  system(input: ContentInput<SystemPart>, options?: MessageOptions): Messages {
    return this.append(build.system(input, options))
  }

  /** With a developer message at the end. */
  developer(input: ContentInput<SystemPart>, options?: MessageOptions): Messages {
    return this.append(build.developer(input, options))
  }

  /** With a user message at the end. */
  user(input: ContentInput<UserPart>, options?: MessageOptions): Messages {
    return this.append(build.user(input, options))
  }

  /** With an answer at the end. */
  assistant(input: ContentInput<AssistantPart>, options?: AssistantOptions): Messages {
    return this.append(build.assistant(input, options))
  }

  /** With a round of tool results at the end. */
  toolResults(results: ToolPart | readonly ToolPart[], options?: MessageOptions): Messages {
    return this.append(build.toolResults(results, options))
  }

  /** What a function makes of each message, as an array. */
  map<T>(transform: (message: Message, index: number) => T): T[] {
    return this.toArray().map(transform)
  }

  /** The messages for which a test holds; the same value when it holds for all. */
  filter(test: (message: Message, index: number) => boolean): Messages {
    return this.#withMessages(this.toArray().filter(test))
  }

  /** All messages folded into one value. */
  reduce<T>(fold: (value: T, message: Message, index: number) => T, initial: T): T {
    return this.toArray().reduce(fold, initial)
  }

  /** A stretch of the conversation; positions as for arrays. */
  slice(start?: number, end?: number): Messages {
    return this.#withMessages(this.toArray().slice(start, end))
  }

  /** The same value when nothing changed, so that what hangs on it stays good. */
  #withMessages(messages: readonly Message[]): Messages {
    const same =
      messages.length === this.size && messages.every((each, index) => each === this.#buffer.items[index])
    return same ? this : Messages.#of(messages)
  }

  /** Only the messages of some roles. */
  byRoles(...roles: readonly Role[]): Messages {
    return this.filter(({ role }) => roles.includes(role))
  }

  /** All but the messages of some roles. */
  exceptRoles(...roles: readonly Role[]): Messages {
    return this.filter(({ role }) => !roles.includes(role))
  }

  /** The messages before the first that is not of these roles. */
  takeWhileRoles(...roles: readonly Role[]): Messages {
    return this.slice(0, operations.countLeading(this.toArray(), roles))
  }

  /** The messages from the first that is not of these roles. */
  dropWhileRoles(...roles: readonly Role[]): Messages {
    return this.slice(operations.countLeading(this.toArray(), roles))
  }

  /**
   * Roles exchanged for others; those without a new one stay.
   *
   * @example
   * messages.remapRoles({ system: 'developer' })
   */
  remapRoles(roles: { readonly [role in Role]?: Role }): Messages {
    return this.#withMessages(this.map((message) => withRole(message, roles[message.role] ?? message.role)))
  }

  /** The messages in reverse order. */
  reversed(): Messages {
    return this.#withMessages(this.toArray().toReversed())
  }

  /** Neighbours of one role as one message with the first one's id; rounds of tool results stay as they are. */
  mergeConsecutive(): Messages {
    return this.#withMessages(operations.mergeConsecutive(this.toArray()))
  }

  /** Results of one round told in several tool messages, as one message. */
  joinToolResults(): Messages {
    return this.#withMessages(operations.joinToolResults(this.toArray()))
  }

  /** Each tool result as a message of its own. */
  splitToolResults(): Messages {
    return this.#withMessages(operations.splitToolResults(this.toArray()))
  }

  /** Without the messages that say nothing. */
  withoutEmpty(): Messages {
    return this.filter((message) => !isEmptyMessage(message))
  }

  /** Whether no message says anything. */
  isEmpty(): boolean {
    return this.toArray().every(isEmptyMessage)
  }

  /** Returns true if every message is plain text; see {@link isPlainText}. */
  isPlainText(): boolean {
    return this.toArray().every(isPlainText)
  }

  /** The parts of all messages, in order. */
  parts(): Part[] {
    return this.toArray().flatMap((message): readonly Part[] => message.content)
  }

  /**
   * With one more field on the last part of the last message (`cache_control` becomes its `cache`);
   * what we have no field for is kept in `extra.unknown`.
   *
   * @example
   * messages.withPartField('cache', { ttl: 'long' })
   */
  withPartField(key: string, value: Json): Messages {
    const last = this.last()
    return last === undefined ? this : this.replaceLast(operations.setFieldOnLastPart(last, key, value))
  }

  /**
   * The conversation as text. A message that is more than plain text needs a renderer.
   *
   * @example
   * messages.toText({ render: (message) => `${message.role}: ${textOf(message)}` })
   */
  toText({ separator = '\n', render = requirePlainText }: ToTextOptions = {}): string {
    return this.map((message) => render(message)).join(separator)
  }
}
