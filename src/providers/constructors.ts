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
import { checkFlavor } from '../dialects/engine/flavor-registry.ts'
import { geminiDialect } from '../dialects/gemini/index.ts'
import { geminiInteractionsDialect } from '../dialects/gemini-interactions/index.ts'
import { mistralDialect } from '../dialects/mistral/index.ts'
import { ollamaDialect } from '../dialects/ollama/index.ts'
import { openaiChatDialect } from '../dialects/openai-chat/index.ts'
import { openaiResponsesDialect } from '../dialects/openai-responses/index.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { tryParseUrl } from '../wire/urls.ts'

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
    checkFlavor(flavor)
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
 * OpenAI with the API that fits the model: the Responses API for OpenAI's models, Chat Completions for other names,
 * which compatible hosts serve.
 *
 * @example
 * const { text } = await openai('gpt-6-sol').generate('Hi')
 */
export const openai: Provider = /* @__PURE__ */ createBuiltIn('openai', openaiDialects)
/**
 * OpenAI with the Chat Completions API.
 *
 * @example
 * const { text } = await openaiChat('gpt-6-sol').generate('Hi')
 */
export const openaiChat: Provider = /* @__PURE__ */ createBuiltIn('openai-chat', chatDialects)
/**
 * OpenAI with the Responses API.
 *
 * @example
 * const { text } = await openaiResponses('gpt-6-sol').generate('Hi')
 */
export const openaiResponses: Provider = /* @__PURE__ */ createBuiltIn('openai-responses', responsesDialects)
/**
 * Anthropic.
 *
 * @example
 * const { text } = await anthropic('claude-sonnet-5').generate('Hi')
 */
export const anthropic: Provider = /* @__PURE__ */ createBuiltIn('anthropic', anthropicDialects)
/**
 * Google's Gemini API (AI Studio). Agents are called through the Interactions API.
 *
 * @example
 * const { text } = await gemini('gemini-3.5-flash').generate('Hi')
 */
export const gemini: Provider = /* @__PURE__ */ createBuiltIn('gemini', googleDialects)
/**
 * Google's Gemini API with the Interactions API, which also serves agents.
 *
 * @example
 * const { text } = await geminiInteractions('gemini-3.5-flash').generate('Hi')
 */
export const geminiInteractions: Provider = /* @__PURE__ */ createBuiltIn(
  'gemini-interactions',
  interactionsDialects,
)
/**
 * Gemini on Vertex AI with an express mode key.
 *
 * @example
 * const { text } = await vertex('gemini-3.5-flash').generate('Hi')
 */
export const vertex: Provider = /* @__PURE__ */ createBuiltIn('vertex', geminiDialects)
/**
 * Ollama with its own API.
 *
 * @example
 * const { text } = await ollama('llama3.2').generate('Hi')
 */
export const ollama: Provider = /* @__PURE__ */ createBuiltIn('ollama', ollamaDialects)
/**
 * Ollama with its API that is compatible with Chat Completions.
 *
 * @example
 * const { text } = await ollamaCompatible('llama3.2').generate('Hi')
 */
export const ollamaCompatible: Provider = /* @__PURE__ */ createBuiltIn('ollama-compatible', chatDialects)
/**
 * Groq.
 *
 * @example
 * const { text } = await groq('openai/gpt-oss-20b').generate('Hi')
 */
export const groq: Provider = /* @__PURE__ */ createBuiltIn('groq', chatDialects)
/**
 * Mistral, with its own API.
 *
 * @example
 * const { text } = await mistral('mistral-small-latest').generate('Hi')
 */
export const mistral: Provider = /* @__PURE__ */ createBuiltIn('mistral', mistralDialects)
/**
 * DeepSeek.
 *
 * @example
 * const { text } = await deepseek('deepseek-v4').generate('Hi')
 */
export const deepseek: Provider = /* @__PURE__ */ createBuiltIn('deepseek', chatDialects)
/**
 * The provider xAI.
 *
 * @example
 * const { text } = await xai('grok-4.7').generate('Hi')
 */
export const xai: Provider = /* @__PURE__ */ createBuiltIn('xai', chatDialects)
/**
 * OpenRouter.
 *
 * @example
 * const { text } = await openrouter('openai/gpt-oss-20b').generate('Hi')
 */
export const openrouter: Provider = /* @__PURE__ */ createBuiltIn('openrouter', chatDialects)
/**
 * Together.
 *
 * @example
 * const { text } = await together('openai/gpt-oss-20b').generate('Hi')
 */
export const together: Provider = /* @__PURE__ */ createBuiltIn('together', chatDialects)
/**
 * Fireworks.
 *
 * @example
 * const { text } = await fireworks('accounts/fireworks/models/gpt-oss-20b').generate('Hi')
 */
export const fireworks: Provider = /* @__PURE__ */ createBuiltIn('fireworks', chatDialects)
/**
 * Cerebras.
 *
 * @example
 * const { text } = await cerebras('gpt-oss-120b').generate('Hi')
 */
export const cerebras: Provider = /* @__PURE__ */ createBuiltIn('cerebras', chatDialects)
/**
 * Perplexity.
 *
 * @example
 * const { text } = await perplexity('sonar').generate('Hi')
 */
export const perplexity: Provider = /* @__PURE__ */ createBuiltIn('perplexity', chatDialects)
/**
 * Azure OpenAI; the model name is the name of the deployment.
 *
 * @example
 * const { text } = await azure('my-deployment').generate('Hi')
 */
export const azure: Provider = /* @__PURE__ */ createBuiltIn('azure', chatDialects)
/**
 * Amazon Bedrock with the Converse API and a key of Bedrock; `connectToBedrock` signs with the credentials of AWS.
 *
 * @example
 * const { text } = await bedrock('us.anthropic.claude-sonnet-5').generate('Hi')
 */
export const bedrock: Provider = /* @__PURE__ */ createBuiltIn('bedrock', bedrockDialects)
/**
 * Cohere.
 *
 * @example
 * const { text } = await cohere('command-a-03-2025').generate('Hi')
 */
export const cohere: Provider = /* @__PURE__ */ createBuiltIn('cohere', cohereDialects)
