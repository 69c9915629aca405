import type { DialectName } from '../../../dialects/engine/dialect.ts'

/** The facts about a target that its dialect does not contain. */
export interface LensTarget {
  /** The name of the API, for people. */
  readonly title: string
  /** Models to choose from; the first one is used unless another is chosen. */
  readonly models: readonly string[]
  readonly baseUrl: string
  /** The header with the key, and the variable that contains it. */
  readonly keyHeader: string
  readonly keyVariable: string
  /** The name of the official client that code can be copied for. */
  readonly sdk: string
}

const bearer = (variable: string): Pick<LensTarget, 'keyHeader' | 'keyVariable'> => ({
  keyHeader: `Authorization: Bearer $${variable}`,
  keyVariable: variable,
})

const google = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  keyHeader: 'x-goog-api-key: $GEMINI_API_KEY',
  keyVariable: 'GEMINI_API_KEY',
  sdk: 'google-genai',
} as const

const openaiModels = ['gpt-6-sol', 'gpt-5.4', 'gpt-4.1'] as const
const geminiModels = ['gemini-3.5-flash', 'gemini-2.5-pro', 'gemini-2.5-flash'] as const

/** The targets of the lens. Addresses and variables are those of the providers; a test compares them. */
export const lensTargets: { readonly [name in DialectName]: LensTarget } = {
  'openai-chat': {
    title: 'OpenAI Chat',
    sdk: 'openai',
    models: ['gpt-5.4', 'gpt-4.1', 'gpt-6-sol'],
    baseUrl: 'https://api.openai.com/v1',
    ...bearer('OPENAI_API_KEY'),
  },
  'openai-responses': {
    title: 'OpenAI Responses',
    sdk: 'openai',
    models: openaiModels,
    baseUrl: 'https://api.openai.com/v1',
    ...bearer('OPENAI_API_KEY'),
  },
  anthropic: {
    title: 'Anthropic',
    sdk: 'anthropic',
    models: ['claude-sonnet-5', 'claude-opus-5', 'claude-sonnet-4-5', 'claude-3-7-sonnet'],
    baseUrl: 'https://api.anthropic.com',
    keyHeader: 'x-api-key: $ANTHROPIC_API_KEY',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  gemini: { title: 'Gemini', models: geminiModels, ...google },
  ollama: {
    title: 'Ollama',
    sdk: 'ollama',
    models: ['llama3.3', 'gpt-oss:20b', 'qwen3'],
    baseUrl: 'http://127.0.0.1:11434',
    ...bearer('OLLAMA_API_KEY'),
  },
  mistral: {
    title: 'Mistral',
    sdk: 'mistral',
    models: ['mistral-large-latest', 'magistral-medium-latest', 'ministral-8b-latest'],
    baseUrl: 'https://api.mistral.ai/v1',
    ...bearer('MISTRAL_API_KEY'),
  },
  'gemini-interactions': { title: 'Gemini Interactions', models: geminiModels, ...google },
  bedrock: {
    title: 'Amazon Bedrock Converse',
    sdk: 'aws',
    models: ['us.anthropic.claude-sonnet-5', 'amazon.nova-2-lite-v1:0', 'openai.gpt-oss-120b-1:0'],
    baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    ...bearer('AWS_BEARER_TOKEN_BEDROCK'),
  },
  cohere: {
    title: 'Cohere Chat v2',
    sdk: 'cohere',
    models: ['command-a-03-2025', 'command-a-reasoning-08-2025'],
    baseUrl: 'https://api.cohere.com',
    ...bearer('CO_API_KEY'),
  },
}

/** Returns true for the name of a dialect. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(lensTargets, name)
}

/** The forms in which a target can be copied. */
export type CopyForm = 'body' | 'curl' | 'sdk' | 'interlingua' | 'canonical'

/** Returns the forms in which a target can be copied, each with its label; without a name, those of the canonical form. */
export function listCopyForms(
  name: DialectName | undefined,
  kind: 'request' | 'response',
): readonly (readonly [form: CopyForm, label: string])[] {
  if (name === undefined) return [['canonical', 'JSON']]
  if (kind === 'response') return [['body', 'body']]
  const { sdk } = lensTargets[name]
  return [
    ['body', 'body'],
    ['curl', 'curl'],
    ['sdk', `${sdk} SDK`],
    ['interlingua', 'interlingua'],
  ]
}
