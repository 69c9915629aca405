import Anthropic from '@anthropic-ai/sdk'
import { type ClientAnswer, IMAGE, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import type { SdkClient } from './sdk-client.ts'

const createClient = (url: string): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: 'unused', maxRetries: 0 })

function createBody({ feature, model }: Question): Anthropic.MessageCreateParamsNonStreaming {
  const text = PROMPTS[feature]
  const source = { type: 'base64', media_type: 'image/png', data: IMAGE } as const
  return {
    model,
    max_tokens: 4000,
    system: 'Be brief.',
    messages: [
      {
        role: 'user',
        content:
          feature === 'image'
            ? [
                { type: 'image', source },
                { type: 'text', text },
              ]
            : text,
      },
    ],
    ...(feature === 'tools' && {
      tools: [{ ...TOOL, input_schema: { ...SCHEMA, required: [...SCHEMA.required] } }],
    }),
    ...(feature === 'reasoning' && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    ...(feature === 'structured output' && {
      output_config: { format: { type: 'json_schema', schema: { ...SCHEMA } } },
    }),
  }
}

function readMessage({ content }: Anthropic.Message): ClientAnswer {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
    ),
  }
}

export const anthropicClient: SdkClient = {
  name: '@anthropic-ai/sdk',
  dialect: 'anthropic',
  async ask(question) {
    return readMessage(await createClient(question.url).messages.create(createBody(question)))
  },
  async stream(question) {
    return readMessage(await createClient(question.url).messages.stream(createBody(question)).finalMessage())
  },
}
