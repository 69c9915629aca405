import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import type { Message } from '../model/message.ts'
import type { Part, ToolCallPart } from '../model/part.ts'
import type { ChatRequest } from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import { responseShape } from '../shape/request.ts'
import { readToolCall } from './tool-call.ts'
import { createLenientContext, readMessages, readRequest } from './lenient-reader.ts'

/** Options of the parsers: the source of ids for values without one. */
export type ParseOptions = IdentityOptions

/**
 * Parses a part from untrusted JSON: the canonical form, a string, or the forms of other formats
 * (`image_url`, `input_audio`, `file`, nested or flat). Unknown keys are kept in `extra.unknown`.
 *
 * @example
 * parsePart({ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } })
 */
export function parsePart(value: unknown, options: ParseOptions = {}): Part {
  const context = createLenientContext(options)
  return context.reader.part(value, undefined, context)
}

/**
 * Parses a tool call from untrusted JSON: the function nested or flat, the arguments an object or text.
 *
 * @example
 * parseToolCall({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } })
 */
export function parseToolCall(value: unknown, options: ParseOptions = {}): ToolCallPart {
  return readToolCall(value, undefined, createLenientContext(options))
}

/**
 * Parses a message from untrusted JSON: the canonical form, a string, a list of parts, or the forms of other
 * formats (`tool_calls`, `tool_call_id`, `_metadata`, `attachments`…).
 *
 * @example
 * parseMessage({ role: 'tool', tool_call_id: 'call_1', content: '4 °C' })
 */
export function parseMessage(value: unknown, options: ParseOptions = {}): Message {
  const context = createLenientContext(options)
  return context.reader.message(value, undefined, context)
}

/**
 * Parses messages from untrusted JSON: a list, an object with `messages`, or a single message.
 *
 * @example
 * parseMessages([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi!' }])
 */
export function parseMessages(value: unknown, options: ParseOptions = {}): readonly Message[] {
  return readMessages(value, undefined, createLenientContext(options))
}

/**
 * Parses a request from untrusted JSON in canonical form; common snake_case names and a `system` text are
 * accepted.
 *
 * @example
 * parseRequest({ model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 })
 */
export function parseRequest(value: unknown, options: ParseOptions = {}): ChatRequest {
  return readRequest(value, undefined, createLenientContext(options))
}

/**
 * Parses a response from untrusted JSON in canonical form; its messages may have any form that {@link
 * parseMessage} accepts.
 *
 * @example
 * parseResponse({ candidates: [{ role: 'assistant', content: 'Hi!' }] })
 */
export function parseResponse(value: unknown, options: ParseOptions = {}): ChatResponse {
  return responseShape.read(value, undefined, createLenientContext(options))
}
