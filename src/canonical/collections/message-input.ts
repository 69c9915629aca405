import { InterlinguaError } from '../../errors.ts'
import { isBranded } from '../../wire/frozen-json.ts'
import { isObject } from '../../wire/json.ts'
import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import { message } from '../build/messages.ts'
import { withRole } from '../update/message.ts'
import type { Message, Role } from '../model/message.ts'
import type { Part, PartType } from '../model/part.ts'
import { parseMessage } from '../parse/parse.ts'
import { throwInvalid } from '../shape/shape.ts'

/** Something that can be said as one message. */
export interface MessageConvertible {
  toMessage(): Message
}

/** Something that can be said as several messages. */
export interface MessagesConvertible {
  toMessages(): Iterable<Message>
}

/** What can be put into a conversation: text, a message, a part or parts, or anything that gives messages. */
export type MessageInput =
  | string
  | Message
  | Part
  | Iterable<string | Part>
  | MessageConvertible
  | MessagesConvertible

/** True for a message that a builder or parser made. */
export function isBrandedMessage(input: unknown): input is Message {
  return typeof input === 'object' && input !== null && 'role' in input && isBranded(input)
}

/** How to make messages of inputs: the role of what has none (by default what its parts ask for, else `user`). */
export interface InputOptions extends IdentityOptions {
  readonly role?: Role
}

/**
 * One message from an input; a list of texts or parts becomes one message of several parts. A given role is forced
 * upon whatever came.
 *
 * @example
 * toMessage('Be brief.', { role: 'system' })
 */
export function toMessage(input: MessageInput, options: InputOptions = {}): Message {
  const { role, ...identity } = options
  const made = convertToMessage(input, role, identity)
  return role === undefined ? made : withRole(made, role)
}

function convertToMessage(input: MessageInput, role: Role | undefined, identity: IdentityOptions): Message {
  if (isObject(input) && Object.hasOwn(input, 'role')) return parseMessage(input, identity)
  if (hasMethod(input, 'toMessage')) return parseMessage(input.toMessage(), identity)
  if (hasMethod(input, 'toMessages')) return requireSingle(toMessages(input, identity))
  if (typeof input === 'string' || isPartLike(input))
    return message(role ?? inferRole([input]), input, identity)
  if (isIterable(input)) {
    const content = [...input] as readonly (string | Part)[]
    return message(role ?? inferRole(content), content, identity)
  }
  return message(role ?? 'user', stringifyInput(input), identity)
}

function requireSingle(messages: readonly Message[]): Message {
  const [first, ...others] = messages
  if (first !== undefined && others.length === 0) return first
  return throwInvalid(
    'invalid-value',
    undefined,
    `${messages.length} messages`,
    'one message',
    'Use toMessages for several.',
  )
}

/**
 * The messages of an input, or of a list of inputs: there, each text is a message of its own, but a list that holds
 * parts is one message.
 *
 * @example
 * toMessages(['Hello', 'Hi']) // two messages of the user
 * toMessages(['Look:', image('https://example.com/cat.png')]) // one
 */
export function toMessages(
  input: MessageInput | Iterable<MessageInput>,
  options: InputOptions = {},
): readonly Message[] {
  if (typeof input === 'string') return [toMessage(input, options)]
  if (hasMethod(input, 'toMessages'))
    return Array.from(input.toMessages(), (each: Message) => toMessage(each, options))
  if (!isIterable(input)) return [toMessage(input, options)]
  const inputs = [...input]
  if (isPartList(inputs)) return [toMessage(inputs, options)]
  return inputs.flatMap((each) => toMessages(each, options))
}

/** The role that a part belongs to where nothing else tells it. */
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

/** The role whose messages hold such parts: calls and thoughts are an answer's, results a tool's. */
function inferRole(parts: readonly (string | Part)[]): Role {
  const roles = new Set(parts.map((part) => partRoles[typeof part === 'string' ? 'text' : part.type]))
  if (roles.has('assistant')) return 'assistant'
  return roles.has('tool') ? 'tool' : 'user'
}

/** A part is told by its `type`; whether it is a good one, the builder says. */
function isPartLike(input: unknown): input is Part {
  return isObject(input) && Object.hasOwn(input, 'type') && !Object.hasOwn(input, 'role')
}

/** Parts, perhaps with text between them; texts alone are messages of their own. */
function isPartList(inputs: readonly unknown[]): inputs is readonly (string | Part)[] {
  return inputs.some(isPartLike) && inputs.every((each) => typeof each === 'string' || isPartLike(each))
}

/** Anything else as text: what JSON makes of it. */
function stringifyInput(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (cause) {
    throw new InterlinguaError('not-json', 'The input is no message, and JSON cannot say it either', {
      cause,
    })
  }
}

function hasMethod<K extends string>(input: unknown, method: K): input is { [key in K]: () => never } {
  return isObject(input) && typeof input[method] === 'function'
}

function isIterable(input: unknown): input is Iterable<MessageInput> {
  return typeof input === 'object' && input !== null && Symbol.iterator in input
}
