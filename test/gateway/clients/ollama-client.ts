import { type ChatRequest, type ChatResponse, Ollama } from 'ollama'
import { type ClientAnswer, IMAGE, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import type { SdkClient } from './sdk-client.ts'

function createBody({ feature, model }: Question): Omit<ChatRequest, 'stream'> {
  const images = feature === 'image' ? { images: [IMAGE] } : {}
  return {
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: PROMPTS[feature], ...images },
    ],
    ...(feature === 'tools' && {
      tools: [
        {
          type: 'function',
          function: { ...TOOL, parameters: { ...SCHEMA, required: [...SCHEMA.required] } },
        },
      ],
    }),
    ...(feature === 'reasoning' && { think: true }),
    ...(feature === 'structured output' && { format: SCHEMA }),
  }
}

function readChunks(chunks: readonly ChatResponse[]): ClientAnswer {
  const messages = chunks.map(({ message }) => message)
  return {
    text: messages.map(({ content }) => content).join(''),
    reasoning: messages.map(({ thinking }) => thinking ?? '').join(''),
    calls: messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ function: { name, arguments: given } }) => ({ name, arguments: given })),
    ),
  }
}

export const ollamaClient: SdkClient = {
  name: 'ollama',
  dialect: 'ollama',
  async ask(question) {
    return readChunks([
      await new Ollama({ host: question.url }).chat({ ...createBody(question), stream: false }),
    ])
  },
  async stream(question) {
    const chunks: ChatResponse[] = []
    const stream = await new Ollama({ host: question.url }).chat({ ...createBody(question), stream: true })
    for await (const chunk of stream) chunks.push(chunk)
    return readChunks(chunks)
  },
}
