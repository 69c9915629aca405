import {
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  ThinkingLevel,
} from '@google/genai'
import { type ClientAnswer, IMAGE, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import { parseJson, type SdkClient } from './sdk-client.ts'

const createClient = (url: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: url } })

function createContents({ feature, model }: Question): GenerateContentParameters {
  const text = PROMPTS[feature]
  return {
    model,
    contents: [
      {
        role: 'user',
        parts: [
          ...(feature === 'image' ? [{ inlineData: { mimeType: 'image/png', data: IMAGE } }] : []),
          { text },
        ],
      },
    ],
    config: {
      systemInstruction: 'Be brief.',
      ...(feature === 'tools' && {
        tools: [{ functionDeclarations: [{ ...TOOL, parametersJsonSchema: SCHEMA }] }],
      }),
      ...(feature === 'reasoning' && {
        thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.LOW },
      }),
      ...(feature === 'structured output' && {
        responseMimeType: 'application/json',
        responseJsonSchema: SCHEMA,
      }),
    },
  }
}

function readChunks(chunks: readonly GenerateContentResponse[]): ClientAnswer {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const join = (isThought: boolean): string =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('')
  return {
    text: join(false),
    reasoning: join(true),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall ? [{ name: functionCall.name ?? '', arguments: functionCall.args }] : [],
    ),
  }
}

type Interactions = GoogleGenAI['interactions']
type InteractionBody = Parameters<Interactions['create']>[0]

function createInteraction({ feature, model }: Question): InteractionBody {
  const text = { type: 'text', text: PROMPTS[feature] } as const
  return {
    model,
    system_instruction: 'Be brief.',
    input: feature === 'image' ? [{ type: 'image', data: IMAGE, mime_type: 'image/png' }, text] : [text],
    ...(feature === 'tools' && { tools: [{ type: 'function', ...TOOL, parameters: SCHEMA }] }),
    ...(feature === 'reasoning' && {
      generation_config: { thinking_level: 'low', thinking_summaries: 'auto' },
    }),
    ...(feature === 'structured output' && {
      response_format: { type: 'text', mime_type: 'application/json', schema: SCHEMA },
    }),
  }
}

/** A step of an interaction, of which only these fields are read. */
interface Step {
  readonly type: string
  readonly name?: string
  readonly arguments?: unknown
  readonly content?: readonly { readonly text?: string }[]
  readonly summary?: readonly { readonly text?: string }[]
}

function readSteps(steps: readonly Step[]): ClientAnswer {
  const join = (contents: readonly { readonly text?: string }[] = []): string =>
    contents.map(({ text = '' }) => text).join('')
  return {
    text: steps.map(({ type, content }) => (type === 'model_output' ? join(content) : '')).join(''),
    reasoning: steps.map(({ type, summary }) => (type === 'thought' ? join(summary) : '')).join(''),
    calls: steps.flatMap(({ type, name = '', arguments: given }) =>
      type === 'function_call' ? [{ name, arguments: given }] : [],
    ),
  }
}

/** A delta of a streamed step, of which only these fields are read. */
interface StepDelta {
  readonly type: string
  readonly text?: string
  readonly arguments?: string
  readonly content?: { readonly text?: string }
}

/** Joins the deltas of a streamed step. */
class StepReader {
  readonly #step: Step
  #text = ''
  #arguments = ''

  constructor(step: Step) {
    this.#step = step
  }

  add({ type, text, content, arguments: json }: StepDelta): void {
    if (type === 'arguments_delta') this.#arguments += json ?? ''
    else this.#text += text ?? content?.text ?? ''
  }

  build(): Step {
    const contents = [{ text: this.#text }]
    return {
      ...this.#step,
      content: contents,
      summary: contents,
      ...(this.#arguments !== '' && { arguments: parseJson(this.#arguments) }),
    }
  }
}

export const googleClients: readonly SdkClient[] = [
  {
    name: '@google/genai (generateContent)',
    dialect: 'gemini',
    async ask(question) {
      return readChunks([await createClient(question.url).models.generateContent(createContents(question))])
    },
    async stream(question) {
      const { models } = createClient(question.url)
      const chunks: GenerateContentResponse[] = []
      for await (const chunk of await models.generateContentStream(createContents(question)))
        chunks.push(chunk)
      return readChunks(chunks)
    },
  },
  {
    name: '@google/genai (interactions)',
    dialect: 'gemini-interactions',
    async ask(question) {
      const { interactions } = createClient(question.url)
      const interaction = await interactions.create({ ...createInteraction(question), stream: false })
      return readSteps((interaction.steps ?? []) as readonly Step[])
    },
    async stream(question) {
      const { interactions } = createClient(question.url)
      const steps = new Map<number, StepReader>()
      for await (const event of await interactions.create({ ...createInteraction(question), stream: true })) {
        if (event.event_type === 'step.start') steps.set(event.index, new StepReader(event.step as Step))
        if (event.event_type === 'step.delta') steps.get(event.index)?.add(event.delta as StepDelta)
      }
      return readSteps([...steps.values()].map((step) => step.build()))
    },
  },
]
