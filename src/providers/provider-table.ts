import { embeddingSupport } from './embedding-formats.ts'
import type { ProviderRow } from './provider-row.ts'

/** The name of a built-in provider. */
export type ProviderName =
  | 'anthropic'
  | 'azure'
  | 'cerebras'
  | 'deepseek'
  | 'fireworks'
  | 'gemini'
  | 'groq'
  | 'mistral'
  | 'ollama'
  | 'ollama-compatible'
  | 'openai'
  | 'openai-responses'
  | 'openrouter'
  | 'perplexity'
  | 'together'
  | 'vertex'
  | 'xai'

/** Without this field a Chat Completions stream does not report usage. */
const STREAM_USAGE_FIELDS = { stream_options: { include_usage: true } } as const

const chatRow = { dialect: 'openai-chat', auth: 'bearer', listStyle: 'openai' } as const

const openaiRow = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
  auth: 'bearer',
  listStyle: 'openai',
  embedding: embeddingSupport.openai,
} as const

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

/** Gemini 1 and 2 do not support an output schema together with tools. */
const geminiFamilies = [[/gemini-[12](?!\d)/, { supportsOutputWithTools: false }]] as const

/** The built-in providers, by the name that `model('<provider>:<model>')` accepts. */
export const providerTable: { readonly [name in ProviderName]: ProviderRow } = {
  openai: { ...openaiRow, dialect: 'openai-chat', defaultStreamFields: STREAM_USAGE_FIELDS },
  'openai-responses': {
    ...openaiRow,
    dialect: 'openai-responses',
    stateMode: 'stored',
    countStyle: 'openai-responses',
  },
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
    provider: 'gemini',
    dialect: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    auth: 'x-goog-api-key',
    families: geminiFamilies,
    listStyle: 'gemini',
    embedding: embeddingSupport.gemini,
    countStyle: 'gemini',
  },
  vertex: {
    provider: 'vertex',
    dialect: 'gemini',
    flavor: 'vertex',
    baseUrl: 'https://aiplatform.googleapis.com/v1beta1',
    keyVariables: ['GOOGLE_API_KEY'],
    auth: 'x-goog-api-key',
    families: geminiFamilies,
    countStyle: 'vertex',
  },
  ollama: {
    ...ollamaRow,
    dialect: 'ollama',
    listStyle: 'ollama',
    embedding: embeddingSupport.ollama,
  },
  'ollama-compatible': {
    ...ollamaRow,
    ...chatRow,
    flavor: 'ollama',
    pathPrefix: '/v1',
    defaultStreamFields: STREAM_USAGE_FIELDS,
    embedding: embeddingSupport.ollamaCompatible,
  },
  groq: {
    ...chatRow,
    provider: 'groq',
    flavor: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
  },
  mistral: {
    ...chatRow,
    provider: 'mistral',
    flavor: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    embedding: embeddingSupport.mistral,
  },
  deepseek: {
    ...chatRow,
    provider: 'deepseek',
    flavor: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    capabilities: { supportsOutputSchema: false },
    defaultStreamFields: STREAM_USAGE_FIELDS,
  },
  xai: {
    ...chatRow,
    provider: 'xai',
    flavor: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    defaultStreamFields: STREAM_USAGE_FIELDS,
  },
  openrouter: {
    ...chatRow,
    provider: 'openrouter',
    flavor: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultStreamFields: STREAM_USAGE_FIELDS,
    embedding: embeddingSupport.compatible,
  },
  together: {
    ...chatRow,
    provider: 'together',
    flavor: 'together',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    defaultStreamFields: STREAM_USAGE_FIELDS,
    embedding: embeddingSupport.compatible,
  },
  fireworks: {
    ...chatRow,
    provider: 'fireworks',
    flavor: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    defaultStreamFields: STREAM_USAGE_FIELDS,
    embedding: embeddingSupport.fireworks,
  },
  cerebras: {
    ...chatRow,
    provider: 'cerebras',
    flavor: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    defaultStreamFields: STREAM_USAGE_FIELDS,
  },
  perplexity: {
    dialect: 'openai-chat',
    auth: 'bearer',
    provider: 'perplexity',
    flavor: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyVariables: ['PERPLEXITY_API_KEY'],
    capabilities: { supportsTools: false },
  },
  azure: {
    ...chatRow,
    provider: 'azure',
    flavor: 'azure',
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    pathPrefix: '/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    auth: 'api-key',
    defaultStreamFields: STREAM_USAGE_FIELDS,
    embedding: embeddingSupport.openai,
  },
}

/** The row of any host with the Chat Completions API. */
export const compatibleRow: Omit<ProviderRow, 'provider'> = {
  ...chatRow,
  keyVariables: [],
  isKeyOptional: true,
  defaultStreamFields: STREAM_USAGE_FIELDS,
  embedding: embeddingSupport.compatible,
}
