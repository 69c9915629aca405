import { embeddings } from './embedding.ts'
import type { ProviderRow } from './row.ts'

/** The name of a provider that is built in. */
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

/** Without it a stream of Chat Completions does not tell its usage. */
const usage = { stream_options: { include_usage: true } } as const

const chat = { dialect: 'openai-chat', auth: 'bearer', list: 'openai' } as const

const openai = {
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlVariable: 'OPENAI_BASE_URL',
  keyVariables: ['OPENAI_API_KEY'],
  auth: 'bearer',
  list: 'openai',
  embed: embeddings.openai,
} as const

const ollama = {
  provider: 'ollama',
  // A schema binds all that the model writes, so it calls no tools.
  capabilities: { outputWithTools: false },
  baseUrl: 'http://127.0.0.1:11434',
  baseUrlVariable: 'OLLAMA_HOST',
  port: 11434,
  keyVariables: ['OLLAMA_API_KEY'],
  keyOptional: true,
  auth: 'bearer',
} as const

/** Up to version 2, Gemini refuses a schema together with tools. */
const geminiFamilies = [[/gemini-[12](?!\d)/, { outputWithTools: false }]] as const

/** The providers by the name that `model` knows them by. */
export const rows: { readonly [name in ProviderName]: ProviderRow } = {
  openai: { ...openai, dialect: 'openai-chat', streamFields: usage },
  'openai-responses': { ...openai, dialect: 'openai-responses', state: 'stored', count: 'openai-responses' },
  anthropic: {
    provider: 'anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    auth: 'bearer',
    list: 'anthropic',
    count: 'anthropic',
  },
  gemini: {
    provider: 'gemini',
    dialect: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    auth: 'x-goog-api-key',
    families: geminiFamilies,
    list: 'gemini',
    embed: embeddings.gemini,
    count: 'gemini',
  },
  vertex: {
    provider: 'vertex',
    dialect: 'gemini',
    flavor: 'vertex',
    baseUrl: 'https://aiplatform.googleapis.com/v1beta1',
    keyVariables: ['GOOGLE_API_KEY'],
    auth: 'x-goog-api-key',
    families: geminiFamilies,
    count: 'vertex',
  },
  ollama: {
    ...ollama,
    dialect: 'ollama',
    list: 'ollama',
    embed: embeddings.ollama,
  },
  'ollama-compatible': {
    ...ollama,
    ...chat,
    flavor: 'ollama',
    below: '/v1',
    streamFields: usage,
    embed: embeddings.ollamaCompatible,
  },
  groq: {
    ...chat,
    provider: 'groq',
    flavor: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
  },
  mistral: {
    ...chat,
    provider: 'mistral',
    flavor: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    embed: embeddings.mistral,
  },
  deepseek: {
    ...chat,
    provider: 'deepseek',
    flavor: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    capabilities: { outputSchema: false },
    streamFields: usage,
  },
  xai: {
    ...chat,
    provider: 'xai',
    flavor: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    streamFields: usage,
  },
  openrouter: {
    ...chat,
    provider: 'openrouter',
    flavor: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    streamFields: usage,
    embed: embeddings.compatible,
  },
  together: {
    ...chat,
    provider: 'together',
    flavor: 'together',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    streamFields: usage,
    embed: embeddings.compatible,
  },
  fireworks: {
    ...chat,
    provider: 'fireworks',
    flavor: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    streamFields: usage,
    embed: embeddings.fireworks,
  },
  cerebras: {
    ...chat,
    provider: 'cerebras',
    flavor: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    streamFields: usage,
  },
  perplexity: {
    dialect: 'openai-chat',
    auth: 'bearer',
    provider: 'perplexity',
    flavor: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyVariables: ['PERPLEXITY_API_KEY'],
    capabilities: { tools: false },
  },
  azure: {
    ...chat,
    provider: 'azure',
    flavor: 'azure',
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    below: '/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    auth: 'api-key',
    streamFields: usage,
    embed: embeddings.openai,
  },
}

/** Any host that speaks Chat Completions. */
export const compatible: Omit<ProviderRow, 'provider'> = {
  ...chat,
  keyVariables: [],
  keyOptional: true,
  streamFields: usage,
  embed: embeddings.compatible,
}
