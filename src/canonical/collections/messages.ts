import type { Json } from '../../wire/json.ts'
import * as build from '../build/messages.ts'
import type { AssistantOptions, ContentInput, MessageOptions } from '../build/messages.ts'
import { withRole } from '../update/message.ts'
import type { Message, MessageList, Role } from '../model/message.ts'
import type { AssistantPart, Part, SystemPart, ToolPart, UserPart } from '../model/part.ts'
import { isEmptyMessage, isPlainText, requirePlainText, type ToTextOptions } from '../read/content-checks.ts'
import { BufferedMessages, getMessageBuffer, MessageBuffer } from './message-buffer.ts'
import { type InputOptions, isBrandedMessage, type MessageInput, toMessages } from './message-input.ts'
import * as operations from './merge-and-split-messages.ts'

/**
 * An immutable conversation. Every operation returns a new value; appending copies no messages.
 *
 * @example
 * const messages = Messages.of()
 *   .system('Answer in one sentence.')
 *   .user('Why is the sky blue?')
 *   .assistant('Because air scatters blue light most.')
 * messages.size // 3
 */
export class Messages extends BufferedMessages implements MessageList {
  private constructor(buffer: MessageBuffer, size: number) {
    super(buffer, size)
  }

  /** Creates a conversation of the given inputs: `Messages.of('Hello', assistant('Hi!'))`. */
  static of(...inputs: readonly MessageInput[]): Messages {
    return Messages.#of([]).append(...inputs)
  }

  /** Creates a conversation from one input or several; a `Messages` is returned as it is. */
  static from(input: MessageInput | Iterable<MessageInput>, options?: InputOptions): Messages {
    if (input instanceof Messages && options?.role === undefined) return input
    if (Array.isArray(input) && options?.role === undefined && input.every(isBrandedMessage))
      return Messages.#of(input)
    return Messages.#of(toMessages(input, options))
  }

