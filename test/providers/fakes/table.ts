import { openaiCompatible, type Provider, type ProviderName, providers } from 'interlingua/providers'
import { compatibleHostRows } from '../../../src/providers/compatible-hosts.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { gemini } from './gemini.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Act, type Fake, sends, startFake, streams } from './server.ts'
import type { countServices, embedServices, listServices } from './services.ts'
import * as vendors from './vendors.ts'
import type { FakeWire } from './wire.ts'

/** A provider and the wire format of its fake. */
export interface FakeProvider {
  readonly name: string
  readonly wire: FakeWire
  /** The provider with the base URL of its fake. */
  at(url: string): Provider
  /** The header that contains the key. */
  readonly auth: string
  /** The variables of the key; none if no key is needed. */
  readonly variables: readonly string[]
}

export const KEY = 'sk-canary-0123456789abcdef'

/** What a provider of the table has, from its documentation. */
interface ProviderFacts {
  readonly wire: FakeWire
  /** The header that contains the key. */
  readonly auth: string
  readonly variables: readonly string[]
  /** The address of a request to the model `fake-1`; absent if every account has its own. */
  readonly url?: string
  /** The style of each service that it has. */
  readonly list?: keyof typeof listServices
  readonly embedding?: keyof typeof embedServices
  readonly count?: keyof typeof countServices
}

const bearer = { auth: 'authorization' } as const
const googleKey = { auth: 'x-goog-api-key' } as const
const listed = { ...bearer, list: 'openai' } as const
const embedded = { ...listed, embedding: 'openai' } as const
const openai = { ...embedded, variables: ['OPENAI_API_KEY'] } as const
const local = { ...embedded, variables: [] } as const

/** Returns the facts of a host that deviates from the Chat Completions API in its flavor only. */
const chatHost = (baseUrl: string, ...variables: readonly string[]) => ({
  ...listed,
  wire: openaiChat,
  variables,
  url: `${baseUrl}/chat/completions`,
})
const embeddingHost = (baseUrl: string, ...variables: readonly string[]) => ({
  ...chatHost(baseUrl, ...variables),
  ...embedded,
})

const messagesHost = (baseUrl: string, ...variables: readonly string[]) => ({
  ...bearer,
  wire: anthropic,
  variables,
  url: `${baseUrl}/v1/messages`,
})

