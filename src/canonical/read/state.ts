import { equalJson } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { contentOfMessage } from './digest.ts'

/**
 * True for a part that says nothing: text or reasoning without a word and without anything attached to it.
 *
 * @example
 * isEmptyPart(text('')) // true
 */
export function isEmptyPart(part: Part): boolean {
  const wordless = (part.type === 'text' || part.type === 'reasoning') && part.text === ''
  return wordless && part.signature === undefined && !('citations' in part) && !('redacted' in part)
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
  const unmarked = message.metadata === undefined || Object.keys(message.metadata).length === 0
  return unmarked && isEmptyContent(message.content)
}

/**
 * True for content that a plain string cannot stand for: more than one part, or one that is not plain text.
 *
 * @example
 * isComposite(user('Hello')) // false
 * isComposite(user(['Look:', image('https://example.com/cat.png')])) // true
 */
export function isComposite(value: Message | readonly Part[]): boolean {
  const parts: readonly Part[] = 'role' in value ? value.content : value
  const [first] = parts
  if (first === undefined) return false
  return (
    parts.length > 1 ||
    Object.keys(first).some((key) => key !== 'type' && key !== 'text') ||
    first.type !== 'text'
  )
}

/**
 * Whether two messages say the same: role, name and parts, whatever their ids, times, metadata, usage, origin,
 * signatures, cache hints and what one wire format adds.
 *
 * @example
 * sameContent(user('Hello'), user('Hello')) // true, though their ids differ
 */
export function sameContent(a: Message, b: Message): boolean {
  return a === b || equalJson(contentOfMessage(a), contentOfMessage(b))
}
