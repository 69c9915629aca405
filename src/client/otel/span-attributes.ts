import type { FinishReason, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { omitUndefined, type Json, type JsonObject } from '../../wire/json.ts'
import type { Model, Reply } from '../../canonical/model/model-interface.ts'
import type { MediaPart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'

/** What was said to the model, as JSON text: the attributes of a span hold no structures. */
export function toInputAttributes({ messages, tools }: ChatRequest): SpanAttributes {
  const all = [...messages]
  const start = all.findIndex(({ role }) => !isSystemRole(role))
  const leading = start === -1 ? all : all.slice(0, start)
  return {
    ...(leading.length > 0 && {
      'gen_ai.system_instructions': JSON.stringify(leading.flatMap((message) => toOtelParts(message))),
    }),
    'gen_ai.input.messages': JSON.stringify(all.slice(leading.length).map(toOtelMessage)),
    ...(tools !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(tools.flatMap(toOtelTools)) }),
  }
}

/** What the model said. */
export function toOutputAttributes({ candidates }: ChatResponse): SpanAttributes {
  return { 'gen_ai.output.messages': JSON.stringify(candidates.map(toOtelMessage)) }
}

function toOtelMessage(message: Message): JsonObject {
  const { role, name } = message
  return {
    role: isSystemRole(role) ? 'system' : role,
    parts: toOtelParts(message),
    ...(name !== undefined && { name }),
  }
}

function toOtelParts({ role, content }: Message): readonly JsonObject[] {
  return content.map((part) => toOtelPart(part, role === 'assistant'))
}

function toOtelPart(part: Part, answered: boolean): JsonObject {
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
      return toOtelMedia(part)
    case 'tool-call': {
      const { id, name, executedBy, arguments: given, invalidArguments } = part
      const about = given ?? invalidArguments ?? null
      if (executedBy === undefined) return { type: 'tool_call', id, name, arguments: about }
      return { type: 'server_tool_call', id, name, server_tool_call: { type: name, arguments: about } }
    }
    case 'tool-result':
      return toOtelToolResult(part, answered)
    case 'opaque':
      return { type: 'opaque', dialect: part.dialect }
  }
}

/** A result in an answer is that of a tool that the provider ran. */
function toOtelToolResult({ callId, name, content }: ToolResultPart, answered: boolean): JsonObject {
  const [first] = content
  const response: Json =
    content.length === 1 && first?.type === 'text'
      ? first.text
      : content.length === 1 && first?.type === 'json'
        ? first.value
        : content.map((part) => toOtelPart(part, answered))
  if (!answered) return { type: 'tool_call_response', id: callId, response }
  const server = { type: name ?? 'unknown', response }
  return { type: 'server_tool_call_response', id: callId, server_tool_call_response: server }
}

/** Where the bytes are, and how many; a span is no place for the bytes themselves. */
function toOtelMedia({ type, source, mediaType }: MediaPart): JsonObject {
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

function toOtelTools(tool: Tool): readonly JsonObject[] {
  if (tool.type === 'opaque') return []
  if (tool.type === 'provider') return [{ type: 'provider', name: tool.name }]
  const { type, name, description, input } = tool
  return [{ type, name, ...(description !== undefined && { description }), parameters: input }]
}

/** What an attribute of a span may hold. */
type AttributeValue = string | number | boolean | readonly string[]

/** Attributes by their names in the conventions for generative AI. */
export type SpanAttributes = { readonly [name: string]: AttributeValue }

/** The conventions' names of providers, where they are other than ours. */
const OTEL_PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
])

const OTEL_FINISH_REASONS: ReadonlyMap<FinishReason, string> = new Map([
  ['tool-calls', 'tool_call'],
  ['content-filter', 'content_filter'],
])

/** What was asked. */
export function toRequestAttributes(request: ChatRequest, model: Model, streamed: boolean): SpanAttributes {
  return omitUndefined({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': OTEL_PROVIDER_NAMES.get(model.provider) ?? model.provider,
    'gen_ai.request.model': model.name,
    'gen_ai.request.stream': streamed || undefined,
    'gen_ai.request.max_tokens': request.maxOutputTokens,
    'gen_ai.request.temperature': request.temperature,
    'gen_ai.request.top_p': request.topP,
    'gen_ai.request.top_k': request.topK,
    'gen_ai.request.stop_sequences': request.stop,
    'gen_ai.request.seed': request.seed,
    'gen_ai.request.presence_penalty': request.presencePenalty,
    'gen_ai.request.frequency_penalty': request.frequencyPenalty,
    'gen_ai.request.choice.count': request.candidateCount === 1 ? undefined : request.candidateCount,
    'gen_ai.output.type': request.output?.type,
  })
}

/** What came of it. Input counts what was cached, and output what was thought, as the conventions ask. */
export function toReplyAttributes({ response, usage, timing }: Reply): SpanAttributes {
  const reasons = response.candidates.flatMap(({ finish }) => (finish ? [finish.reason] : []))
  const { firstEventMs } = timing
  return omitUndefined({
    'gen_ai.response.id': response.id,
    'gen_ai.response.model': response.model,
    'gen_ai.response.finish_reasons': reasons.map((reason) => OTEL_FINISH_REASONS.get(reason) ?? reason),
    'gen_ai.response.time_to_first_chunk': firstEventMs === undefined ? undefined : firstEventMs / 1000,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  })
}

/** The class of an error: the kind of a provider's, the code of another of ours. Its words may quote what was said. */
export function getErrorType(error: unknown): string {
  const cause = error instanceof StreamError ? error.cause : error
  if (cause instanceof ProviderError) return cause.kind
  return cause instanceof InterlinguaError ? cause.code : '_OTHER'
}
