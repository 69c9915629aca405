import {
  chatRow,
  compatibleEmbedding,
  type CompatibleHost,
  compatibleHostRows,
  createChatRow,
  withStreamUsage,
} from './compatible-hosts.ts'
import { checkOpenAIRequest, type OpenAIApi, selectOpenAIApi } from './openai-apis.ts'
import type { ProviderRow } from './provider-row.ts'

/** The name of a built-in provider. */
export type ProviderName =
  | CompatibleHost
  | 'anthropic'
  | 'azure'
  | 'azure-responses'
  | 'bedrock'
  | 'cerebras'
  | 'cohere'
  | 'deepseek'
  | 'fireworks'
  | 'gemini'
  | 'gemini-interactions'
  | 'groq'
  | 'mistral'
  | 'ollama'
  | 'ollama-compatible'
  | 'openai'
  | 'openai-chat'
  | 'openai-responses'
  | 'openrouter'
  | 'perplexity'
  | 'together'
  | 'vertex'
  | 'xai'

/** Ollama embeds each text separately and has no limit; batches of this size allow progress reports. */
const OLLAMA_MAX_TEXTS = 256

/** The embedding style and the batch limits of each host. */
const embeddingSupport = {
  /** https://platform.openai.com/docs/api-reference/embeddings/create (2026; Azure has the same) */
  openai: { style: 'openai', maxTexts: 2048, maxTokens: 300_000 },
  /** The limit in its error message: at most 100 requests can be in one batch (2026). */
  gemini: { style: 'gemini', maxTexts: 100 },
  /** The limits in its error messages: too many inputs (257 or more), too many tokens in batch (2026). */
  mistral: { style: 'mistral', maxTexts: 256, maxTokens: 16_384 },
  /** The limit in LangChain's integration (2026). */
  fireworks: { style: 'openai', maxTexts: 8 },
  /** https://docs.cohere.com/reference/embed: at most 96 texts */
  cohere: { style: 'cohere', maxTexts: 96 },
  ollama: { style: 'ollama', maxTexts: OLLAMA_MAX_TEXTS },
  ollamaCompatible: { style: 'openai', maxTexts: OLLAMA_MAX_TEXTS },
} as const

const openaiRow = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
  auth: 'bearer',
  listStyle: 'openai',
  embedding: embeddingSupport.openai,
} as const

/** The rows of OpenAI's two APIs. */
const openaiApiRows: { readonly [api in OpenAIApi]: ProviderRow } = {
  chat: {
    ...openaiRow,
    ...withStreamUsage,
    dialect: 'openai-chat',
    flavor: 'openai',
    isFlavorOfOwnHost: true,
    checkRequest: (model, request) => checkOpenAIRequest('chat', model, request),
  },
  responses: {
    ...openaiRow,
    dialect: 'openai-responses',
    stateLocation: 'stored',
    countStyle: 'openai-responses',
    checkRequest: (model, request) => checkOpenAIRequest('responses', model, request),
  },
}

const geminiRow = {
  provider: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  auth: 'x-goog-api-key',
  listStyle: 'gemini',
  embedding: embeddingSupport.gemini,
} as const

/**
 * The models that only the Interactions API serves, by the start of their names: agents, and the models that generate
 * video. Some of them run only in the background.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
const interactionsModels: readonly { readonly prefix: string; readonly requiresBackground?: true }[] = [
  { prefix: 'agents/' },
  { prefix: 'antigravity-' },
  { prefix: 'code-mender-' },
  { prefix: 'deep-research-', requiresBackground: true },
  { prefix: 'gemini-omni-' },
]

const findInteractionsModel = (model: string): (typeof interactionsModels)[number] | undefined =>
  interactionsModels.find(({ prefix }) => model.startsWith(prefix))

const interactionsRow: ProviderRow = {
  ...geminiRow,
  dialect: 'gemini-interactions',
  stateLocation: 'stored',
  requiresBackground: (model) => findInteractionsModel(model)?.requiresBackground === true,
}

const ollamaRow = {
  provider: 'ollama',
  // A schema constrains everything that the model generates, so it cannot call tools.
  capabilities: { supportsOutputWithTools: false },
  baseUrl: 'http://127.0.0.1:11434',
  baseUrlVariable: 'OLLAMA_HOST',
  defaultPort: 11434,
  keyVariables: ['OLLAMA_API_KEY'],
  isKeyOptional: true,
  auth: 'bearer',
} as const

/** https://learn.microsoft.com/en-us/azure/ai-foundry/openai/api-version-lifecycle: the v1 API, without dated versions */
const azureRow = {
  provider: 'azure',
  baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
  pathPrefix: '/openai/v1',
  keyVariables: ['AZURE_OPENAI_API_KEY'],
  auth: 'api-key',
  listStyle: 'openai',
  embedding: embeddingSupport.openai,
} as const

