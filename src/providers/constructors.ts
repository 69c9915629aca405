import { type Provider, createProvider, type ProviderDialects } from './provider.ts'
import {
  checkProviderOptions,
  PROVIDER_OPTION_HINTS,
  PROVIDER_OPTION_NAMES,
  type ProviderOptions,
} from './provider-options.ts'
import { type ProviderName, providerTable, openaiCompatibleRow } from './provider-table.ts'
import { checkOptions } from '../wire/check-options.ts'
import { omitUndefined } from '../wire/json.ts'
import { anthropicDialect } from '../dialects/anthropic/index.ts'
import { bedrockDialect } from '../dialects/bedrock/index.ts'
import { cohereDialect } from '../dialects/cohere/index.ts'
import type { Flavor } from '../dialects/engine/dialect.ts'
import { geminiDialect } from '../dialects/gemini/index.ts'
import { geminiInteractionsDialect } from '../dialects/gemini-interactions/index.ts'
import { mistralDialect } from '../dialects/mistral/index.ts'
import { ollamaDialect } from '../dialects/ollama/index.ts'
import { openaiChatDialect } from '../dialects/openai-chat/index.ts'
import { openaiResponsesDialect } from '../dialects/openai-responses/index.ts'
import { withTypedErrors } from '../wire/internal-error.ts'
import { tryParseUrl } from '../wire/parse-url.ts'

const anthropicDialects = { anthropic: anthropicDialect }
const bedrockDialects = { bedrock: bedrockDialect }
const cohereDialects = { cohere: cohereDialect }
const chatDialects = { 'openai-chat': openaiChatDialect }
const geminiDialects = { gemini: geminiDialect }
const googleDialects = { gemini: geminiDialect, 'gemini-interactions': geminiInteractionsDialect }
const interactionsDialects = { 'gemini-interactions': geminiInteractionsDialect }
const mistralDialects = { mistral: mistralDialect }
const ollamaDialects = { ollama: ollamaDialect }
const openaiDialects = { 'openai-chat': openaiChatDialect, 'openai-responses': openaiResponsesDialect }
const responsesDialects = { 'openai-responses': openaiResponsesDialect }

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
    const host = tryParseUrl(baseUrl)?.host ?? 'compatible'
    const { defaultStreamFields, ...row } = openaiCompatibleRow
    const streamFields = dialect === 'openai-chat' ? defaultStreamFields : undefined
    const optional = omitUndefined({ flavor, defaultStreamFields: streamFields })
    return createProvider({ ...row, provider: name ?? host, dialect, ...optional }, openaiDialects, defaults)
  })
}

/**
 * Creates a built-in provider. Its name is the argument, not its row: a bundler removes an unused call only if its
 * arguments read no property.
 */
function createBuiltIn(name: ProviderName, dialects: ProviderDialects): Provider {
  return createProvider(providerTable[name], dialects)
}

/**
 * OpenAI with the API that fits the model: the Responses API for OpenAI's models, Chat Completions for other names, which
 * compatible hosts serve: `openai('gpt-…')`.
 */
export const openai: Provider = /* @__PURE__ */ createBuiltIn('openai', openaiDialects)
/** OpenAI with the Chat Completions API: `openaiChat('gpt-…')`. */
export const openaiChat: Provider = /* @__PURE__ */ createBuiltIn('openai-chat', chatDialects)
/** OpenAI with the Responses API: `openaiResponses('gpt-…')`. */
export const openaiResponses: Provider = /* @__PURE__ */ createBuiltIn('openai-responses', responsesDialects)
/** Anthropic: `anthropic('claude-…')`. */
export const anthropic: Provider = /* @__PURE__ */ createBuiltIn('anthropic', anthropicDialects)
/** Google's Gemini API (AI Studio): `gemini('gemini-…')`. Agents are called through the Interactions API. */
export const gemini: Provider = /* @__PURE__ */ createBuiltIn('gemini', googleDialects)
/** Google's Gemini API with the Interactions API, which also serves agents: `geminiInteractions('gemini-…')`. */
export const geminiInteractions: Provider = /* @__PURE__ */ createBuiltIn(
  'gemini-interactions',
  interactionsDialects,
)
/** Gemini on Vertex AI with an express mode key: `vertex('gemini-…')`. */
export const vertex: Provider = /* @__PURE__ */ createBuiltIn('vertex', geminiDialects)
/** Ollama with its own API: `ollama('llama3.2')`. */
export const ollama: Provider = /* @__PURE__ */ createBuiltIn('ollama', ollamaDialects)
/** Ollama with its API that is compatible with Chat Completions: `ollamaCompatible('llama3.2')`. */
export const ollamaCompatible: Provider = /* @__PURE__ */ createBuiltIn('ollama-compatible', chatDialects)
/** Groq: `groq('llama-…')`. */
export const groq: Provider = /* @__PURE__ */ createBuiltIn('groq', chatDialects)
/** Mistral, with its own API: `mistral('mistral-…')`. */
export const mistral: Provider = /* @__PURE__ */ createBuiltIn('mistral', mistralDialects)
/** DeepSeek: `deepseek('deepseek-…')`. */
export const deepseek: Provider = /* @__PURE__ */ createBuiltIn('deepseek', chatDialects)
/** The provider xAI: `xai('grok-…')`. */
export const xai: Provider = /* @__PURE__ */ createBuiltIn('xai', chatDialects)
/** OpenRouter: `openrouter('vendor/model')`. */
export const openrouter: Provider = /* @__PURE__ */ createBuiltIn('openrouter', chatDialects)
/** Together: `together('vendor/model')`. */
export const together: Provider = /* @__PURE__ */ createBuiltIn('together', chatDialects)
/** Fireworks: `fireworks('accounts/fireworks/models/…')`. */
export const fireworks: Provider = /* @__PURE__ */ createBuiltIn('fireworks', chatDialects)
/** Cerebras: `cerebras('llama…')`. */
export const cerebras: Provider = /* @__PURE__ */ createBuiltIn('cerebras', chatDialects)
/** Perplexity: `perplexity('sonar')`. */
export const perplexity: Provider = /* @__PURE__ */ createBuiltIn('perplexity', chatDialects)
/** Azure OpenAI; the model name is the name of the deployment: `azure('my-deployment')`. */
export const azure: Provider = /* @__PURE__ */ createBuiltIn('azure', chatDialects)
/**
 * Amazon Bedrock with the Converse API and a key of Bedrock; `connectToBedrock` signs with the credentials of AWS:
 * `bedrock('us.anthropic.claude-…')`.
 */
export const bedrock: Provider = /* @__PURE__ */ createBuiltIn('bedrock', bedrockDialects)
/** Cohere: `cohere('command-…')`. */
export const cohere: Provider = /* @__PURE__ */ createBuiltIn('cohere', cohereDialects)
