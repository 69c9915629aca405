import { openaiCompatible, type Provider, type ProviderName, providers } from 'interlingua/providers'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { type Act, type Fake, sends, startFake, streams } from './server.ts'
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

const wires: {
  readonly [name in ProviderName]: readonly [wire: FakeWire, auth: string, ...variables: string[]]
} = {
  openai: [openaiChat, 'authorization', 'OPENAI_API_KEY'],
  'openai-chat': [openaiChat, 'authorization', 'OPENAI_API_KEY'],
  'openai-responses': [openaiResponses, 'authorization', 'OPENAI_API_KEY'],
  anthropic: [anthropic, 'authorization', 'ANTHROPIC_API_KEY'],
  gemini: [gemini('/v1beta/models'), 'x-goog-api-key', 'GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  vertex: [gemini('/publishers/google/models'), 'x-goog-api-key', 'GOOGLE_API_KEY'],
  ollama: [ollama, 'authorization'],
  'ollama-compatible': [vendors.ollamaCompatible, 'authorization'],
  groq: [vendors.groq, 'authorization', 'GROQ_API_KEY'],
  mistral: [vendors.mistral, 'authorization', 'MISTRAL_API_KEY'],
  deepseek: [vendors.deepseek, 'authorization', 'DEEPSEEK_API_KEY'],
  xai: [vendors.xai, 'authorization', 'XAI_API_KEY'],
  openrouter: [vendors.openrouter, 'authorization', 'OPENROUTER_API_KEY'],
  together: [vendors.together, 'authorization', 'TOGETHER_API_KEY'],
  fireworks: [vendors.fireworks, 'authorization', 'FIREWORKS_API_KEY'],
  cerebras: [vendors.cerebras, 'authorization', 'CEREBRAS_API_KEY'],
  perplexity: [vendors.perplexity, 'authorization', 'PERPLEXITY_API_KEY'],
  azure: [vendors.azure, 'api-key', 'AZURE_OPENAI_API_KEY'],
}

/** Every built-in provider, and a compatible host. */
export const fakeProviders: readonly FakeProvider[] = [
  ...(Object.keys(wires) as ProviderName[]).map((name) => {
    const [wire, auth, ...variables] = wires[name]
    return { name, wire, auth, variables, at: (baseUrl: string) => providers[name].with({ baseUrl }) }
  }),
  {
    name: 'compatible',
    wire: openaiChat,
    auth: 'authorization',
    variables: [],
    at: (baseUrl) => openaiCompatible({ baseUrl }),
  },
]

/** One provider for each wire format. */
export const oneOfEach: readonly FakeProvider[] = fakeProviders.filter(({ name }) =>
  ['openai', 'openai-responses', 'anthropic', 'gemini', 'vertex', 'ollama'].includes(name),
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
