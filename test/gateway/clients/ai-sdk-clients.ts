import type { DialectName } from 'interlingua'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  streamText,
  tool as createAiTool,
  type ToolSet,
} from 'ai'
import { importLibrary } from './installed-libraries.ts'
import { type ClientAnswer, IMAGE, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import type { SdkClient } from './sdk-client.ts'

/** The part of a provider of the AI SDK that is used: it is called with a model, or its APIs are. */
type AiProvider = { readonly [api: string]: (model: string) => LanguageModel }

type AiModule = { readonly [create: string]: (options: object) => AiProvider }

/** A model of the AI SDK. */
interface AiRow {
  readonly name: string
  readonly dialect: DialectName
  readonly file: string
  readonly create: string
  /** The method of the provider for this API. */
  readonly api: string
  readonly path: string
  /** The setting with which the model is asked to reason. */
  readonly reasoning: { readonly [provider: string]: object }
}

const AI_MODELS: readonly AiRow[] = [
  {
    name: '@ai-sdk/openai (Responses)',
    dialect: 'openai-responses',
    file: '@ai-sdk/openai/dist/index.mjs',
    create: 'createOpenAI',
    api: 'responses',
    path: '/v1',
    reasoning: { openai: { reasoningEffort: 'low', reasoningSummary: 'auto', forceReasoning: true } },
  },
  {
    name: '@ai-sdk/openai-compatible',
    dialect: 'openai-chat',
    file: '@ai-sdk/openai-compatible/dist/index.mjs',
    create: 'createOpenAICompatible',
    api: 'chatModel',
    path: '/v1',
    reasoning: { gateway: { reasoningEffort: 'low' } },
  },
  {
    name: '@ai-sdk/anthropic',
    dialect: 'anthropic',
    file: '@ai-sdk/anthropic/dist/index.mjs',
    create: 'createAnthropic',
    api: 'messages',
    path: '/v1',
    reasoning: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  },
  {
    name: '@ai-sdk/google',
    dialect: 'gemini',
    file: '@ai-sdk/google/dist/index.mjs',
    create: 'createGoogleGenerativeAI',
    api: 'chat',
    path: '/v1beta',
    reasoning: { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
  },
  {
    name: '@ai-sdk/mistral',
    dialect: 'mistral',
    file: '@ai-sdk/mistral/dist/index.mjs',
    create: 'createMistral',
    api: 'chat',
    path: '/mistral/v1',
    reasoning: { mistral: { reasoningEffort: 'high' } },
  },
  {
    name: 'ollama-ai-provider-v2',
    dialect: 'ollama',
    file: 'ollama-ai-provider-v2/dist/index.mjs',
    create: 'createOllama',
    api: 'chat',
    path: '/api',
    reasoning: { ollama: { think: true } },
  },
]

function createAiClient({ name, dialect, file, create, api, path, reasoning }: AiRow): SdkClient {
  const prepare = async ({ feature, model, url }: Question) => {
    const module = await importLibrary<AiModule>(file)
    const provider = module[create]?.({
      apiKey: 'unused',
      baseURL: `${url}${path}`,
      name: 'gateway',
      supportsStructuredOutputs: true,
    })
    const languageModel = provider?.[api]?.(model)
    if (languageModel === undefined) throw new Error(`${name} has no model`)
    const text = { type: 'text', text: PROMPTS[feature] } as const
    const image = { type: 'image', image: IMAGE, mediaType: 'image/png' } as const
    return {
      model: languageModel,
      system: 'Be brief.',
      maxOutputTokens: 4000,
      maxRetries: 0,
      messages: [{ role: 'user' as const, content: feature === 'image' ? [text, image] : [text] }],
      ...(feature === 'reasoning' && { providerOptions: reasoning as never }),
      ...(feature === 'tools' && {
        tools: {
          [TOOL.name]: createAiTool({ ...TOOL, inputSchema: jsonSchema(SCHEMA as object) }),
        } as ToolSet,
      }),
      ...(feature === 'structured output' && {
        output: Output.object({ schema: jsonSchema(SCHEMA as object) }),
      }),
    }
  }
  const read = (
    text: string,
    reasoningText: string | undefined,
    calls: readonly { readonly toolName: string; readonly input: unknown }[],
  ): ClientAnswer => ({
    text,
    reasoning: reasoningText ?? '',
    calls: calls.map(({ toolName, input }) => ({ name: toolName, arguments: input })),
  })
  return {
    name,
    dialect,
    async ask(question) {
      const { text, reasoningText, toolCalls } = await generateText(await prepare(question))
      return read(text, reasoningText, toolCalls)
    },
    async stream(question) {
      const result = streamText({ ...(await prepare(question)), onError: () => {} })
      return read(await result.text, await result.reasoningText, await result.toolCalls)
    },
  }
}

export const aiSdkClients: readonly SdkClient[] = AI_MODELS.map(createAiClient)
