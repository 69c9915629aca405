import type { AgentResult, RunFinishReason } from '../agent/agent-result.ts'
import type { TracedToolCall } from '../agent/agent-tracer.ts'
import { RunError } from '../agent/run-errors.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { StreamError } from '../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../errors.ts'
import { omitUndefined } from '../wire/json.ts'
import type { Model, Reply } from '../canonical/model/model-interface.ts'

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