export const providerFacts: { readonly [name in ProviderName]: ProviderFacts } = {
  openai: { url: 'https://api.openai.com/v1/chat/completions', ...openai, wire: openaiChat },
  'openai-chat': { ...openai, wire: openaiChat },
  'openai-responses': {
    url: 'https://api.openai.com/v1/responses',
    ...openai,
    wire: openaiResponses,
    count: 'openai-responses',
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1/messages',
    ...bearer,
    wire: anthropic,
    variables: ['ANTHROPIC_API_KEY'],
    list: 'anthropic',
    count: 'anthropic',
  },
  gemini: {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/fake-1:generateContent',
    ...googleKey,
    wire: gemini('/v1beta/models'),
    variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    list: 'gemini',
    embedding: 'gemini',
    count: 'gemini',
  },
  'gemini-interactions': {
    url: 'https://generativelanguage.googleapis.com/v1beta/interactions',
    ...googleKey,
    wire: geminiInteractions,
    variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    list: 'gemini',
    embedding: 'gemini',
  },
  bedrock: { ...bearer, wire: bedrock, variables: ['AWS_BEARER_TOKEN_BEDROCK'], count: 'bedrock' },
  cohere: {
    url: 'https://api.cohere.com/v2/chat',
    ...bearer,
    wire: cohere,
    variables: ['CO_API_KEY', 'COHERE_API_KEY'],
    list: 'cohere',
    embedding: 'cohere',
  },
  vertex: {
    url: 'https://aiplatform.googleapis.com/v1beta1/publishers/google/models/fake-1:generateContent',
    ...googleKey,
    wire: gemini('/publishers/google/models'),
    variables: ['GOOGLE_API_KEY'],
    count: 'vertex',
  },
  ollama: {
    url: 'http://127.0.0.1:11434/api/chat',
    ...bearer,
    wire: ollama,
    variables: [],
    list: 'ollama',
    embedding: 'ollama',
  },
  'ollama-compatible': {
    url: 'http://127.0.0.1:11434/v1/chat/completions',
    ...local,
    wire: vendors.ollamaCompatible,
  },
  groq: {
    url: 'https://api.groq.com/openai/v1/chat/completions',
    ...listed,
    wire: vendors.groq,
    variables: ['GROQ_API_KEY'],
  },
  mistral: {
    url: 'https://api.mistral.ai/v1/chat/completions',
    ...embedded,
    wire: vendors.mistral,
    variables: ['MISTRAL_API_KEY'],
  },
  deepseek: {
    url: 'https://api.deepseek.com/chat/completions',
    ...listed,
    wire: vendors.deepseek,
    variables: ['DEEPSEEK_API_KEY'],
  },
  xai: {
    url: 'https://api.x.ai/v1/chat/completions',
    ...listed,
    wire: vendors.xai,
    variables: ['XAI_API_KEY'],
  },
  openrouter: {
    url: 'https://openrouter.ai/api/v1/chat/completions',
    ...embedded,
    wire: vendors.openrouter,
    variables: ['OPENROUTER_API_KEY'],
  },
  together: {
    url: 'https://api.together.xyz/v1/chat/completions',
    ...embedded,
    wire: vendors.together,
    variables: ['TOGETHER_API_KEY'],
  },
  fireworks: {
    url: 'https://api.fireworks.ai/inference/v1/chat/completions',
    ...embedded,
    wire: vendors.fireworks,
    variables: ['FIREWORKS_API_KEY'],
  },
  cerebras: {
    url: 'https://api.cerebras.ai/v1/chat/completions',
    ...listed,
    wire: vendors.cerebras,
    variables: ['CEREBRAS_API_KEY'],
  },
  perplexity: {
    url: 'https://api.perplexity.ai/chat/completions',
    ...bearer,
    wire: vendors.perplexity,
    variables: ['PERPLEXITY_API_KEY'],
  },
  azure: { ...embedded, auth: 'api-key', wire: vendors.azure, variables: ['AZURE_OPENAI_API_KEY'] },
  'azure-responses': {
    ...embedded,
    auth: 'api-key',
    wire: openaiResponses,
    variables: ['AZURE_OPENAI_API_KEY'],
  },
  cloudflare: {
    ...bearer,
    wire: openaiChat,
    variables: ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY'],
    embedding: 'openai',
  },
  deepinfra: embeddingHost('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY', 'DEEPINFRA_TOKEN'),
  'github-models': {
    ...bearer,
    wire: openaiChat,
    variables: ['GITHUB_TOKEN'],
    embedding: 'openai',
    url: 'https://models.github.ai/inference/chat/completions',
  },
  huggingface: chatHost('https://router.huggingface.co/v1', 'HF_TOKEN'),
  litellm: embeddingHost('http://127.0.0.1:4000'),
  'llama.cpp': embeddingHost('http://127.0.0.1:8080/v1'),
  lmstudio: embeddingHost('http://127.0.0.1:1234/v1'),
  minimax: { ...chatHost('https://api.minimax.io/v1', 'MINIMAX_API_KEY'), wire: vendors.minimax },
  moonshot: chatHost('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  nebius: embeddingHost('https://api.tokenfactory.nebius.com/v1', 'NEBIUS_API_KEY'),
  nvidia: chatHost('https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY'),
  qwen: embeddingHost('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  sambanova: embeddingHost('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  vllm: embeddingHost('http://127.0.0.1:8000/v1'),
  zai: chatHost('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY'),
  'deepseek-anthropic': {
    ...messagesHost('https://api.deepseek.com/anthropic', 'DEEPSEEK_API_KEY'),
    auth: 'x-api-key',
  },
  'llama.cpp-anthropic': {
    ...messagesHost('http://127.0.0.1:8080'),
    list: 'anthropic',
    count: 'anthropic',
  },
  'lmstudio-anthropic': { ...messagesHost('http://127.0.0.1:1234'), list: 'anthropic' },
  'minimax-anthropic': messagesHost('https://api.minimax.io/anthropic', 'MINIMAX_API_KEY'),
  'moonshot-anthropic': messagesHost('https://api.moonshot.ai/anthropic', 'MOONSHOT_API_KEY'),
  'ollama-anthropic': { ...messagesHost('http://127.0.0.1:11434'), list: 'anthropic' },
  'zai-anthropic': messagesHost('https://api.z.ai/api/anthropic', 'ZAI_API_KEY'),
}

/** Every built-in provider, and a compatible host. */
export const allProviders: readonly FakeProvider[] = [
  ...(Object.keys(providerFacts) as ProviderName[]).map((name) => ({
    ...providerFacts[name],
    name,
    at: (baseUrl: string) => providers[name].with({ baseUrl }),
  })),
  {
    name: 'compatible',
    wire: openaiChat,
    auth: 'authorization',
    variables: [],
    at: (baseUrl) => openaiCompatible({ baseUrl }),
  },
]

/** The providers whose fakes differ: hosts with the fake of another one are tested by their rows only. */
export const fakeProviders: readonly FakeProvider[] = allProviders.filter(
  ({ name }) => !Object.hasOwn(compatibleHostRows, name) || name === 'minimax',
)

/** One provider for each wire format. */
export const oneOfEach: readonly FakeProvider[] = fakeProviders.filter(({ name }) =>
  [
    'openai',
    'openai-responses',
    'anthropic',
    'gemini',
    'vertex',
    'ollama',
    'gemini-interactions',
    'bedrock',
    'cohere',
  ].includes(name),
)

/** The default handler of a provider: the response, whole or as a stream. */
export function usualOf(wire: FakeWire): Act {
  return (response, request) => {
    const refused = wire.refused?.(request)
    if (refused !== undefined) return sends(refused, 422)(response, request)
    const events = wire.streamed?.(request) ?? wire.events
    const answer = wire.isStream(request) ? streams(events, wire.streamType) : sends(wire.whole)
    return answer(response, request)
  }
}

export function startProvider({ wire }: FakeProvider): Promise<Fake> {
  return startFake(usualOf(wire))
}
