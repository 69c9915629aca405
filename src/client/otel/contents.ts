import type { Message } from '../../canonical/model/message.ts'
import type { MediaPart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isSystemRole } from '../../canonical/read/guards.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Attributes } from './attributes.ts'

/** What was said to the model, as JSON text: the attributes of a span hold no structures. */
export function inputAttributes({ messages, tools }: ChatRequest): Attributes {
  const all = [...messages]
  const start = all.findIndex(({ role }) => !isSystemRole(role))
  const leading = start === -1 ? all : all.slice(0, start)
  return {
    ...(leading.length > 0 && {
      'gen_ai.system_instructions': JSON.stringify(leading.flatMap((message) => partsOf(message))),
    }),
    'gen_ai.input.messages': JSON.stringify(all.slice(leading.length).map(messageOf)),
    ...(tools !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(tools.flatMap(toolOf)) }),
  }
}

/** What the model said. */
export function outputAttributes({ candidates }: ChatResponse): Attributes {
  return { 'gen_ai.output.messages': JSON.stringify(candidates.map(messageOf)) }
}

function messageOf(message: Message): JsonObject {
  const { role, name } = message
  return {
    role: isSystemRole(role) ? 'system' : role,
    parts: partsOf(message),
    ...(name !== undefined && { name }),
  }
}

function partsOf({ role, content }: Message): readonly JsonObject[] {
  return content.map((part) => partOf(part, role === 'assistant'))
}

function partOf(part: Part, answered: boolean): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', content: part.text }
    case 'reasoning':
      return { type: 'reasoning', content: part.text }
    case 'refusal':
      return { type: 'refusal', content: part.text }
    case 'json':
      return { type: 'json', content: part.value }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return mediaOf(part)
    case 'tool-call': {
      const { id, name, executedBy, arguments: given, invalidArguments } = part
      const about = given ?? invalidArguments ?? null
      if (executedBy === undefined) return { type: 'tool_call', id, name, arguments: about }
      return { type: 'server_tool_call', id, name, server_tool_call: { type: name, arguments: about } }
    }
    case 'tool-result':
      return resultOf(part, answered)
    case 'opaque':
      return { type: 'opaque', dialect: part.dialect }
  }
}

/** A result in an answer is that of a tool that the provider ran. */
function resultOf({ callId, name, content }: ToolResultPart, answered: boolean): JsonObject {
  const [first] = content
  const response: Json =
    content.length === 1 && first?.type === 'text'
      ? first.text
      : content.length === 1 && first?.type === 'json'
        ? first.value
        : content.map((part) => partOf(part, answered))
  if (!answered) return { type: 'tool_call_response', id: callId, response }
  const server = { type: name ?? 'unknown', response }
  return { type: 'server_tool_call_response', id: callId, server_tool_call_response: server }
}

/** Where the bytes are, and how many; a span is no place for the bytes themselves. */
function mediaOf({ type, source, mediaType }: MediaPart): JsonObject {
  const modality = type === 'file' ? 'document' : type
  const about = { modality, ...(mediaType !== undefined && { mime_type: mediaType }) }
  switch (source.kind) {
    case 'url':
      return { type: 'uri', ...about, uri: source.url }
    case 'id':
      return { type: 'file', ...about, file_id: source.id }
    case 'text':
      return { type: 'text', content: source.text }
    case 'base64':
      return { type: 'blob', modality, mime_type: source.mediaType, content: '', length: source.data.length }
  }
}

function toolOf(tool: Tool): readonly JsonObject[] {
  if (tool.type === 'opaque') return []
  if (tool.type === 'provider') return [{ type: 'provider', name: tool.name }]
  const { type, name, description, input } = tool
  return [{ type, name, ...(description !== undefined && { description }), parameters: input }]
}
