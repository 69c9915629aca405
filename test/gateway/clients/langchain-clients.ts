import type { AIMessageChunk } from '@langchain/core/messages'
import { tool as createLangChainTool } from '@langchain/core/tools'
import type { DialectName } from 'interlingua'
import { importLibrary } from './installed-libraries.ts'
import {
  type ClientAnswer,
  type Feature,
  IMAGE,
  OUTPUT_NAME,
  PROMPTS,
  type Question,
  SCHEMA,
  TOOL,
} from './questions.ts'
import type { ClientLimit, SdkClient } from './sdk-client.ts'

/** The part of a model of LangChain that is used. */
interface LangChainModel {
  bindTools(tools: readonly unknown[]): LangChainModel
  withStructuredOutput(schema: object, options: object): LangChainModel
  invoke(input: readonly object[]): Promise<unknown>
  stream(input: readonly object[]): Promise<AsyncIterable<unknown>>
}

type LangChainModule = { readonly [name: string]: new (options: object) => LangChainModel }

/** A model of LangChain, and its options. */
interface LangChainRow {
  readonly name: string
  readonly dialect: DialectName
  readonly file: string
  readonly model: string
  readonly options: (url: string, model: string, feature: Feature) => object
  readonly limits?: readonly ClientLimit[]
}

const LANGCHAIN_MODELS: readonly LangChainRow[] = [
  {
    name: '@langchain/openai (Chat Completions)',
    dialect: 'openai-chat',
    file: '@langchain/openai/dist/index.js',
    model: 'ChatOpenAI',
    options: (url, model) => ({ model, apiKey: 'unused', configuration: { baseURL: `${url}/v1` } }),
    limits: [{ feature: 'reasoning', reason: 'the client drops reasoning of Chat Completions' }],
  },
  {
    name: '@langchain/openai (Responses)',
    dialect: 'openai-responses',
    file: '@langchain/openai/dist/index.js',
    model: 'ChatOpenAI',
    options: (url, model, feature) => ({
      model,
      apiKey: 'unused',
      configuration: { baseURL: `${url}/v1` },
      useResponsesApi: true,
      ...(feature === 'reasoning' && { reasoning: { effort: 'low', summary: 'auto' } }),
    }),
    limits: [
      { feature: 'structured output', mode: 'stream', reason: 'the client cannot parse its own chunks' },
    ],
  },
  {
    name: '@langchain/anthropic',
    dialect: 'anthropic',
    file: '@langchain/anthropic/dist/index.js',
    model: 'ChatAnthropic',
    options: (url, model, feature) => ({
      model,
      apiKey: 'unused',
      anthropicApiUrl: url,
      maxTokens: 4000,
      ...(feature === 'reasoning' && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    }),
  },
  {
    name: '@langchain/google-genai',
    dialect: 'gemini',
    file: '@langchain/google-genai/dist/index.js',
    model: 'ChatGoogleGenerativeAI',
    options: (url, model, feature) => ({
      model,
      apiKey: 'unused',
      baseUrl: url,
      ...(feature === 'reasoning' && { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } }),
    }),
    limits: [
      { feature: 'image', reason: 'the client allows images by the name of the model' },
      { feature: 'reasoning', mode: 'ask', reason: 'the client drops thoughts of whole answers' },
    ],
  },
  {
    name: '@langchain/ollama',
    dialect: 'ollama',
    file: '@langchain/ollama/dist/index.js',
    model: 'ChatOllama',
    options: (url, model, feature) => ({
      model,
      baseUrl: url,
      ...(feature === 'reasoning' && { think: true }),
    }),
  },
  {
    name: '@langchain/mistralai',
    dialect: 'mistral',
    file: '@langchain/mistralai/dist/index.js',
    model: 'ChatMistralAI',
    options: (url, model) => ({ model, apiKey: 'unused', serverURL: `${url}/mistral` }),
    limits: [{ feature: 'reasoning', reason: 'the client drops thinking' }],
  },
]

const langChainTool = createLangChainTool(() => '', { ...TOOL, schema: SCHEMA })

function createLangChainClient(row: LangChainRow): SdkClient {
  const { name, dialect, file, model: className, options, limits = [] } = row
  const prepare = async ({ feature, model, url }: Question): Promise<[LangChainModel, object[]]> => {
    const LangChainClass = (await importLibrary<LangChainModule>(file))[className]
    if (LangChainClass === undefined) throw new Error(`${name} has no ${className}`)
    const plain = new LangChainClass({ maxRetries: 0, ...options(url, model, feature) })
    const text = { type: 'text', text: PROMPTS[feature] }
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}` } }
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: feature === 'image' ? [text, image] : PROMPTS[feature] },
    ]
    if (feature === 'tools') return [plain.bindTools([langChainTool]), messages]
    return [
      feature === 'structured output'
        ? plain.withStructuredOutput(
            { title: OUTPUT_NAME, ...SCHEMA },
            { method: 'jsonSchema', name: OUTPUT_NAME },
          )
        : plain,
      messages,
    ]
  }
  const read = ({ text, tool_calls: calls = [], contentBlocks }: AIMessageChunk): ClientAnswer => ({
    text,
    reasoning: contentBlocks.map((block) => (block.type === 'reasoning' ? block.reasoning : '')).join(''),
    calls: calls.map(({ name: toolName, args }) => ({ name: toolName, arguments: args })),
  })
  const readOutput = (output: unknown): ClientAnswer => ({
    text: JSON.stringify(output),
    reasoning: '',
    calls: [],
  })
  return {
    name,
    dialect,
    limits,
    async ask(question) {
      const [model, messages] = await prepare(question)
      const output = await model.invoke(messages)
      return question.feature === 'structured output' ? readOutput(output) : read(output as AIMessageChunk)
    },
    async stream(question) {
      const [model, messages] = await prepare(question)
      const pieces: unknown[] = []
      for await (const piece of await model.stream(messages)) pieces.push(piece)
      if (question.feature === 'structured output') return readOutput(pieces.at(-1))
      return read((pieces as AIMessageChunk[]).reduce((whole, piece) => whole.concat(piece)))
    },
  }
}

export const langChainClients: readonly SdkClient[] = LANGCHAIN_MODELS.map(createLangChainClient)
