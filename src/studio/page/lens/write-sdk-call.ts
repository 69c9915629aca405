import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { isObject } from '../../../wire/json.ts'
import { bedrockSdkKnownFields, bedrockStreamSdkKnownFields } from './bedrock-sdk-known-fields.ts'
import { cohereSdkKnownFields } from './cohere-sdk-known-fields.ts'
import { geminiSdkKnownFields } from './gemini-sdk-known-fields.ts'
import { mistralSdkKnownFields } from './mistral-sdk-known-fields.ts'
import { type SdkInput, type SdkKnownFields, toSdkInput, writeLiteral, writeMember } from './to-sdk-input.ts'
import { lensTargets } from './lens-targets.ts'

/** What a body does not contain. */
interface CallOptions {
  readonly model: string
  readonly stream: boolean
}

type Fields = { readonly [key: string]: unknown }

/** The parts of the code that calls an official client. */
interface SdkCall {
  readonly imports: string
  /** The statement that creates the client, if the package exports none. */
  readonly client?: string
  /** The start of the expression that sends a request, up to its arguments, and its end. */
  readonly call: readonly [start: string, end: string]
  readonly input: unknown
  /** The places of the values that the client does not know. */
  readonly unknown?: readonly string[]
}

/** Returns the parts of the code that calls a client with a body. */
type CallBuilder = (wire: Fields, options: CallOptions) => SdkCall

const openai =
  (method: string): CallBuilder =>
  (input) => ({
    imports: `OpenAI from 'openai'`,
    client: 'const client = new OpenAI()',
    call: [`client.${method}.create(`, ')'],
    input,
  })

const google = { imports: `{ GoogleGenAI } from '@google/genai'`, client: 'const ai = new GoogleGenAI({})' }

/** Converts a Gemini body: its client has the model and the contents as arguments; all other fields are in `config`. */
function toGoogleInput(wire: Fields, model: string): SdkInput {
  const { input, unknown } = toSdkInput(wire, geminiSdkKnownFields)
  const { contents, generationConfig = {}, ...rest } = input
  const isKnown = isObject(generationConfig)
  const config = { ...(isKnown ? generationConfig : { generationConfig }), ...rest }
  return {
    input: { model, contents, ...(Object.keys(config).length > 0 && { config }) },
    unknown: isKnown ? unknown : [...unknown, 'generationConfig'],
  }
}

/** Converts a body for a client that has one method for streams, in place of the field `stream`. */
function toInputWithoutStream({ stream, ...wire }: Fields, shape: SdkKnownFields): SdkInput {
  const { input, unknown } = toSdkInput(wire, shape)
  if (stream === undefined || typeof stream === 'boolean') return { input, unknown }
  return { input: { ...input, stream }, unknown: [...unknown, 'stream'] }
}

/**
 * Returns true for an Anthropic request that its client may refuse without a timeout: one that is not streamed, for more
 * tokens than the smallest limit that the client has for a model.
 */
function isLongAnswer({ stream, max_tokens: maxTokens }: Fields): boolean {
  return stream !== true && typeof maxTokens === 'number' && maxTokens > 8192
}

/** Writes the key of a client that does not find it itself. */
const writeKey = (name: DialectName): string => writeMember('process', 'env', lensTargets[name].keyVariable)

/** The official clients that code is written for. */
const sdkCalls: { readonly [name in DialectName]: CallBuilder } = {
  'openai-chat': openai('chat.completions'),
  'openai-responses': openai('responses'),
  anthropic: (input) => ({
    imports: `Anthropic from '@anthropic-ai/sdk'`,
    client: 'const client = new Anthropic()',
    call: ['client.messages.create(', isLongAnswer(input) ? ', { timeout: 3_600_000 })' : ')'],
    input,
  }),
  gemini: (wire, { model, stream }) => ({
    ...google,
    call: [`ai.models.generateContent${stream ? 'Stream' : ''}(`, ')'],
    ...toGoogleInput(wire, model),
  }),
  'gemini-interactions': (input) => ({ ...google, call: ['ai.interactions.create(', ')'], input }),
  ollama: (wire) => ({
    imports: `ollama from 'ollama'`,
    call: ['ollama.chat(', ')'],
    // By default, the server sends a stream, and the client asks for a complete answer.
    input: { ...wire, stream: wire['stream'] ?? true },
  }),
  mistral: (wire) => ({
    imports: `{ Mistral } from '@mistralai/mistralai'`,
    client: `const client = new Mistral({ apiKey: ${writeKey('mistral')} })`,
    call: [`client.chat.${wire['stream'] === true ? 'stream' : 'complete'}(`, ')'],
    ...toInputWithoutStream(wire, mistralSdkKnownFields),
  }),
  cohere: (wire) => ({
    imports: `{ CohereClientV2 } from 'cohere-ai'`,
    client: `const client = new CohereClientV2({ token: ${writeKey('cohere')} })`,
    call: [`client.chat${wire['stream'] === true ? 'Stream' : ''}(`, ')'],
    ...toInputWithoutStream(wire, cohereSdkKnownFields),
  }),
  bedrock: (wire, { model, stream }) => {
    const command = stream ? 'ConverseStreamCommand' : 'ConverseCommand'
    const { input, unknown } = toSdkInput(wire, stream ? bedrockStreamSdkKnownFields : bedrockSdkKnownFields)
    return {
      imports: `{ BedrockRuntimeClient, ${command} } from '@aws-sdk/client-bedrock-runtime'`,
      client: `const client = new BedrockRuntimeClient({ region: 'us-east-1' })`,
      call: [`client.send(new ${command}(`, '))'],
      input: { ...input, modelId: model },
      unknown,
    }
  },
}

/** Writes the code that sends a body with the official client of a dialect. */
export function writeSdkCall(name: DialectName, body: unknown, options: CallOptions): string {
  const { imports, client, call, input, unknown = [] } = sdkCalls[name](isObject(body) ? body : {}, options)
  const [start, end] = call
  const blocks = [
    `import ${imports}`,
    ...(client === undefined ? [] : [client]),
    `${writeNote(unknown)}const response = await ${start}${writeLiteral(input)}${end}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Writes a comment about the values that a client removes or refuses. Names are quoted: one could end the line. */
function writeNote(unknown: readonly string[]): string {
  if (unknown.length === 0) return ''
  const places = unknown.map((place) => `//   ${quoteName(place)}\n`).join('')
  return `// This client does not know these values. It omits them, or refuses the request:\n${places}`
}

/** Quotes a text on one line of JavaScript, which ends at separators that JSON does not escape. */
const quoteName = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
