import type { Message } from '../model/message.ts'
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from '../model/part.ts'
import { withTypedErrors } from '../../wire/internal-error.ts'

/** Returns true for a tool call that the application runs, not the provider. */
export function isApplicationCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.executedBy === undefined
}

/** Returns true for an image, audio, video or file part: only they have a source. */
export function isMediaPart(part: Part): part is MediaPart {
  return 'source' in part
}

/** Returns the text of a part. Reasoning, refusals, calls and media without text have none. */
function textOfPart(part: Part, separator: string): string {
  if (isMediaPart(part)) return part.source.kind === 'text' ? part.source.text : ''
  switch (part.type) {
    case 'text':
      return part.text
    case 'json':
      return JSON.stringify(part.value)
    case 'tool-result':
      return joinText(part.content, separator)
    case 'reasoning':
    case 'refusal':
    case 'tool-call':
    case 'opaque':
      return ''
  }
}

function joinText(parts: readonly Part[], separator: string): string {
  const texts = parts.map((part) => textOfPart(part, separator))
  return texts.filter((text) => text !== '').join(separator)
}

/**
 * Returns the visible text of a message, a part or parts, in order, without reasoning and refusals. The texts
 * of a model are contiguous, so they are joined without a separator unless one is given.
 *
 * @example
 * textOf(assistant(['Hello', ' ', 'world'])) // 'Hello world'
 */
export function textOf(value: Message | Part | Iterable<Part>, separator = ''): string {
  return withTypedErrors(() => {
    if ('role' in value) return joinText(value.content, separator)
    return 'type' in value ? textOfPart(value, separator) : joinText([...value], separator)
  })
}

/**
 * Returns the readable reasoning of a message.
 *
 * @example
 * reasoningOf(assistant([reasoning('Two plus two…'), 'Four.'])) // 'Two plus two…'
 */
export function reasoningOf(message: Message): string {
  return withTypedErrors(() =>
    message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
  )
}

/**
 * Returns the tool calls of a message, in order.
 *
 * @example
 * for (const call of toolCallsOf(message)) console.log(call.name, call.arguments)
 */
export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  return withTypedErrors(() =>
    (message.content as readonly Part[]).filter((part) => part.type === 'tool-call'),
  )
}

/**
 * Returns the tool results of a message, in order.
 *
 * @example
 * toolResultsOf(toolResults(toolResult('call_1', 'done'))).length // 1
 */
export function toolResultsOf(message: Message): readonly ToolResultPart[] {
  return withTypedErrors(() =>
    (message.content as readonly Part[]).filter((part) => part.type === 'tool-result'),
  )
}

/** The kind of a message, by its parts. */
export type MessageKind = 'text' | 'tool-calls' | 'tool-results'

/**
 * Returns the kind of a message: it calls tools, contains tool results, or neither.
 *
 * @example
 * messageKind(user('Hello')) // 'text'
 */
export function messageKind(message: Message): MessageKind {
  return withTypedErrors(() => {
    if (message.role === 'assistant' && toolCallsOf(message).length > 0) return 'tool-calls'
    if (message.role === 'tool' && toolResultsOf(message).length > 0) return 'tool-results'
    return 'text'
  })
}

/**
 * Returns a tool call as one line of text, for people.
 *
 * @example
 * describeCall(toolCall({ name: 'search', arguments: { q: 'cats', limit: 3 } })) // 'search(q=cats, limit=3)'
 */
export function describeCall(call: ToolCallPart): string {
  return withTypedErrors(() => {
    if (call.invalidArguments !== undefined) return `${call.name}(${call.invalidArguments})`
    const values = Object.entries(call.arguments ?? {}).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    return `${call.name}(${values.join(', ')})`
  })
}
