import { checkModelName, type Provider, createProvider } from './provider.ts'
import {
  checkProviderOptions,
  PROVIDER_OPTION_HINTS,
  PROVIDER_OPTION_NAMES,
  type ProviderOptions,
} from './provider-options.ts'
import { type ProviderName, providerTable, openaiCompatibleRow } from './provider-table.ts'
import type { Model } from '../canonical/model/model-interface.ts'
import { InterlinguaError } from '../errors.ts'
import { checkOptions } from '../wire/check-options.ts'
import { omitUndefined } from '../wire/json.ts'
import type { Flavor } from '../dialects/engine/dialect.ts'
import { withTypedErrors } from '../wire/internal-error.ts'

/** Options of {@link openaiCompatible}. The base URL is required, as `baseUrl` or `baseURL`. */
export type OpenAICompatibleOptions = CompatibleHostOptions &
  ({ readonly baseUrl: string } | { readonly baseURL: string })

interface CompatibleHostOptions extends ProviderOptions {
  /** The provider name in replies and errors. Default: the host of `baseUrl`. */
  readonly name?: string
  /** The dialect of the host. Default: `openai-chat`. */
  readonly dialect?: 'openai-chat' | 'openai-responses'
  /** The flavor of the dialect: `vllm`, `llama.cpp`, `lmstudio` and others. */
  readonly flavor?: Flavor
}

/**
 * Returns a provider for any host with the Chat Completions or Responses API. A key is sent only if `apiKey` is set.
 *
 * @example
 * const local = openaiCompatible({ baseUrl: 'http://127.0.0.1:8000/v1', flavor: 'vllm' })
 * const { text } = await local('llama-…').generate('Hi')
 */
export function openaiCompatible(options: OpenAICompatibleOptions): Provider {
  return withTypedErrors(() => {
    checkOptions<CompatibleHostOptions>(
      '`openaiCompatible`',
      options,
      { ...PROVIDER_OPTION_NAMES, name: true, dialect: true, flavor: true },
      PROVIDER_OPTION_HINTS,
    )
    const { name, dialect = 'openai-chat', flavor, ...providerOptions } = options
    const defaults = checkProviderOptions(providerOptions)
    const { baseUrl = '' } = defaults
    const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : 'compatible'
    const { defaultStreamFields, ...row } = openaiCompatibleRow
    const streamFields = dialect === 'openai-chat' ? defaultStreamFields : undefined
    const optional = omitUndefined({ flavor, defaultStreamFields: streamFields })
    return createProvider({ ...row, provider: name ?? host, dialect, ...optional }, defaults)
  })
}

/**
 * Returns a model by the name of its provider and its own name, separated by a colon.
 *
 * @example
 * const { text } = await model('anthropic:claude-…').generate('Hi')
 */
export function model(name: string, options?: ProviderOptions): Model {
  return withTypedErrors(() => {
    const separator = (typeof name === 'string' ? name : checkModelName(name)).indexOf(':')
    const provider = name.slice(0, Math.max(0, separator))
    if (isProvider(provider) && separator < name.length - 1)
      return providers[provider](name.slice(separator + 1), options)
    const found = JSON.stringify(name.slice(0, 100))
    throw new InterlinguaError('unknown-id', `Unknown model ${found}`, {
      found,
      expected: "'<provider>:<model>', such as 'anthropic:claude-…'",
      hint: `Use one of the providers ${Object.keys(providers).join(', ')}.`,
    })
  })
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name)
}

/**
 * The built-in providers, by name.
 *
 * @example
 * Object.keys(providers) // ['openai', 'openai-chat', 'openai-responses', …]
 */
export const providers: { readonly [name in ProviderName]: Provider } = Object.freeze(
  Object.fromEntries(Object.entries(providerTable).map(([name, row]) => [name, createProvider(row)])) as {
    [name in ProviderName]: Provider
  },
)

/**
 * OpenAI with the API that fits the model: the Responses API for OpenAI's models, Chat Completions for other names, which
 * compatible hosts serve: `openai('gpt-…')`.
 */
export const openai: Provider = providers.openai
/** OpenAI with the Chat Completions API: `openaiChat('gpt-…')`. */
export const openaiChat: Provider = providers['openai-chat']
/** OpenAI with the Responses API: `openaiResponses('gpt-…')`. */
export const openaiResponses: Provider = providers['openai-responses']
/** Anthropic: `anthropic('claude-…')`. */
export const anthropic: Provider = providers.anthropic
/** Google's Gemini API (AI Studio): `gemini('gemini-…')`. */
export const gemini: Provider = providers.gemini
/** Gemini on Vertex AI with an express mode key: `vertex('gemini-…')`. */
export const vertex: Provider = providers.vertex
/** Ollama with its own API: `ollama('llama3.2')`. */
export const ollama: Provider = providers.ollama
/** Ollama with its API that is compatible with Chat Completions: `ollamaCompatible('llama3.2')`. */
export const ollamaCompatible: Provider = providers['ollama-compatible']
/** Groq: `groq('llama-…')`. */
export const groq: Provider = providers.groq
/** Mistral, with its API that is compatible with Chat Completions: `mistral('mistral-…')`. */
export const mistral: Provider = providers.mistral
/** DeepSeek: `deepseek('deepseek-…')`. */
export const deepseek: Provider = providers.deepseek
/** The provider xAI: `xai('grok-…')`. */
export const xai: Provider = providers.xai
/** OpenRouter: `openrouter('vendor/model')`. */
export const openrouter: Provider = providers.openrouter
/** Together: `together('vendor/model')`. */
export const together: Provider = providers.together
/** Fireworks: `fireworks('accounts/fireworks/models/…')`. */
export const fireworks: Provider = providers.fireworks
/** Cerebras: `cerebras('llama…')`. */
export const cerebras: Provider = providers.cerebras
/** Perplexity: `perplexity('sonar')`. */
export const perplexity: Provider = providers.perplexity
/** Azure OpenAI; the model name is the name of the deployment: `azure('my-deployment')`. */
export const azure: Provider = providers.azure
