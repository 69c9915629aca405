import { brand } from '../../wire/frozen-json.ts'
import { describeType, isEmptyObject, isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
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
  OPAQUE_MESSAGE_KEY,
} from '../model/part.ts'
import { messageShape } from '../shape/message.ts'
import { generateId, type IdentityOptions, createTimestamp } from './ids-and-timestamps.ts'
import { text } from './parts.ts'
import { readCanonicalValue, throwInvalid } from '../shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Options of the message builders. A missing id or time is created. */
export interface MessageOptions extends Partial<MessageBase>, IdentityOptions {}

/** Options of the {@link assistant} builder. */
export interface AssistantOptions
  extends MessageOptions, Pick<AssistantMessage, 'origin' | 'usage' | 'finish'> {}

/** The content that a builder accepts: text, a part, or a list of both. */
export type ContentInput<T extends Part = Part> = string | T | Iterable<string | T>

/**
 * Builds a message of any role. Built parts are used as they are; literals are checked and copied.
 *
 * @example
 * message('user', ['Look at this:', image('https://example.com/cat.png')])
 */
export function message(role: Role, input: ContentInput, options: AssistantOptions = {}): Message {
  return withTypedErrors(() => {
    if (typeof input === 'string' && TEXT_ROLES.has(role) && hasNoOptions(options))
      return createTextMessage(role, input)
    const { newId: _newId, now: _now, ...rest } = options
    const parts = toPartList(input)
    return readCanonicalValue(messageShape, {
      id: rest.id ?? generateId('msg', options),
      createdAt: createTimestamp(options),
      ...rest,
      role,
      content: parts.map((each) => (typeof each === 'string' ? text(each) : each)),
    })
  }, [role, input, options])
}

/** Returns true if a message gets a new id and the current time, and no other fields. */
function hasNoOptions(options: AssistantOptions): boolean {
  const { newId, now } = options // may be methods of a class
  return newId === undefined && now === undefined && isEmptyObject(options)
}

/** The roles of messages that can contain text. */
const TEXT_ROLES: ReadonlySet<Role> = new Set<Role>(['system', 'developer', 'user', 'assistant'])

/** Builds the message of a text. Its other fields are created here, so that none of them needs a check. */
function createTextMessage(role: Role, content: string): Message {
  const part = brand({ type: 'text', text: content } as const)
  const fields = { id: generateId('msg', {}), createdAt: createTimestamp({}), role }
  return brand({ ...fields, content: Object.freeze([part]) }) as Message
}

/** Returns the parts of an input; throws for one that is no content, before its place in a message hides what it was. */
function toPartList(input: ContentInput): readonly (string | Part)[] {
  const parts: readonly (string | Part)[] =
    typeof input === 'object' && input !== null && Symbol.iterator in input ? [...input] : [input]
  const index = parts.findIndex((part) => typeof part !== 'string' && !isObject(part))
  if (index === -1) return parts
  return throwInvalid(
    'invalid-type',
    child(child(undefined, 'content'), index),
    describeType(parts[index]),
    'text or a content part',
    "Pass text, or parts such as image('https://…'). For a number, pass String(value).",
  )
}

/**
 * Builds a system message: instructions to the model.
 *
 * @example
 * system('Answer in one sentence.')
 */
export function system(input: ContentInput<SystemPart>, options?: MessageOptions): SystemMessage {
  return message('system', input, options) as SystemMessage
}

/**
 * Builds a developer message: instructions of the application, which some providers separate.
 *
 * @example
 * developer('Prefer metric units.')
 */
export function developer(input: ContentInput<SystemPart>, options?: MessageOptions): SystemMessage {
  return message('developer', input, options) as SystemMessage
}

/**
 * Builds a user message.
 *
 * @example
 * user(['What is this?', image('https://example.com/cat.png')])
 */
export function user(input: ContentInput<UserPart>, options?: MessageOptions): UserMessage {
  return message('user', input, options) as UserMessage
}

/**
 * Builds an assistant message: text, reasoning and tool calls in the order of the model.
 *
 * @example
 * assistant(['Let me look.', toolCall({ name: 'weather', arguments: { city: 'Oslo' } })])
 */
export function assistant(input: ContentInput<AssistantPart>, options?: AssistantOptions): AssistantMessage {
  return message('assistant', input, options) as AssistantMessage
}

/**
 * Builds a tool message with the results of one round, one part for each call.
 *
 * @example
 * toolResults([toolResult('call_1', '4 °C'), toolResult('call_2', { wind: 'NW' })])
 */
export function toolResults(results: ToolPart | Iterable<ToolPart>, options?: MessageOptions): ToolMessage {
  return message('tool', results, options) as ToolMessage
}

/**
 * Builds a message from a wire message that the canonical model cannot represent: sent unchanged to its own dialect,
 * reported as a loss for others. Its role is that of the value if that is a canonical role, otherwise `user`. The tool
 * results that it contains answer their calls.
 *
 * @example
 * rawMessage('anthropic', { role: 'user', content: [{ type: 'brand_new_block' }] })
 */
export function rawMessage(dialect: string, value: Json, options?: MessageOptions): Message {
  return withTypedErrors(() => {
    const role = isObject(value) ? ROLES.find((each) => each === value['role']) : undefined
    const part = { type: 'opaque', dialect, value: { [OPAQUE_MESSAGE_KEY]: value } } as const
    return message(role ?? 'user', part, options)
  }, [dialect, value, options])
}
