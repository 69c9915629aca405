import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import type { Message } from '../model/message.ts'
import type { Part, ToolCallPart } from '../model/part.ts'
import type { ChatRequest } from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import { responseShape } from '../shape/request.ts'
import { readToolCall } from './tool-call.ts'
import { createLenientContext, readMessages, readRequest } from './lenient-reader.ts'

/** How to parse: where ids come from for what has none. */
export type ParseOptions = IdentityOptions

/**
 * A part from untrusted JSON: our own form, a string, or the shapes that others store (`image_url`, `input_audio`,
 * `file`, nested or flat). Unknown keys are kept in `extra.unknown`.
 *
 * @example
 * parsePart({ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } })
 */
export function parsePart(value: unknown, options: ParseOptions = {}): Part {
  const reading = createLenientContext(options)
  return reading.part(value, undefined, reading, {})
}

/**
 * A tool call from untrusted JSON: the function nested or flat, the arguments an object or text.
 *
 * @example
 * parseToolCall({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } })
 */
export function parseToolCall(value: unknown, options: ParseOptions = {}): ToolCallPart {
  return readToolCall(value, undefined, createLenientContext(options), {})
}

/**
 * A message from untrusted JSON: our own form, a string, a list of parts, or the shapes that others store
 * (`tool_calls`, `tool_call_id`, `_metadata`, `attachments`…).
 *
 * @example
 * parseMessage({ role: 'tool', tool_call_id: 'call_1', content: '4 °C' })
 */
export function parseMessage(value: unknown, options: ParseOptions = {}): Message {
  const reading = createLenientContext(options)
  return reading.message(value, undefined, reading, {})
}

/**
 * Messages from untrusted JSON: a list of them, an object with `messages`, or a single one.
 *
 * @example
 * parseMessages([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi!' }])
 */
export function parseMessages(value: unknown, options: ParseOptions = {}): readonly Message[] {
  return readMessages(value, undefined, createLenientContext(options))
}

/**
 * A request from untrusted JSON: our own form, with the usual snake_case names and a `system` text accepted.
 *
 * @example
 * parseRequest({ model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 })
 */
export function parseRequest(value: unknown, options: ParseOptions = {}): ChatRequest {
  return readRequest(value, undefined, createLenientContext(options))
}

/**
 * A response from untrusted JSON in our own form, its messages in any form that {@link parseMessage} takes.
 *
 * @example
 * parseResponse({ candidates: [{ role: 'assistant', content: 'Hi!' }] })
 */
export function parseResponse(value: unknown, options: ParseOptions = {}): ChatResponse {
  return responseShape.read(value, undefined, createLenientContext(options), {})
}
