import type { Model } from '../client/model.ts'
import { InterlinguaError } from '../errors.ts'
import { type Provider, type ProviderOptions, providerOf } from './provider.ts'
import { type ProviderName, rows } from './rows.ts'

export type { Provider, ProviderOptions } from './provider.ts'
export type { ModelInfo } from './listing.ts'
export type { ProviderName } from './rows.ts'
export { openaiCompatible, type CompatibleOptions } from './compatible.ts'

/**
 * The providers that are built in, by name.
 *
 * @example
 * Object.keys(providers) // ['openai', 'openai-responses', 'anthropic', …]
 */
export const providers: { readonly [name in ProviderName]: Provider } = Object.freeze(
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, providerOf(row)])) as {
    [name in ProviderName]: Provider
  },
)

/** OpenAI through Chat Completions: `openai('gpt-…')`. */
export const openai: Provider = providers.openai
/** OpenAI through the Responses API. */
export const openaiResponses: Provider = providers['openai-responses']
/** Anthropic: `anthropic('claude-…')`. */
export const anthropic: Provider = providers.anthropic
/** Google's Gemini API (AI Studio). */
export const gemini: Provider = providers.gemini
/** Gemini on Vertex AI with an express key. */
export const vertex: Provider = providers.vertex
/** Ollama through its own API. */
export const ollama: Provider = providers.ollama
/** Ollama through the API that is compatible with Chat Completions. */
export const ollamaCompatible: Provider = providers['ollama-compatible']
/** Groq. */
export const groq: Provider = providers.groq
/** Mistral, through the API that is compatible with Chat Completions. */
export const mistral: Provider = providers.mistral
/** DeepSeek. */
export const deepseek: Provider = providers.deepseek
/** XAI. */
export const xai: Provider = providers.xai
/** OpenRouter. */
export const openrouter: Provider = providers.openrouter
/** Together. */
export const together: Provider = providers.together
/** Fireworks. */
export const fireworks: Provider = providers.fireworks
/** Cerebras. */
export const cerebras: Provider = providers.cerebras
/** Perplexity. */
export const perplexity: Provider = providers.perplexity
/** Azure OpenAI; models are named by their deployment. */
export const azure: Provider = providers.azure

/**
 * A model by the name of its provider and its own.
 *
 * @example
 * const { text } = await model('anthropic:claude-…').generate({ messages: [user('Hi')] })
 */
export function model(name: string, options?: ProviderOptions): Model {
  const at = name.indexOf(':')
  const provider = name.slice(0, Math.max(0, at))
  if (!isProvider(provider) || at === name.length - 1) throw unknown(name)
  return providers[provider](name.slice(at + 1), options)
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name)
}

function unknown(name: string): InterlinguaError {
  return new InterlinguaError('unknown-id', `No model is called ${JSON.stringify(name.slice(0, 100))}`, {
    found: JSON.stringify(name.slice(0, 100)),
    expected: "'<provider>:<model>', such as 'anthropic:claude-…'",
    hint: `The providers are ${Object.keys(providers).join(', ')}.`,
  })
}

export type {
  Answerer,
  CallOptions,
  Cost,
  EmbeddingModel,
  EmbedOptions,
  EmbedReply,
  Model,
  ModelCapabilities,
  Reply,
  ReplyStream,
  Timing,
} from '../client/model.ts'
export { demo, type DemoOptions } from '../client/demo.ts'
export {
  type MediaFetchInit,
  type MediaOptions,
  type MediaUpload,
  type ResolvedMedia,
  resolveMedia,
  type Unresolved,
} from '../client/media.ts'
export { scripted, type ScriptedCall, type ScriptedModel, type ScriptedOptions } from '../client/scripted.ts'
export type {
  ScriptedAnswer,
  ScriptedContext,
  ScriptedEvents,
  ScriptedFunction,
  ScriptedTurn,
  ScriptEntry,
} from '../client/script/turn.ts'
export { caching, type CacheStore, type CachingOptions } from '../client/middleware/caching.ts'
export { defaults, type RequestSettings } from '../client/middleware/defaults.ts'
export { fallback, type FallbackOptions } from '../client/middleware/fallback.ts'
export { type LogEntry, logging, type LoggingOptions } from '../client/middleware/logging.ts'
export { rateLimit, type RateLimitOptions } from '../client/middleware/rate-limit.ts'
export { type Middleware, wrap } from '../client/middleware/wrap.ts'
export { costOf, type Price, prices, type PriceTable } from '../client/prices.ts'
