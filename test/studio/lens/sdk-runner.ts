import { compileFunction } from 'node:vm'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { CohereClientV2 } from 'cohere-ai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { startFake } from '../../providers/fakes/server.ts'

/** A request that an official client sent. */
export interface SentRequest {
  readonly path: string
  readonly body: unknown
}

/** Runs the code that the lens writes, with the official clients pointed at a server of this process. */
export interface SdkRunner {
  /** Returns the request that the code sends; undefined if the client refuses its arguments. */
  run(code: string): Promise<SentRequest | undefined>
  close(): Promise<void>
}

/** Returns a constructor that ignores its arguments, and returns the client. */
function createConstructor(client: object): () => object {
  return function Client() {
    return client
  }
}

/** Starts the server and creates the clients. */
export async function startSdkRunner(): Promise<SdkRunner> {
  let sent: SentRequest | undefined
  const server = await startFake((response, { path, body }) => {
    sent = { path, body }
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"captured"}')
  })
  const { url } = server
  const apiKey = 'not-a-secret'
  const bedrock = new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: apiKey },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ path, body }: { path: string; body: Uint8Array }) => {
        sent = { path, body: JSON.parse(Buffer.from(body).toString()) }
        throw new Error('captured')
      },
    },
  })
  const clients: { readonly [name: string]: unknown } = {
    OpenAI: createConstructor(new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })),
    Anthropic: createConstructor(new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })),
    GoogleGenAI: createConstructor(new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })),
    ollama: new Ollama({ host: url }),
    Mistral: createConstructor(new Mistral({ apiKey, serverURL: url })),
    CohereClientV2: createConstructor(new CohereClientV2({ token: apiKey, environment: url, maxRetries: 0 })),
    BedrockRuntimeClient: createConstructor(bedrock),
    ConverseCommand,
    ConverseStreamCommand,
  }
  return {
    async run(code) {
      sent = undefined
      const body = code.replace(/^import .*\n/, '')
      const call = compileFunction(`return (async () => {${body}})()`, Object.keys(clients)) as (
        ...values: unknown[]
      ) => Promise<unknown>
      await call(...Object.values(clients)).catch((error: unknown) => {
        if (error instanceof SyntaxError || error instanceof ReferenceError) throw error
      })
      return sent
    },
    close: () => server.close(),
  }
}
