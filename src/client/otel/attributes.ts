import type { FinishReason } from '../../canonical/model/finish.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { stated } from '../../wire/json.ts'
import type { Model, Reply } from '../model.ts'

/** What an attribute of a span may hold. */
type AttributeValue = string | number | boolean | readonly string[]

/** Attributes by their names in the conventions for generative AI. */
export type Attributes = { readonly [name: string]: AttributeValue }

/** The conventions' names of providers, where they are other than ours. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['openai-responses', 'openai'],
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
])

const FINISH: ReadonlyMap<FinishReason, string> = new Map([
  ['tool-calls', 'tool_call'],
  ['content-filter', 'content_filter'],
])

/** What was asked. */
export function requestAttributes(request: ChatRequest, model: Model, streamed: boolean): Attributes {
  return stated({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': PROVIDERS.get(model.provider) ?? model.provider,
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
export function replyAttributes({ response, usage, timing }: Reply): Attributes {
  const reasons = response.candidates.flatMap(({ finish }) => (finish ? [finish.reason] : []))
  const { firstEvent } = timing
  return stated({
    'gen_ai.response.id': response.id,
    'gen_ai.response.model': response.model,
    'gen_ai.response.finish_reasons': reasons.map((reason) => FINISH.get(reason) ?? reason),
    'gen_ai.response.time_to_first_chunk': firstEvent === undefined ? undefined : firstEvent / 1000,
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
  })
}

/** The class of an error: the kind of a provider's, the code of another of ours. Its words may quote what was said. */
export function errorType(error: unknown): string {
  const told = error instanceof StreamError ? error.cause : error
  if (told instanceof ProviderError) return told.kind
  return told instanceof InterlinguaError ? told.code : '_OTHER'
}
