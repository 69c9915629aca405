import { Mistral } from '@mistralai/mistralai'
import type { ChatCompletionRequest, ContentChunk, ToolCall } from '@mistralai/mistralai/models/components'
import { type ClientAnswer, IMAGE, OUTPUT_NAME, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import { parseJson, type SdkClient } from './sdk-client.ts'

// Mistral has the paths of OpenAI, so that a part of the base path names it.
const createClient = (url: string): Mistral =>
  new Mistral({ apiKey: 'unused', serverURL: `${url}/mistral`, retryConfig: { strategy: 'none' } })

function createBody({ feature, model }: Question): Omit<ChatCompletionRequest, 'stream'> {
  const text = PROMPTS[feature]
  return {
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content:
          feature === 'image'
            ? [
                { type: 'text', text },
                { type: 'image_url', imageUrl: `data:image/png;base64,${IMAGE}` },
              ]
            : text,
      },
    ],
    ...(feature === 'tools' && {
      tools: [{ type: 'function', function: { ...TOOL, parameters: { ...SCHEMA } } }],
    }),
    ...(feature === 'reasoning' && { reasoningEffort: 'high' }),
    ...(feature === 'structured output' && {
      responseFormat: {
        type: 'json_schema',
        jsonSchema: { name: OUTPUT_NAME, schemaDefinition: { ...SCHEMA } },
      },
    }),
  }
}

/** A message, or a piece of one. */
interface MistralMessage {
  readonly content?: string | readonly ContentChunk[] | null | undefined
  readonly toolCalls?: readonly ToolCall[] | null | undefined
}

function readMessages(messages: readonly MistralMessage[]): ClientAnswer {
  const chunks = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []),
  )
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? [])
  return {
    text: chunks.map((chunk) => (chunk.type === 'text' && 'text' in chunk ? chunk.text : '')).join(''),
    reasoning: chunks
      .flatMap((chunk) => (chunk.type === 'thinking' && 'thinking' in chunk ? chunk.thinking : []))
      .map((chunk) => ('text' in chunk ? chunk.text : ''))
      .join(''),
    calls: calls.map(({ function: { name, arguments: given } }) => ({
      name,
      arguments: typeof given === 'string' ? parseJson(given) : given,
    })),
  }
}

export const mistralClient: SdkClient = {
  name: '@mistralai/mistralai',
  dialect: 'mistral',
  async ask(question) {
    const { choices } = await createClient(question.url).chat.complete(createBody(question))
    return readMessages(choices.map(({ message }) => message ?? {}))
  },
  async stream(question) {
    const messages: MistralMessage[] = []
    for await (const { data } of await createClient(question.url).chat.stream(createBody(question)))
      messages.push(...data.choices.map(({ delta }) => delta))
    return readMessages(messages)
  },
}
