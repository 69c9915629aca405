import { isEqualJson } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { toComparableContent } from './content-digest.ts'
import { InterlinguaError } from '../../errors.ts'
import { getContent, textOf } from './message-content.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { checkIterable } from '../shape/shape.ts'

/** Options of {@link Messages.toText}. */
export interface ToTextOptions {
  /** The text between messages. Default: a line break. */
  readonly separator?: string
  /** Returns the text of a message. Default: its plain text; other messages are an error. */
  readonly render?: (message: Message) => string
}

/** Returns the text of a plain text message, or throws. */
export function requirePlainText(message: Message): string {
  if (isPlainText(message)) return textOf(message)
  const problem = 'The conversation cannot be written as text: a message contains more than plain text'
  throw new InterlinguaError('composite-message', problem, {
    found: `a message of role ${message.role} that is not plain text`,
    expected: 'plain text messages',
    hint: 'Pass the option render, such as textOf, to define the text of such messages.',
  })
}

/**
 * Returns true for an empty part: text or reasoning without text, signature, citations or redacted content.
 *
 * @example
 * isEmptyPart(text('')) // true
 */
export function isEmptyPart(part: Part): boolean {
  return withTypedErrors(() => {
    const isTextless = (part.type === 'text' || part.type === 'reasoning') && part.text === ''
    return isTextless && part.signature === undefined && !('citations' in part) && !('redacted' in part)
  }, [part])
}

/**
 * Returns true if all parts are empty; see {@link isEmptyPart}.
 *
 * @example
 * isEmptyContent([text(''), text('')]) // true
 */
export function isEmptyContent(parts: readonly Part[]): boolean {
  return withTypedErrors(() => [...checkIterable(parts, 'a list of parts')].every(isEmptyPart), [parts])
}

/**
 * Returns true for a message with empty content and without metadata.
 *
 * @example
 * isEmptyMessage(user('')) // true
 */
export function isEmptyMessage(message: Message): boolean {
  return withTypedErrors(() => {
    const hasNoMetadata = message.metadata === undefined || Object.keys(message.metadata).length === 0
    return hasNoMetadata && isEmptyContent(getContent(message))
  }, [message])
}

/**
 * Returns true for content that a plain string can represent: no part, or a single text part without other fields.
 *
 * @example
 * isPlainText(user('Hello')) // true
 * isPlainText(user(['Look:', image('https://example.com/cat.png')])) // false
 */
export function isPlainText(value: Message | readonly Part[]): boolean {
  return withTypedErrors(() => {
    const parts: readonly Part[] =
      'role' in value ? getContent(value) : checkIterable(value, 'a message or its parts')
    const [first] = parts
    if (first === undefined) return true
    const hasOtherFields = Object.keys(first).some((key) => key !== 'type' && key !== 'text')
    return parts.length === 1 && first.type === 'text' && !hasOtherFields
  }, [value])
}

/**
 * Returns true if two messages have the same role, name and parts. Ids, times, metadata, usage, origin,
 * signatures, cache markers and residue are ignored.
 *
 * @example
 * sameContent(user('Hello'), user('Hello')) // true, although their ids differ
 */
export function sameContent(a: Message, b: Message): boolean {
  return withTypedErrors(() => a === b || isEqualJson(toComparableContent(a), toComparableContent(b)), [a, b])
}
