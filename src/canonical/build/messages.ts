import type { Json } from '../../wire/json.ts'
import { isObject } from '../../wire/json.ts'
import {
  type AssistantMessage,
  type Message,
  type MessageBase,
  type Role,
  ROLES,
  type SystemMessage,
  type ToolMessage,
  type UserMessage,
} from '../model/message.ts'
import {
  type AssistantPart,
  type Part,
  type SystemPart,
  type ToolPart,
  type UserPart,
  WIRE_MESSAGE_KEY,
} from '../model/part.ts'
import { messageShape } from '../shape/message.ts'
import { readStrictly } from '../shape/strict-reader.ts'
import { generateId, type IdentityOptions, createTimestamp } from './ids-and-timestamps.ts'
import { text } from './parts.ts'

/** What every message builder takes beside the content; id and time are made when they are not given. */
export interface MessageOptions extends Partial<MessageBase>, IdentityOptions {}

/** What the {@link assistant} builder takes beside the content. */
export interface AssistantOptions
  extends MessageOptions, Pick<AssistantMessage, 'origin' | 'usage' | 'finish'> {}

/** Content as a builder takes it: text, a part, or several of both. */
export type ContentInput<T extends Part = Part> = string | T | Iterable<string | T>

/**
 * A message of any role. Built parts are taken as they are; literals are checked and copied.
 *
 * @example
 * message('user', ['Look at this:', image('https://example.com/cat.png')])
 */
export function message(role: Role, input: ContentInput, options: AssistantOptions = {}): Message {
  const { newId, now, ...rest } = options
  const identity = { ...(newId && { newId }), ...(now && { now }) }
  return readStrictly(messageShape, {
    id: rest.id ?? generateId('msg', identity),
    createdAt: createTimestamp(identity),
    ...rest,
    role,
    content: toContentList(input).map((each) => (typeof each === 'string' ? text(each) : each)),
  })
}

/**
 * Instructions to the model.
 *
 * @example
 * system('Answer in one sentence.')
 */
export function system(input: ContentInput<SystemPart>, options?: MessageOptions): SystemMessage {
  return message('system', input, options) as SystemMessage
}

/**
 * Instructions of the application's developer, where a provider tells them from the system's.
 *
 * @example
 * developer('Prefer metric units.')
 */
export function developer(input: ContentInput<SystemPart>, options?: MessageOptions): SystemMessage {
  return message('developer', input, options) as SystemMessage
}

/**
 * What the user says.
 *
 * @example
 * user(['What is this?', image('https://example.com/cat.png')])
 */
export function user(input: ContentInput<UserPart>, options?: MessageOptions): UserMessage {
  return message('user', input, options) as UserMessage
}

/**
 * What a model answered: text, reasoning and calls in their order.
 *
 * @example
 * assistant(['Let me look.', toolCall({ name: 'weather', arguments: { city: 'Oslo' } })])
 */
export function assistant(input: ContentInput<AssistantPart>, options?: AssistantOptions): AssistantMessage {
  return message('assistant', input, options) as AssistantMessage
}

/**
 * One round of tool results: one message, whatever the number of calls it answers.
 *
 * @example
 * toolResults([toolResult('call_1', '4 °C'), toolResult('call_2', { wind: 'NW' })])
 */
export function toolResults(results: ToolPart | Iterable<ToolPart>, options?: MessageOptions): ToolMessage {
  return message('tool', results, options) as ToolMessage
}

/**
 * A message in a provider's own shape, for what the canonical model cannot say: it goes out untouched to that dialect,
 * and is a reported loss elsewhere. Its role is the value's own, if that is one of ours, else `user`.
 *
 * @example
 * rawMessage('anthropic', { role: 'user', content: [{ type: 'brand_new_block' }] })
 */
export function rawMessage(dialect: string, value: Json, options?: MessageOptions): Message {
  const givenRole = isObject(value) ? ROLES.find((role) => role === value['role']) : undefined
  return message(
    givenRole ?? 'user',
    { type: 'opaque', dialect, value: { [WIRE_MESSAGE_KEY]: value } },
    options,
  )
}

function toContentList<T extends Part>(input: ContentInput<T>): readonly (string | T)[] {
  return typeof input === 'object' && Symbol.iterator in input ? [...input] : [input]
}
