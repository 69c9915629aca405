import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  type ContentBlock,
} from '@aws-sdk/client-bedrock-runtime'
import { type ClientAnswer, IMAGE, OUTPUT_NAME, PROMPTS, type Question, SCHEMA, TOOL } from './questions.ts'
import { parseJson, type SdkClient } from './sdk-client.ts'

/** The parts of a request of the client that a server receives. */
interface ClientRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

/** Creates the client with a connection of HTTP/1.1: its own uses HTTP/2, which the local servers do not have. */
export function createBedrockClient(url: string, maxAttempts = 1): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-secret' },
    maxAttempts,
    requestHandler: {
      async handle({ method, protocol, hostname, port, path, headers, body }: ClientRequest) {
        const response = await fetch(`${protocol}//${hostname}:${port}${path}`, {
          method,
          headers,
          body: new Uint8Array(body),
        })
        const { status, headers: received } = response
        return {
          response: {
            statusCode: status,
            headers: Object.fromEntries(received),
            body: response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]),
          },
        }
      },
    },
  })
}

function createInput({ feature, model }: Question): ConverseCommandInput {
  const bytes = Buffer.from(IMAGE, 'base64')
  return {
    modelId: model,
    system: [{ text: 'Be brief.' }],
    messages: [
      {
        role: 'user',
        content: [
          ...(feature === 'image' ? [{ image: { format: 'png' as const, source: { bytes } } }] : []),
          { text: PROMPTS[feature] },
        ],
      },
    ],
    ...(feature === 'tools' && {
      toolConfig: { tools: [{ toolSpec: { ...TOOL, inputSchema: { json: toDocument(SCHEMA) } } }] },
    }),
    ...(feature === 'reasoning' && {
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    }),
    ...(feature === 'structured output' && {
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: OUTPUT_NAME, schema: JSON.stringify(SCHEMA) } },
        },
      },
    }),
  }
}

type InputDocument = NonNullable<ConverseCommandInput['additionalModelRequestFields']>

/** The client takes no readonly lists. */
const toDocument = (value: object): InputDocument => parseJson(JSON.stringify(value)) as InputDocument

function readBlocks(blocks: readonly ContentBlock[]): ClientAnswer {
  return {
    text: blocks.map(({ text = '' }) => text).join(''),
    reasoning: blocks.map(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? '').join(''),
    calls: blocks.flatMap(({ toolUse }) =>
      toolUse ? [{ name: toolUse.name ?? '', arguments: toolUse.input }] : [],
    ),
  }
}

export const bedrockClient: SdkClient = {
  name: '@aws-sdk/client-bedrock-runtime',
  dialect: 'bedrock',
  async ask(question) {
    const client = createBedrockClient(question.url)
    const { output } = await client.send(new ConverseCommand(createInput(question)))
    return readBlocks(output?.message?.content ?? [])
  },
  async stream(question) {
    const client = createBedrockClient(question.url)
    const { stream = [] } = await client.send(new ConverseStreamCommand(createInput(question)))
    let text = ''
    let reasoning = ''
    const calls: { name: string; json: string }[] = []
    for await (const { contentBlockStart, contentBlockDelta } of stream) {
      const toolUse = contentBlockStart?.start?.toolUse
      if (toolUse) calls.push({ name: toolUse.name ?? '', json: '' })
      const delta = contentBlockDelta?.delta
      text += delta?.text ?? ''
      reasoning += delta?.reasoningContent?.text ?? ''
      const call = calls.at(-1)
      if (call) call.json += delta?.toolUse?.input ?? ''
    }
    return { text, reasoning, calls: calls.map(({ name, json }) => ({ name, arguments: parseJson(json) })) }
  },
}
