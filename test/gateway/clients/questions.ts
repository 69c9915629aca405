import { assistant, type AssistantMessage, type ChatRequest, textOf } from 'interlingua'
import { scripted, type ScriptedModel } from 'interlingua/providers'

/** What a client asks for. */
export const FEATURES = ['text', 'tools', 'image', 'reasoning', 'structured output'] as const

export type Feature = (typeof FEATURES)[number]

/** A question of a client, in no format. */
export interface Question {
  readonly feature: Feature
  readonly model: string
  readonly url: string
}

/** What a client shows of an answer. */
export interface ClientAnswer {
  readonly text: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
}

/** A red PNG of one pixel in base64. */
export const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** The schema of the tool's input and of structured output. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
} as const

export const TOOL = {
  name: 'forecast',
  description: 'The weather of the next days in a city',
} as const

/** The name of structured output. */
export const OUTPUT_NAME = 'plan'

/** The text of each question. */
export const PROMPTS: { readonly [feature in Feature]: string } = {
  text: 'Say hello.',
  tools: 'How will the weather be in Oslo?',
  image: 'What is in this image?',
  reasoning: 'Think: how much is 3 times 7?',
  'structured output': 'For which city and how many days?',
}

const FORECAST = { city: 'Oslo', days: 3 }

/** The right answer of each question. Clients that show no reasoning return none. */
export const ANSWERS: { readonly [feature in Feature]: ClientAnswer } = {
  text: { text: 'Hello! Grüße, 世界 🌍' },
  tools: { text: 'Let me look.', calls: [{ name: TOOL.name, arguments: FORECAST }] },
  image: { text: `An image/png of ${IMAGE.length} characters.` },
  reasoning: { text: '21', reasoning: 'Three sevens are 21.' },
  'structured output': { text: JSON.stringify(FORECAST) },
}

/**
 * A model behind the doubles of all providers. It answers from what has arrived: without the tool, the image or the schema of
 * the question, the answer is wrong.
 */
export function createAnsweringModel(): ScriptedModel {
  return scripted((request) => answerRequest(request))
}

function answerRequest(request: ChatRequest): AssistantMessage {
  const prompt = [...request.messages].map((message) => textOf(message)).join('\n')
  const feature = FEATURES.find((each) => prompt.includes(PROMPTS[each]))
  if (feature === undefined || !hasArrived[feature](request))
    return assistant(`Wrong: ${JSON.stringify(request).slice(0, 1000)}`)
  const { text, reasoning, calls = [] } = ANSWERS[feature]
  // Some libraries ask for structured output with a tool that must be called.
  const isForced = feature === 'structured output' && request.output === undefined
  const called = isForced ? findTools(request) : calls
  return assistant([
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(isForced ? [] : [{ type: 'text' as const, text }]),
    ...called.map(({ name }, index) => ({
      type: 'tool-call' as const,
      id: `call_${index}`,
      name,
      arguments: FORECAST,
    })),
  ])
}

/** Tests by feature whether a request contains what its question needs. */
const hasArrived: { readonly [feature in Feature]: (request: ChatRequest) => boolean } = {
  text: () => true,
  reasoning: () => true,
  tools: (request) => findTools(request).some(({ name }) => name === TOOL.name),
  image: (request) => JSON.stringify(request).includes(IMAGE),
  'structured output': (request) =>
    findTools(request).length > 0 || JSON.stringify(request.output ?? '').includes('"days"'),
}

/** Returns the tools that have the schema of the question. */
function findTools({ tools = [] }: ChatRequest): readonly { readonly name: string }[] {
  return tools.flatMap((tool) =>
    tool.type === 'function' && JSON.stringify(tool).includes('"days"') ? [tool] : [],
  )
}
