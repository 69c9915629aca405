import { isEqualJson } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { contentOfMessage } from './content-digest.ts'
import { InterlinguaError } from '../../errors.ts'
import { textOf } from './message-content.ts'

/** How {@link Messages.toText} writes a conversation. */
export interface ToTextOptions {
  /** What stands between messages. Default: a line break. */
  readonly separator?: string
  /** How a message is written. Default: its text, which only plain messages have. */
  readonly render?: (message: Message) => string
}

/** The text of a message that is nothing else. */
export function requirePlainText(message: Message): string {
  if (isPlainText(message)) return textOf(message)
  throw new InterlinguaError('composite-message', 'A message holds more than plain text', {
    found: `a message of role ${message.role} that is not one plain text`,
    expected: 'messages of one plain text each',
    hint: 'Pass render, such as textOf, to say how such messages are written.',
  })
}

/**
 * True for a part that says nothing: text or reasoning without a word and without anything attached to it.
 *
 * @example
 * isEmptyPart(text('')) // true
 */
export function isEmptyPart(part: Part): boolean {
  const isTextless = (part.type === 'text' || part.type === 'reasoning') && part.text === ''
  return isTextless && part.signature === undefined && !('citations' in part) && !('redacted' in part)
}

/**
 * True for content without a part that says something.
 *
 * @example
 * isEmptyContent([text(''), text('')]) // true
 */
export function isEmptyContent(parts: readonly Part[]): boolean {
  return parts.every(isEmptyPart)
}

/**
 * True for a message without content and without metadata of the application.
 *
 * @example
 * isEmptyMessage(user('')) // true
 */
export function isEmptyMessage(message: Message): boolean {
  const hasNoMetadata = message.metadata === undefined || Object.keys(message.metadata).length === 0
  return hasNoMetadata && isEmptyContent(message.content)
}

/**
 * Returns true for content that a plain string can represent: no part, or a single text part without other fields.
 *
 * @example
 * isPlainText(user('Hello')) // true
 * isPlainText(user(['Look:', image('https://example.com/cat.png')])) // false
 */
export function isPlainText(value: Message | readonly Part[]): boolean {
  const parts: readonly Part[] = 'role' in value ? value.content : value
  const [first] = parts
  if (first === undefined) return true
  const hasOtherFields = Object.keys(first).some((key) => key !== 'type' && key !== 'text')
  return parts.length === 1 && first.type === 'text' && !hasOtherFields
}

/** Returns the opposite of {@link isPlainText}. */
export function isComposite(value: Message | readonly Part[]): boolean {
  return !isPlainText(value)
}

/**
 * Whether two messages say the same: role, name and parts, whatever their ids, times, metadata, usage, origin,
 * signatures, cache hints and what one wire format adds.
 *
 * @example
 * sameContent(user('Hello'), user('Hello')) // true, though their ids differ
 */
export function sameContent(a: Message, b: Message): boolean {
  return a === b || isEqualJson(contentOfMessage(a), contentOfMessage(b))
}
