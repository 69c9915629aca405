import type {
  AssistantMessage,
  AssistantPart,
  ChatRequest,
  DialectName,
  JsonObject,
  Message,
  SystemMessage,
  SystemPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
  UserPart,
} from 'interlingua'

/** The model that each dialect encodes a case for, if the case has no other. */
export const MODELS: { readonly [name in DialectName]: string } = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
  ollama: 'qwen3',
  mistral: 'mistral-large-latest',
  'gemini-interactions': 'gemini-2.5-flash',
  bedrock: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  cohere: 'command-a-plus-05-2026',
}

/** A canonical request, from which a case is built. */
export interface RequestSource {
  readonly name: string
  readonly description: string
  readonly request: ChatRequest
  /** Models in place of `MODELS`. */
  readonly models?: Partial<Record<DialectName, string>>
}

/** The moment at which everything happens: 2026-01-02T03:04:05Z. */
export const NOW: number = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A message without its id and its time, which `conversation` adds. */
export type Draft =
  | Omit<SystemMessage, 'id' | 'createdAt'>
  | Omit<UserMessage, 'id' | 'createdAt'>
  | Omit<AssistantMessage, 'id' | 'createdAt'>
  | Omit<ToolMessage, 'id' | 'createdAt'>

/** Returns messages with numbered ids, one second apart. */
export function conversation(...drafts: readonly Draft[]): readonly Message[] {
  return drafts.map((draft, index) => ({
    id: `msg_${index + 1}`,
    createdAt: new Date(NOW + index * 1000).toISOString(),
    ...draft,
  }))
}

const toParts = <T>(content: readonly (T | string)[]): readonly T[] =>
  content.map((each) => (typeof each === 'string' ? ({ type: 'text', text: each } as T) : each))

/** Returns a system message without id. */
export const instruct = (...content: readonly (SystemPart | string)[]): Draft => ({
  role: 'system',
  content: toParts(content),
})

/** Returns a user message without id. */
export const ask = (...content: readonly (UserPart | string)[]): Draft => ({
  role: 'user',
  content: toParts(content),
})

/** Returns an assistant message without id. */
export const reply = (
  ...content: readonly (AssistantPart | string)[]
): Omit<AssistantMessage, 'id' | 'createdAt'> => ({
  role: 'assistant',
  content: toParts(content),
})

/** Returns a message of tool results without id. */
export const results = (...content: ToolMessage['content']): Draft => ({ role: 'tool', content })

/** Returns a call. */
export const call = (id: string, name: string, input: JsonObject): AssistantPart => ({
  type: 'tool-call',
  id,
  name,
  arguments: input,
})

/** Returns the result of a call. */
export const result = (
  callId: string,
  name: string,
  ...content: readonly (ToolResultPart['content'][number] | string)[]
): ToolResultPart => ({ type: 'tool-result', callId, name, content: toParts(content) })

/** A function tool with one parameter. */
export const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  input: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
} as const

/** A function tool without parameters. */
export const CLOCK = {
  type: 'function',
  name: 'get_time',
  description: 'Returns the current time.',
  input: { type: 'object', properties: {} },
} as const

/** The first bytes of media, enough to recognize their format. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
export const WAV = 'UklGRiQAAABXQVZF'
export const PDF = 'JVBERi0xLjQK'
export const MP4 = 'AAAAGGZ0eXBtcDQy'