  static #of(messages: readonly Message[]): Messages {
    return new Messages(new MessageBuffer([...messages]), messages.length)
  }

  /** Iterates over the messages in order. */
  *[Symbol.iterator](): Generator<Message, void, undefined> {
    for (let index = 0; index < this.size; index++) yield getMessageBuffer(this).items[index] as Message
  }

  /** Returns the messages as a new array. */
  toArray(): Message[] {
    return getMessageBuffer(this).items.slice(0, this.size)
  }

  /** Returns the array of messages, for `JSON.stringify`. */
  toJSON(): Message[] {
    return this.toArray()
  }

  /** Returns this conversation, so that it is accepted wherever an input is converted to messages. */
  toMessages(): Messages {
    return this
  }

  /** Returns the message at a position; a negative position counts from the end. */
  at(index: number): Message | undefined {
    const position = index < 0 ? this.size + index : index
    return position < this.size ? getMessageBuffer(this).items[position] : undefined
  }

  /** Returns the first message; undefined if none exists. */
  first(): Message | undefined {
    return this.at(0)
  }

  /** Returns the last message; undefined if none exists. */
  last(): Message | undefined {
    return this.at(-1)
  }

  /** Returns the message with an id; undefined if none exists. */
  get(id: string): Message | undefined {
    const position = this.#positionOf(id)
    return position === undefined ? undefined : getMessageBuffer(this).items[position]
  }

  /** Returns true if a message has the id. */
  has(id: string): boolean {
    return this.#positionOf(id) !== undefined
  }

  #positionOf(id: string): number | undefined {
    const position = getMessageBuffer(this).positionOf(id)
    return position !== undefined && position < this.size ? position : undefined
  }

  /**
   * Replaces the message with an id.
   *
   * @example
   * messages.replace(id, (message) => updateMessage(message, { name: 'Ada' }))
   */
  replace(id: string, by: MessageInput | ((message: Message) => MessageInput)): Messages {
    const old = this.get(id)
    if (old === undefined) throw operations.createUnknownIdError()
    const messages = toMessages(typeof by === 'function' ? by(old) : by)
    return this.#withMessages(this.toArray().toSpliced(this.#positionOf(id) ?? 0, 1, ...messages))
  }

  /** Removes the message with an id; returns the same value if none exists. */
  remove(id: string): Messages {
    const position = this.#positionOf(id)
    return position === undefined ? this : Messages.#of(this.toArray().toSpliced(position, 1))
  }

  /**
   * Appends messages.
   *
   * @example
   * messages.append('Thanks!', assistant('You are welcome.'))
   */
  append(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Messages {
    const added = inputs.every(isBrandedMessage) ? inputs : inputs.flatMap((input) => toMessages(input))
    if (added.length === 0) return this
    return new Messages(getMessageBuffer(this).extend(this.size, added), this.size + added.length)
  }

  /** Adds messages at the beginning. */
  prepend(...inputs: readonly (MessageInput | Iterable<MessageInput>)[]): Messages {
    return Messages.#of([...inputs.flatMap((input) => toMessages(input)), ...this])
  }

  /** Replaces the last message, or appends one if none exists. */
  replaceLast(input: MessageInput): Messages {
    return this.slice(0, -1).append(input)
  }

  /** Appends a system message. */
  system(input: ContentInput<SystemPart>, options?: MessageOptions): Messages {
    return this.append(build.system(input, options))
  }

  /** Appends a developer message. */
  developer(input: ContentInput<SystemPart>, options?: MessageOptions): Messages {
    return this.append(build.developer(input, options))
  }

  /** Appends a user message. */
  user(input: ContentInput<UserPart>, options?: MessageOptions): Messages {
    return this.append(build.user(input, options))
  }

  /** Appends an assistant message. */
  assistant(input: ContentInput<AssistantPart>, options?: AssistantOptions): Messages {
    return this.append(build.assistant(input, options))
  }

  /** Appends a tool message with the results of one round. */
  toolResults(results: ToolPart | readonly ToolPart[], options?: MessageOptions): Messages {
    return this.append(build.toolResults(results, options))
  }

  /** Returns the result of a function for each message, as an array. */
  map<T>(transform: (message: Message, index: number) => T): T[] {
    return this.toArray().map(transform)
  }

  /** Returns the messages that pass a test; the same value if all do. */
  filter(test: (message: Message, index: number) => boolean): Messages {
    return this.#withMessages(this.toArray().filter(test))
  }

  /** Folds all messages into one value. */
  reduce<T>(fold: (value: T, message: Message, index: number) => T, initial: T): T {
    return this.toArray().reduce(fold, initial)
  }

  /** Returns the messages from `start` to `end`; positions are those of `Array.slice`. */
  slice(start?: number, end?: number): Messages {
    return this.#withMessages(this.toArray().slice(start, end))
  }

  /** Returns the same value if nothing changed, so that what is cached for it stays valid. */
  #withMessages(messages: readonly Message[]): Messages {
    const same =
      messages.length === this.size &&
      messages.every((each, index) => each === getMessageBuffer(this).items[index])
    return same ? this : Messages.#of(messages)
  }

  /** Returns the messages that have one of the roles. */
  byRoles(...roles: readonly Role[]): Messages {
    return this.filter(({ role }) => roles.includes(role))
  }

  /** Returns the messages that have none of the roles. */
  exceptRoles(...roles: readonly Role[]): Messages {
    return this.filter(({ role }) => !roles.includes(role))
  }

  /** Returns the messages before the first one with another role. */
  takeWhileRoles(...roles: readonly Role[]): Messages {
    return this.slice(0, operations.countLeadingMessages(this.toArray(), roles))
  }

  /** Returns the messages from the first one with another role. */
  dropWhileRoles(...roles: readonly Role[]): Messages {
    return this.slice(operations.countLeadingMessages(this.toArray(), roles))
  }

  /**
   * Replaces roles by others; roles that are not listed stay.
   *
   * @example
   * messages.remapRoles({ system: 'developer' })
   */
  remapRoles(roles: { readonly [role in Role]?: Role }): Messages {
    return this.#withMessages(this.map((message) => withRole(message, roles[message.role] ?? message.role)))
  }

  /** Returns the messages in reverse order. */
  reversed(): Messages {
    return this.#withMessages(this.toArray().toReversed())
  }

  /** Merges consecutive messages of one role, except tool messages, into one with the id of the first. */
  mergeConsecutive(): Messages {
    return this.#withMessages(operations.mergeConsecutiveMessages(this.toArray(), (role) => role !== 'tool'))
  }

  /** Merges consecutive tool messages into one message per round. */
  joinToolResults(): Messages {
    return this.#withMessages(operations.mergeConsecutiveMessages(this.toArray(), (role) => role === 'tool'))
  }

  /** Splits tool messages into one message per result. */
  splitToolResults(): Messages {
    return this.#withMessages(operations.splitToolResults(this.toArray()))
  }

  /** Returns the messages that are not empty. */
  withoutEmpty(): Messages {
    return this.filter((message) => !isEmptyMessage(message))
  }

  /** Returns true if every message is empty; see {@link isEmptyMessage}. */
  isEmpty(): boolean {
    return this.toArray().every(isEmptyMessage)
  }

  /** Returns true if every message is plain text; see {@link isPlainText}. */
  isPlainText(): boolean {
    return this.toArray().every(isPlainText)
  }

  /** Returns the parts of all messages, in order. */
  parts(): Part[] {
    return this.toArray().flatMap((message): readonly Part[] => message.content)
  }

  /**
   * Sets a field on the last part of the last message; an unknown field goes to `extra.unknown`.
   *
   * @example
   * messages.withPartField('cache', { ttl: 'long' })
   */
  withPartField(key: string, value: Json): Messages {
    const last = this.last()
    return last === undefined ? this : this.replaceLast(operations.setFieldOnLastPart(last, key, value))
  }

  /**
   * Returns the conversation as text. A message that is not plain text needs the option `render`.
   *
   * @example
   * messages.toText({ render: (message) => `${message.role}: ${textOf(message)}` })
   */
  toText({ separator = '\n', render = requirePlainText }: ToTextOptions = {}): string {
    return this.map((message) => render(message)).join(separator)
  }
}
