export { providers } from './built-in-providers.ts'
export { defineProvider, type ProviderDefinition } from './define-provider.ts'
export { model, type NamedModelOptions } from './model-by-name.ts'
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts'
export {
  anthropic,
  azure,
  bedrock,
  cerebras,
  cohere,
  deepseek,
  fireworks,
  gemini,
  geminiInteractions,
  groq,
  mistral,
  ollama,
  ollamaCompatible,
  openai,
  openaiChat,
  openaiCompatible,
  type OpenAICompatibleOptions,
  openaiResponses,
  openrouter,
  perplexity,
  together,
  vertex,
  xai,
} from './constructors.ts'
export type { Provider } from './provider.ts'
export type { ProviderOptions } from './provider-options.ts'
export type { ConnectionOptions } from './connection.ts'
export type { ModelInfo } from './list-models.ts'
export type { AuthStyle, StateLocation } from './provider-row.ts'
export type { ProviderName } from './provider-table.ts'
export type {
  LimitOptions,
  RetryOptions,
  TimeoutOptions,
  TransportOptions,
} from '../client/transport/settings.ts'
export type {
  ServedBy,
  BackgroundRun,
  BackgroundRunOptions,
  BackgroundRuns,
  BackgroundStreamOptions,
  CallOptions,
  Cost,
  EmbeddingModel,
  EmbeddingOptions,
  EmbeddingReply,
  Model,
  ModelInput,
  Reply,
  ReplyStream,
  ResumeOptions,
  Timing,
  WaitOptions,
} from '../canonical/model/model-interface.ts'
export type { ModelCapabilities } from '../canonical/model/capabilities.ts'
export { demo, type DemoOptions } from '../client/demo-model.ts'
export {
  type MediaFetchInit,
  type ResolveMediaOptions,
  type MediaUpload,
  type ResolvedMedia,
  resolveMedia,
  type UnresolvedMedia,
} from '../client/resolve-media.ts'
export {
  scripted,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedOptions,
} from '../client/scripted-model.ts'
export type {
  ScriptedAnswer,
  ScriptedContext,
  ScriptedEvents,
  ScriptedFunction,
  ScriptedTurn,
  ScriptEntry,
} from '../client/script/scripted-turn.ts'
export { caching, type CacheStore, type CachingOptions } from '../client/middleware/caching.ts'
export { fallback, type FallbackOptions } from '../client/middleware/fallback.ts'
export { type LogEntry, logging, type LoggingOptions } from '../client/middleware/logging.ts'
export { rateLimit, type RateLimitOptions } from '../client/middleware/rate-limit.ts'
export {
  defaultSettings,
  type DefaultSettings,
  type Middleware,
  wrapModel,
} from '../client/middleware/middleware.ts'
export { calculateCost, type Price, type PriceTable } from '../client/prices.ts'
export type { CatalogEntry } from './catalog/catalog-entry.ts'
export { findCatalogEntry, loadPrices } from './model-catalog.ts'
