export {
  anthropic,
  azure,
  cerebras,
  deepseek,
  fireworks,
  gemini,
  groq,
  mistral,
  ollama,
  ollamaCompatible,
  openai,
  openaiResponses,
  openrouter,
  perplexity,
  providers,
  together,
  vertex,
  xai,
} from './vendors.ts'
export { model } from './model.ts'
export { openaiCompatible, type CompatibleOptions } from './compatible.ts'
export type { Provider, ProviderOptions } from './provider.ts'
export type { ConnectionOptions } from './connection.ts'
export type { ModelInfo } from './listing.ts'
export type { AuthStyle, StateStyle } from './row.ts'
export type { ProviderName } from './rows.ts'
export type {
  LimitOptions,
  RetryOptions,
  TimeoutOptions,
  TransportOptions,
} from '../client/transport/settings.ts'
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
