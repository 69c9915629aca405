import type { Message } from '../canonical/model/message.ts'
import type { AgentResult, RunFinishReason } from '../agent/agent-result.ts'
import type { TracedToolCall } from '../agent/agent-tracer.ts'
import { RunError } from '../agent/run-errors.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { omitUndefined, type Json, type JsonObject } from '../wire/json.ts'
import type { Model, Reply } from '../canonical/model/model-interface.ts'
import type { MediaPart, Part, ToolResultPart } from '../canonical/model/part.ts'
import type { Tool } from '../canonical/model/tool.ts'
import { isSystemRole } from '../canonical/read/type-guards.ts'

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
      'gen_ai.system_instructions': JSON.stringify(leading.flatMap((message) => toOtelParts(message))),
    }),
    'gen_ai.input.messages': JSON.stringify(all.slice(leading.length).map(toOtelMessage)),
    ...(tools !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(tools.flatMap(toOtelTools)) }),
  }
}

/** Returns the attributes of the output. */
export function toOutputAttributes(messages: readonly Message[]): SpanAttributes {
  return { 'gen_ai.output.messages': JSON.stringify(messages.map(toOtelMessage)) }
}

function toOtelMessage(message: Message): JsonObject {
  const { role, name } = message
  const otelRole = isSystemRole(role) ? 'system' : role
  return { role: otelRole, parts: toOtelParts(message), ...(name !== undefined && { name }) }
}

function toOtelParts({ role, content }: Message): readonly JsonObject[] {
  return content.map((part) => toOtelPart(part, role === 'assistant'))
}

function toOtelPart(part: Part, isAssistant: boolean): JsonObject {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { type: part.type, content: part.text }
    case 'json':
      return { type: 'json', content: part.value }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return toOtelMedia(part)
    case 'tool-call': {
      const { id, name, executedBy, arguments: parsed, invalidArguments } = part
      const argumentsValue = parsed ?? invalidArguments ?? null
      if (executedBy === undefined) return { type: 'tool_call', id, name, arguments: argumentsValue }
      const server = { type: name, arguments: argumentsValue }
      return { type: 'server_tool_call', id, name, server_tool_call: server }
    }
    case 'tool-result':
      return toOtelToolResult(part, isAssistant)
    case 'opaque':
      return { type: 'opaque', dialect: part.dialect }
  }
}

/** Converts a tool result. A result in an assistant message belongs to a provider tool. */
function toOtelToolResult(part: ToolResultPart, isAssistant: boolean): JsonObject {
  const { callId, name } = part
  const response = toToolResponse(part)
  if (!isAssistant) return { type: 'tool_call_response', id: callId, response }
  const server = { type: name ?? 'unknown', response }
  return { type: 'server_tool_call_response', id: callId, server_tool_call_response: server }
}

/** Converts the content of a tool result. */
export function toToolResponse({ content }: ToolResultPart): Json {
  const only = content.length === 1 ? content[0] : undefined
  if (only?.type === 'text') return only.text
  return only?.type === 'json' ? only.value : content.map((part) => toOtelPart(part, false))
}

/** Converts media to their location and size; the bytes are omitted. */
function toOtelMedia({ type, source, mediaType }: MediaPart): JsonObject {
  const modality = type === 'file' ? 'document' : type
  const attributes = { modality, ...(mediaType !== undefined && { mime_type: mediaType }) }
  switch (source.kind) {
    case 'url':
      return { type: 'uri', ...attributes, uri: source.url }
    case 'id':
      return { type: 'file', ...attributes, file_id: source.id }
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

/** Attributes by their names in the OpenTelemetry conventions for generative AI. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean | string[] }

/** The provider names of the conventions that differ from the names in this library. */
const OTEL_PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
])

const OTEL_FINISH_REASONS: ReadonlyMap<RunFinishReason, string> = new Map([
  ['tool-calls', 'tool_call'],
  ['content-filter', 'content_filter'],
])

/** Returns the attributes of a request. */
export function toRequestAttributes(request: ChatRequest, model: Model, isStreamed: boolean): SpanAttributes {
  return omitUndefined({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': OTEL_PROVIDER_NAMES.get(model.provider) ?? model.provider,
    'gen_ai.request.model': model.name,
    'gen_ai.request.stream': isStreamed || undefined,
    'gen_ai.request.max_tokens': request.maxOutputTokens,
    'gen_ai.request.temperature': request.temperature,
    'gen_ai.request.top_p': request.topP,
    'gen_ai.request.top_k': request.topK,
    'gen_ai.request.stop_sequences': request.stop && [...request.stop],
    'gen_ai.request.seed': request.seed,
    'gen_ai.request.presence_penalty': request.presencePenalty,
    'gen_ai.request.frequency_penalty': request.frequencyPenalty,
    'gen_ai.request.choice.count': request.candidateCount === 1 ? undefined : request.candidateCount,
    'gen_ai.output.type': request.output?.type,
  })
}

/** Returns the attributes of a reply. Input includes cached tokens, output reasoning tokens. */
export function toReplyAttributes({ response, usage, timing }: Reply): SpanAttributes {
  const reasons = response.candidates.flatMap(({ finish }) => (finish ? [finish.reason] : []))
  const { firstEventMs } = timing
  return omitUndefined({
    'gen_ai.response.id': response.id,
    'gen_ai.response.model': response.model,
    'gen_ai.response.finish_reasons': reasons.map((reason) => OTEL_FINISH_REASONS.get(reason) ?? reason),
    'gen_ai.response.time_to_first_chunk': firstEventMs === undefined ? undefined : firstEventMs / 1000,
    ...toUsageAttributes(usage),
  })
}

function toUsageAttributes(usage: Usage | undefined): SpanAttributes {
  return omitUndefined({
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  })
}

/** Returns the attributes of a run that starts. */
export function toAgentAttributes(model: Model, agentName: string | undefined): SpanAttributes {
  return omitUndefined({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': OTEL_PROVIDER_NAMES.get(model.provider) ?? model.provider,
    'gen_ai.agent.name': agentName,
    'gen_ai.request.model': model.name,
  })
}

/** Returns the attributes of a run that has ended. */
export function toResultAttributes({ usage, finish: { reason } }: AgentResult): SpanAttributes {
  const finishReason = OTEL_FINISH_REASONS.get(reason) ?? reason
  return { 'gen_ai.response.finish_reasons': [finishReason], ...toUsageAttributes(usage) }
}

/** Returns the attributes of a tool call. */
export function toToolAttributes({ call, description }: TracedToolCall): SpanAttributes {
  return omitUndefined({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.description': description,
  })
}

/**
 * Returns the `kind` or `code` of an error; a text is the type itself. The message is not used, because it may quote
 * the conversation.
 */
export function getErrorType(error: unknown): string {
  if (typeof error === 'string') return error
  const isWrapper = error instanceof StreamError || error instanceof RunError
  const cause = isWrapper && error.cause instanceof InterlinguaError ? error.cause : error
  if (cause instanceof ProviderError) return cause.kind
  return cause instanceof InterlinguaError ? cause.code : '_OTHER'
}
