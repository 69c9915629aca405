import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { mockProvider } from 'interlingua/testing/providers'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { officialClients } from './clients/all-clients.ts'
import { describeClients, startQuestionGateway } from './clients/describe-clients.ts'
import { createTestConfig } from './upstreams.ts'

let server: GatewayServer
beforeAll(async () => {
  server = await startQuestionGateway()
})
afterAll(() => server.close())

describeClients(officialClients, () => server.url)

/** Asks the official client of each vendor for the vectors of two texts. */
const EMBEDDERS: { readonly [client: string]: (url: string, model: string) => Promise<readonly unknown[]> } =
  {
    openai: async (url, model) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'unused', maxRetries: 0 })
      const { data } = await client.embeddings.create({ model, input: ['a', 'b'] })
      return data.map(({ embedding }) => embedding)
    },
    '@google/genai': async (url, model) => {
      const client = new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: url } })
      const { embeddings = [] } = await client.models.embedContent({ model, contents: ['a', 'b'] })
      return embeddings.map(({ values }) => values)
    },
    ollama: async (url, model) =>
      (await new Ollama({ host: url }).embed({ model, input: ['a', 'b'] })).embeddings,
    '@mistralai/mistralai': async (url, model) => {
      const client = new Mistral({ apiKey: 'unused', serverURL: `${url}/mistral` })
      const { data } = await client.embeddings.create({ model, inputs: ['a', 'b'] })
      return data.map(({ embedding }) => embedding)
    },
  }

const EMBEDDING_MODELS = [
  'openai-chat:text-embedding-3-small',
  'gemini:gemini-embedding-001',
  'ollama:nomic-embed-text',
  'mistral:mistral-embed',
] as const

describe.each(Object.keys(EMBEDDERS))('vectors for the client %s', (name) => {
  test.each(EMBEDDING_MODELS)('from %s', async (target) => {
    const routes = [{ model: 'vectors', to: target }]
    const server = await startGateway({ ...createTestConfig(mockProvider()), routes }, { port: 0 })
    try {
      const [first, second] = (await EMBEDDERS[name]?.(server.url, 'vectors')) ?? []
      expect(first).toHaveLength(8)
      expect(second).toHaveLength(8)
      expect(first).not.toEqual(second)
      expect((first as readonly number[]).every((value) => value >= 0 && value <= 1)).toBe(true)
    } finally {
      await server.close(0)
    }
  })
})
