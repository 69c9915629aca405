import { assistant, type AssistantMessage, type DialectName, type ToolCallPart } from 'interlingua'
import { attachSignature } from 'interlingua/content'

/** How the providers that sign do it: the vendor of their signatures, and what they sign. */
export const SIGNERS: {
  readonly [dialect in DialectName]?: readonly [vendor: string, signed: 'reasoning' | 'call']
} = {
  anthropic: ['anthropic', 'reasoning'],
  // The models of Anthropic on Bedrock accept the signatures of its own API, and the other way around.
  bedrock: ['anthropic', 'reasoning'],
  'openai-responses': ['openai', 'reasoning'],
  gemini: ['google', 'call'],
  'gemini-interactions': ['google-interactions', 'reasoning'],
}

/** Returns reasoning and calls as the provider of a dialect signs them: the reasoning, or the first call. */
export function createSignedAnswer(
  dialect: DialectName,
  text: string,
  calls: readonly ToolCallPart[],
  value: string,
): AssistantMessage {
  const [vendor = '', signed] = SIGNERS[dialect] ?? []
  const reasoning = { type: 'reasoning', text } as const
  const signature = { vendor, value }
  return assistant([
    signed === 'reasoning' ? attachSignature(reasoning, signature) : reasoning,
    ...calls.map((call, index) =>
      signed === 'call' && index === 0 ? attachSignature(call, signature) : call,
    ),
  ])
}