/** The built-in providers, by the name that `model('<provider>:<model>')` accepts. */
export const providerTable: { readonly [name in ProviderName]: ProviderRow } = {
  openai: { ...openaiApiRows.responses, selectRow: (model) => openaiApiRows[selectOpenAIApi(model)] },
  'openai-chat': openaiApiRows.chat,
  'openai-responses': openaiApiRows.responses,
  anthropic: {
    provider: 'anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    auth: 'bearer',
    listStyle: 'anthropic',
    countStyle: 'anthropic',
  },
  gemini: {
    ...geminiRow,
    dialect: 'gemini',
    countStyle: 'gemini',
    selectRow: (model) => (findInteractionsModel(model) ? interactionsRow : undefined),
  },
  vertex: {
    provider: 'vertex',
    dialect: 'gemini',
    flavor: 'vertex',
    baseUrl: 'https://aiplatform.googleapis.com/v1beta1',
    keyVariables: ['GOOGLE_API_KEY'],
    auth: 'x-goog-api-key',
    countStyle: 'vertex',
  },
  ollama: { ...ollamaRow, dialect: 'ollama', listStyle: 'ollama', embedding: embeddingSupport.ollama },
  'ollama-compatible': {
    ...ollamaRow,
    ...chatRow,
    flavor: 'ollama',
    pathPrefix: '/v1',
    ...withStreamUsage,
    embedding: embeddingSupport.ollamaCompatible,
  },
  groq: createChatRow('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY', {
    capabilities: { supportsOutputWithTools: false },
  }),
  mistral: {
    provider: 'mistral',
    dialect: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    auth: 'bearer',
    listStyle: 'openai',
    embedding: embeddingSupport.mistral,
  },
  deepseek: createChatRow('deepseek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY', {
    ...withStreamUsage,
    capabilities: { supportsOutputSchema: false },
  }),
  xai: createChatRow('xai', 'https://api.x.ai/v1', 'XAI_API_KEY', withStreamUsage),
  openrouter: createChatRow('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', {
    ...withStreamUsage,
    embedding: compatibleEmbedding,
  }),
  together: createChatRow('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY', {
    ...withStreamUsage,
    embedding: compatibleEmbedding,
  }),
  fireworks: createChatRow('fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY', {
    ...withStreamUsage,
    embedding: embeddingSupport.fireworks,
  }),
  cerebras: createChatRow('cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY', withStreamUsage),
  perplexity: {
    dialect: 'openai-chat',
    auth: 'bearer',
    provider: 'perplexity',
    flavor: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyVariables: ['PERPLEXITY_API_KEY'],
    capabilities: { supportsTools: false },
  },
  azure: { ...chatRow, ...azureRow, flavor: 'azure', ...withStreamUsage },
  'azure-responses': { ...azureRow, dialect: 'openai-responses', stateLocation: 'stored' },
  'gemini-interactions': interactionsRow,
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html: the variables are those of the SDKs of AWS
  bedrock: {
    provider: 'bedrock',
    dialect: 'bedrock',
    baseUrl: 'https://bedrock-runtime.{AWS_REGION}.amazonaws.com',
    baseUrlVariable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    auth: 'bearer',
    countStyle: 'bedrock',
  },
  // https://docs.cohere.com/reference/about: the first variable is that of its SDKs
  cohere: {
    provider: 'cohere',
    dialect: 'cohere',
    baseUrl: 'https://api.cohere.com',
    keyVariables: ['CO_API_KEY', 'COHERE_API_KEY'],
    auth: 'bearer',
    capabilities: { supportsOutputWithTools: false },
    listStyle: 'cohere',
    embedding: embeddingSupport.cohere,
  },
  ...compatibleHostRows,
}

/** The row of any host with the Chat Completions API. */
export const openaiCompatibleRow: Omit<ProviderRow, 'provider'> = {
  ...chatRow,
  keyVariables: [],
  isKeyOptional: true,
  ...withStreamUsage,
  embedding: compatibleEmbedding,
}
