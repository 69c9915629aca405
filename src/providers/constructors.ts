import { type Provider, createProvider, type ProviderOptions } from './provider.ts'
import { type ProviderName, providerTable, compatibleRow } from './provider-table.ts'
import type { Model } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import type { Flavor } from '../dialects/engine/dialect.ts'

/** A host that is not in the table. */
export interface OpenAICompatibleOptions extends ProviderOptions {
  readonly baseUrl: string
  /** What replies and errors call it; default: the name of the host. */
  readonly name?: string
  /** What it speaks; default: `openai-chat`. */
  readonly dialect?: 'openai-chat' | 'openai-responses'
  /** How it differs from the format that it speaks: `vllm`, `llama.cpp`, `lmstudio` and others. */
  readonly flavor?: Flavor
}

/**
 * Any host that speaks Chat Completions or the Responses API. It gets a key only where one is given.
 *
 * @example
 * const local = openaiCompatible({ baseUrl: 'http://127.0.0.1:8000/v1', flavor: 'vllm' })
 * const { text } = await local('llama-…').generate({ messages: [user('Hi')] })
 */
export function openaiCompatible(options: OpenAICompatibleOptions): Provider {
  const { name, dialect = 'openai-chat', flavor, ...defaults } = options
  const provider = name ?? getHost(options.baseUrl)
  const { defaultStreamFields, ...row } = compatibleRow
  return createProvider(
    {
      ...row,
      provider,
      dialect,
      ...(dialect === 'openai-chat' && defaultStreamFields && { defaultStreamFields }),
      ...(flavor !== undefined && { flavor }),
    },
    defaults,
  )
}

function getHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'compatible'
}

/**
 * A model by the name of its provider and its own.
 *
 * @example
 * const { text } = await model('anthropic:claude-…').generate({ messages: [user('Hi')] })
 */
export function model(name: string, options?: ProviderOptions): Model {
  const at = name.indexOf(':')
  const provider = name.slice(0, Math.max(0, at))
  if (!isProvider(provider) || at === name.length - 1) throw unknownModelError(name)
  return providers[provider](name.slice(at + 1), options)
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name)
}

function unknownModelError(name: string): InterlinguaError {
  return new InterlinguaError('unknown-id', `No model is called ${JSON.stringify(name.slice(0, 100))}`, {
    found: JSON.stringify(name.slice(0, 100)),
    expected: "'<provider>:<model>', such as 'anthropic:claude-…'",
    hint: `The providers are ${Object.keys(providers).join(', ')}.`,
  })
}

/**
 * The providers that are built in, by name.
 *
 * @example
 * Object.keys(providers) // ['openai', 'openai-responses', 'anthropic', …]
 */
export const providers: { readonly [name in ProviderName]: Provider } = Object.freeze(
  Object.fromEntries(Object.entries(providerTable).map(([name, row]) => [name, createProvider(row)])) as {
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
