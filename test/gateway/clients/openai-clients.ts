import OpenAI from 'openai'
import { type ClientAnswer, IMAGE, OUTPUT_NAME, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import { type SdkClient, parseJson } from './sdk-client.ts'

const createClient = (url: string): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'unused', maxRetries: 0 })

const IMAGE_URL = `data:image/png;base64,${IMAGE}`

function createChatBody({
  feature,
  model,
}: Question): Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'> {
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
                { type: 'image_url', image_url: { url: IMAGE_URL } },
              ]
            : text,
      },
    ],
    ...(feature === 'tools' && {
      tools: [{ type: 'function', function: { ...TOOL, parameters: { ...SCHEMA } } }],
    }),
    ...(feature === 'reasoning' && { reasoning_effort: 'low' }),
    ...(feature === 'structured output' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: OUTPUT_NAME, schema: { ...SCHEMA }, strict: true },
      },
    }),
  }
}

function readChatMessage(message: OpenAI.ChatCompletionMessage | undefined): ClientAnswer {
  // Hosts of this format send reasoning in fields that the client does not declare and keeps.
  const { reasoning_content: reasoning = '' } = (message ?? {}) as { reasoning_content?: string }
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [call.function] : [],
  )
  return {
    text: message?.content ?? '',
    reasoning,
    calls: calls.map((call) => ({ name: call.name, arguments: parseJson(call.arguments) })),
  }
}

function createResponsesBody({
  feature,
  model,
}: Question): Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'> {
  const text = PROMPTS[feature]
  return {
    model,
    instructions: 'Be brief.',
    input:
      feature === 'image'
        ? [
            {
              role: 'user',
              content: [
                { type: 'input_text', text },
                { type: 'input_image', image_url: IMAGE_URL, detail: 'auto' },
              ],
            },
          ]
        : text,
    ...(feature === 'tools' && {
      tools: [{ type: 'function', ...TOOL, parameters: { ...SCHEMA }, strict: true }],
    }),
    ...(feature === 'reasoning' && { reasoning: { effort: 'low', summary: 'auto' } }),
    ...(feature === 'structured output' && {
      text: { format: { type: 'json_schema', name: OUTPUT_NAME, schema: { ...SCHEMA }, strict: true } },
    }),
  }
}

function readResponse({ output, output_text: text }: OpenAI.Responses.Response): ClientAnswer {
  return {
    text,
    reasoning: output
      .flatMap((item) =>
        item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])].map((part) => part.text) : [],
      )
      .join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, arguments: parseJson(item.arguments) }] : [],
    ),
  }
}

export const openaiClients: readonly SdkClient[] = [
  {
    name: 'openai (Chat Completions)',
    dialect: 'openai-chat',
    async ask(question) {
      const { choices } = await createClient(question.url).chat.completions.create(createChatBody(question))
      return readChatMessage(choices[0]?.message)
    },
    async stream(question) {
      const stream = createClient(question.url).chat.completions.stream(createChatBody(question))
      let reasoning = ''
      stream.on('chunk', ({ choices: [choice] }) => {
        reasoning += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
      })
      const { choices } = await stream.finalChatCompletion()
      return { ...readChatMessage(choices[0]?.message), reasoning }
    },
  },
  {
    name: 'openai (Responses)',
    dialect: 'openai-responses',
    async ask(question) {
      return readResponse(await createClient(question.url).responses.create(createResponsesBody(question)))
    },
    async stream(question) {
      return readResponse(
        await createClient(question.url).responses.stream(createResponsesBody(question)).finalResponse(),
      )
    },
  },
]
