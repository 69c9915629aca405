import { type Cohere, CohereClientV2 } from 'cohere-ai'
import { type ClientAnswer, IMAGE, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import { parseJson, type SdkClient } from './sdk-client.ts'

export const createCohereClient = (url: string, maxRetries = 0): CohereClientV2 =>
  new CohereClientV2({ token: 'unused', environment: url, maxRetries })

function createBody({ feature, model }: Question): Cohere.V2ChatRequest {
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
                { type: 'image_url', imageUrl: { url: `data:image/png;base64,${IMAGE}` } },
              ]
            : text,
      },
    ],
    ...(feature === 'tools' && {
      tools: [{ type: 'function', function: { ...TOOL, parameters: { ...SCHEMA } } }],
    }),
    ...(feature === 'reasoning' && { thinking: { type: 'enabled' } }),
    ...(feature === 'structured output' && {
      responseFormat: { type: 'json_object', jsonSchema: { ...SCHEMA } },
    }),
  }
}

interface Content {
  readonly text?: string | undefined
  readonly thinking?: string | undefined
}

/** Reads contents, the plan before calls, and calls, of which the texts of one call may be in several. */
function readAnswer(
  contents: readonly Content[],
  plans: readonly string[],
  calls: readonly (readonly [name: string, json: string])[],
): ClientAnswer {
  return {
    text: [...contents.map(({ text = '' }) => text), ...plans].join(''),
    reasoning: contents.map(({ thinking = '' }) => thinking).join(''),
    calls: calls.map(([name, json]) => ({ name, arguments: parseJson(json) })),
  }
}

export const cohereClient: SdkClient = {
  name: 'cohere-ai',
  dialect: 'cohere',
  async ask(question) {
    const { message } = await createCohereClient(question.url).chat(createBody(question))
    const { content = [], toolPlan = '', toolCalls = [] } = message
    return readAnswer(
      content,
      [toolPlan],
      toolCalls.map((call) => [call.function?.name ?? '', call.function?.arguments ?? '']),
    )
  },
  async stream(question) {
    const contents: Content[] = []
    const plans: string[] = []
    const calls: [name: string, json: string][] = []
    for await (const event of await createCohereClient(question.url).chatStream(createBody(question))) {
      if (event.type === 'content-start' || event.type === 'content-delta') {
        const content = event.delta?.message?.content
        if (content) contents.push(content)
      }
      if (event.type === 'tool-plan-delta') plans.push(event.delta?.message?.toolPlan ?? '')
      if (event.type === 'tool-call-start') {
        const call = event.delta?.message?.toolCalls?.function
        calls.push([call?.name ?? '', call?.arguments ?? ''])
      }
      const last = calls.at(-1)
      if (event.type === 'tool-call-delta' && last)
        last[1] += event.delta?.message?.toolCalls?.function?.arguments ?? ''
    }
    return readAnswer(contents, plans, calls)
  },
}
