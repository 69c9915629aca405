import { type Provider, providerOf } from './provider.ts'
import { type ProviderName, rows } from './rows.ts'

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
