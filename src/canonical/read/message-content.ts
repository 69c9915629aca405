import type { Message } from '../model/message.ts'
import {
  type MediaPart,
  OPAQUE_MESSAGE_KEY,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../model/part.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { child } from '../../wire/json-pointer.ts'
import { throwWrongType } from '../shape/shape.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** Read the id of the call from an object that is, or contains, a result in a wire format. */
const callIdReaders: readonly ((value: JsonObject) => Json | undefined)[] = [
  (value) => value['tool_use_id'],
  (value) => value['tool_call_id'],
  ({ type, call_id: id }) =>
    typeof type === 'string' && /_output$|^function_result$/.test(type) ? id : undefined,
  ({ functionResponse: result }) => (isObject(result) ? result['id'] : undefined),
  ({ toolResult: result }) => (isObject(result) ? result['toolUseId'] : undefined),
  ({ function_response: result }) => (isObject(result) ? result['id'] : undefined),
]

const NO_RESULTS: readonly ToolResultPart[] = []

/**
 * Returns the results in a raw message, without their content: the calls that they answer need no other result. Of a
 * dialect, if one is given.
 */
export function listRawResults(message: Message, dialect?: string): readonly ToolResultPart[] {
  const { role, content } = message
  const only: Part | undefined = content[0]
  if (role === 'assistant' || content.length !== 1 || only?.type !== 'opaque') return NO_RESULTS
  if (!isObject(only.value) || (dialect !== undefined && only.dialect !== dialect)) return NO_RESULTS
  const wire = getOwnValue(only.value, OPAQUE_MESSAGE_KEY)
  return listObjects(wire as Json).flatMap((value) =>
    callIdReaders.flatMap((read): readonly ToolResultPart[] => {
      const callId = read(value)
      return typeof callId === 'string' ? [{ type: 'tool-result', callId, content: [] }] : []
    }),
  )
}

/** Returns a message, and the parts or blocks that it contains. */
function listObjects(wire: Json | undefined): readonly JsonObject[] {
  if (!isObject(wire)) return []
  const parts = [wire['content'], wire['parts']].flatMap((list) => (Array.isArray(list) ? list : []))
  return [wire, ...parts.filter((part): part is JsonObject => isObject(part))]
}

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

/** Returns the parts of a message; throws for an object without parts. */
export function getContent(message: Message): readonly Part[] {
  const content: unknown = message.content
  return Array.isArray(content)
    ? message.content
    : throwWrongType(content, child(undefined, 'content'), 'a list of parts')
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
    if ('role' in value) return joinText(getContent(value), separator)
    return 'type' in value ? textOfPart(value, separator) : joinText([...value], separator)
  }, [value, separator])
}

/**
 * Returns the readable reasoning of a message.
 *
 * @example
 * reasoningOf(assistant([reasoning('Two plus two…'), 'Four.'])) // 'Two plus two…'
 */
export function reasoningOf(message: Message): string {
  return withTypedErrors(
    () =>
      getContent(message)
        .map((part) => (part.type === 'reasoning' ? part.text : ''))
        .join(''),
    [message],
  )
}

/**
 * Returns the tool calls of a message, in order.
 *
 * @example
 * for (const call of toolCallsOf(message)) console.log(call.name, call.arguments)
 */
export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  return withTypedErrors(() => getContent(message).filter((part) => part.type === 'tool-call'), [message])
}

/**
 * Returns the tool results of a message, in order.
 *
 * @example
 * toolResultsOf(toolResults(toolResult('call_1', 'done'))).length // 1
 */
export function toolResultsOf(message: Message): readonly ToolResultPart[] {
  return withTypedErrors(() => getContent(message).filter((part) => part.type === 'tool-result'), [message])
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
  }, [message])
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
  }, [call])
}
