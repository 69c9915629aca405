import { InterlinguaError } from '../../errors.ts'
import { isBranded } from '../../wire/frozen-json.ts'
import { describeType, isObject } from '../../wire/json.ts'
import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import { message } from '../build/messages.ts'
import { withRole } from '../update/message.ts'
import type { Message, Role } from '../model/message.ts'
import type { Part, PartType } from '../model/part.ts'
import { parseMessage } from '../parse/parse.ts'
import { child } from '../../wire/json-pointer.ts'
import { throwInvalid, throwWrongType } from '../shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** An object that can be converted to one message. */
export interface MessageConvertible {
  toMessage(): Message
}

/** An object that can be converted to messages. */
export interface MessagesConvertible {
  toMessages(): Iterable<Message>
}

/** Input that can be added to a conversation: text, a message, a part or parts, or an object that converts to messages. */
export type MessageInput =
  | string
  | Message
  | Part
  | Iterable<string | Part>
  | MessageConvertible
  | MessagesConvertible

/** Returns true for a message of a builder or parser. */
export function isBrandedMessage(input: unknown): input is Message {
  return typeof input === 'object' && input !== null && 'role' in input && isBranded(input)
}

/** Options of {@link toMessage}: the role of the message. Default: the role of its parts, otherwise `user`. */
export interface InputOptions extends IdentityOptions {
  readonly role?: Role
}

/**
 * Converts an input, even a list of texts or parts, to one message. A given role replaces that of the input.
 *
 * @example
 * toMessage('Be brief.', { role: 'system' })
 */
export function toMessage(input: MessageInput, options: InputOptions = {}): Message {
  return withTypedErrors(() => {
    const { role, ...identity } = options
    const converted = convertToMessage(input, role, identity)
    return role === undefined ? converted : withRole(converted, role)
  }, [input, options])
}

function convertToMessage(input: MessageInput, role: Role | undefined, identity: IdentityOptions): Message {
  if (isObject(input) && Object.hasOwn(input, 'role')) return parseMessage(input, identity)
  if (hasMethod(input, 'toMessage')) return parseMessage(input.toMessage(), identity)
  if (hasMethod(input, 'toMessages')) return requireSingle(toMessages(input, identity))
  const isSingle = typeof input === 'string' || isPartLike(input)
  if (!isSingle && !isIterable(input)) return message(role ?? 'user', stringifyInput(input), identity)
  const content = isSingle ? [input] : ([...input] as readonly (string | Part)[])
  for (const [index, part] of content.entries())
    if (typeof part !== 'string' && !isObject(part))
      throwWrongType(part, child(undefined, index), 'a text or a part')
  return message(role ?? inferRole(content), content, identity)
}

function requireSingle(messages: readonly Message[]): Message {
  const [first] = messages
  if (first !== undefined && messages.length === 1) return first
  const hint = 'Use toMessages for several messages.'
  return throwInvalid('invalid-value', undefined, `${messages.length} messages`, 'one message', hint)
}

/**
 * Converts an input or a list of inputs to messages. In a list, each text becomes a message, but a list that
 * contains parts becomes one message.
 *
 * @example
 * toMessages(['Hello', 'Hi']) // two user messages
 * toMessages(['Look:', image('https://example.com/cat.png')]) // one
 */
export function toMessages(
  input: MessageInput | Iterable<MessageInput>,
  options: InputOptions = {},
): readonly Message[] {
  return withTypedErrors(() => convertToMessages(input, options, 0), [input, options])
}

/** The deepest nesting of lists of inputs; a list that contains itself has no end. */
const MAX_LIST_DEPTH = 100

function convertToMessages(
  input: MessageInput | Iterable<MessageInput>,
  options: InputOptions,
  depth: number,
): readonly Message[] {
  if (typeof input === 'string') return [toMessage(input, options)]
  if (hasMethod(input, 'toMessages'))
    return Array.from(input.toMessages(), (each: Message) => toMessage(each, options))
  if (!isIterable(input)) return [toMessage(input, options)]
  if (depth === MAX_LIST_DEPTH)
    throwInvalid('too-deep', undefined, 'lists in lists', `at most ${MAX_LIST_DEPTH} lists in each other`)
  const inputs = [...input]
  if (isPartList(inputs)) return [toMessage(inputs, options)]
  return inputs.flatMap((each) => convertToMessages(each, options, depth + 1))
}

/** The role of a part that is not in a message. */
const partRoles: { readonly [type in PartType]: 'user' | 'assistant' | 'tool' } = {
  text: 'user',
  image: 'user',
  audio: 'user',
  video: 'user',
  file: 'user',
  json: 'user',
  opaque: 'user',
  reasoning: 'assistant',
  refusal: 'assistant',
  'tool-call': 'assistant',
  'tool-result': 'tool',
}

/** Returns the role of a message with these parts. */
function inferRole(parts: readonly (string | Part)[]): Role {
  const roles = new Set(parts.map((part) => partRoles[typeof part === 'string' ? 'text' : part.type]))
  if (roles.has('assistant')) return 'assistant'
  return roles.has('tool') ? 'tool' : 'user'
}

/** Returns true for an object with a `type`; the builder checks the rest. */
function isPartLike(input: unknown): input is Part {
  return isObject(input) && Object.hasOwn(input, 'type') && !Object.hasOwn(input, 'role')
}

/** Returns true for parts, with or without text between them. Texts alone are messages. */
function isPartList(inputs: readonly unknown[]): inputs is readonly (string | Part)[] {
  return inputs.some(isPartLike) && inputs.every((each) => typeof each === 'string' || isPartLike(each))
}

/** Returns any other input as JSON text. What has none, such as a missing variable, is no message. */
function stringifyInput(value: unknown): string {
  const text = withJsonErrors(() => JSON.stringify(value) as string | undefined)
  return (
    text ??
    throwInvalid('invalid-type', undefined, describeType(value), 'a message, text or a part', INPUT_HINT)
  )
}

const INPUT_HINT = 'Check the variable: pass the text of a message, a message, or an empty list for none.'

function withJsonErrors<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    const message = 'The input is not a message and cannot be written as JSON'
    throw new InterlinguaError('not-json', message, { cause })
  }
}

function hasMethod<K extends string>(input: unknown, method: K): input is { [key in K]: () => never } {
  return isObject(input) && typeof input[method] === 'function'
}

function isIterable(input: unknown): input is Iterable<MessageInput> {
  return typeof input === 'object' && input !== null && Symbol.iterator in input
}
