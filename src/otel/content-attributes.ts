import type { Message } from '../canonical/model/message.ts'
import type { Part, ToolResultPart } from '../canonical/model/part.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Tool } from '../canonical/model/tool.ts'
import { isSystemRole } from '../canonical/read/type-guards.ts'
import { silentReporter } from '../formats/engine/format-loss-reporter.ts'
import { writeResponse } from '../formats/opentelemetry/tool-parts.ts'
import { writeMessages } from '../formats/opentelemetry/write.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import type { SpanAttributes } from './span-attributes.ts'

/** Returns the attributes of the input, as JSON text because span attributes cannot be objects. */
export function toInputAttributes({
  messages,
  tools,
}: Pick<ChatRequest, 'messages' | 'tools'>): SpanAttributes {
  const all = [...messages]
  const start = all.findIndex(({ role }) => !isSystemRole(role))
  const leading = start === -1 ? all : all.slice(0, start)
  return {
    ...(leading.length > 0 && {
      'gen_ai.system_instructions': JSON.stringify(toOtelMessages(leading).flatMap(({ parts }) => parts)),
    }),
    'gen_ai.input.messages': JSON.stringify(toOtelMessages(all.slice(leading.length))),
    ...(tools !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(tools.flatMap(toOtelTools)) }),
  }
}

/** Returns the attributes of the output. */
export function toOutputAttributes(messages: readonly Message[]): SpanAttributes {
  return { 'gen_ai.output.messages': JSON.stringify(toOtelMessages(messages)) }
}

/** Converts the content of a tool result. */
export function toToolResponse(result: ToolResultPart): Json {
  return writeResponse(withoutBytes(result), undefined, silentReporter)
}

function toOtelMessages(messages: readonly Message[]): readonly JsonObject[] {
  const placed = messages.map((message, index) => ({
    message: { ...message, content: message.content.map(withoutBytes) } as Message,
    path: child(undefined, index),
  }))
  return writeMessages(placed, silentReporter)
}

/** Removes the bytes of media, which are too large for a span. */
function withoutBytes<T extends Part>(part: T): T {
  if (part.type === 'tool-result') return { ...part, content: part.content.map(withoutBytes) }
  if (!('source' in part) || part.source.kind !== 'base64') return part
  return { ...part, source: { ...part.source, data: '' } }
}

function toOtelTools(tool: Tool): readonly JsonObject[] {
  if (tool.type === 'opaque') return []
  if (tool.type === 'provider') return [{ type: 'provider', name: tool.name }]
  const { type, name, description, input } = tool
  return [{ type, name, ...(description !== undefined && { description }), parameters: input }]
}
