import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { dialects, type JsonObject, ProviderError, toEvents } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codec } from '../../../src/dialects/bedrock/codec.ts'
import { requests } from '../bodies/bedrock-requests.ts'
import { responses } from '../bodies/bedrock-responses.ts'
import { callIds, names, sources } from '../bodies/tool-call-responses.ts'

/** What the server received last, and what it answers next. */
let received: { path: string; body: JsonObject; authorization: string } | undefined
let answer: { status: number; headers?: Record<string, string>; chunks: readonly (string | Uint8Array)[] }
let server: Http2Server
let client: BedrockRuntimeClient

// The client uses HTTP/2.
beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonObject
      received = { path: request.url ?? '', body, authorization: request.headers.authorization ?? '' }
      const isStream = received.path.endsWith('converse-stream') && answer.status === 200
      response.writeHead(answer.status, {
        'content-type': isStream ? 'application/vnd.amazon.eventstream' : 'application/json',
        ...answer.headers,
      })
      for (const chunk of answer.chunks) response.write(chunk)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-secret' },
    maxAttempts: 1,
  })
})

afterAll(() => {
  client.destroy()
  server.close()
})

const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

/** Returns a body with bytes in place of base64, as the client accepts it. */
function toClientForm(value: unknown, key = ''): unknown {
  if ((key === 'bytes' || key === 'redactedContent') && typeof value === 'string')
    return new Uint8Array(Buffer.from(value, 'base64'))
  if (Array.isArray(value)) return value.map((each) => toClientForm(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toClientForm(each, name)]))
}

/** Returns a value of the client with base64 in place of bytes, without the metadata of the client. */
function toWireForm(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(toWireForm)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, each]) => key !== '$metadata' && each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, toWireForm(each)]))
}

const createInput = (body: JsonObject): ConverseCommandInput => ({
  modelId,
  ...(toClientForm(body) as Omit<ConverseCommandInput, 'modelId'>),
})

async function converse(body: JsonObject): Promise<unknown> {
  return toWireForm(await client.send(new ConverseCommand(createInput(body))))
}

async function collectEvents(): Promise<unknown[]> {
  const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages: [] }))
  const events: unknown[] = []
  for await (const event of stream ?? []) events.push(toWireForm(event))
  return events
}

const minimal = responses['text'] as JsonObject

describe('the official client of Bedrock', () => {
  test.each(Object.entries(requests))(
    'sends %s, which is decoded and encoded exactly',
    async (_name, body) => {
      answer = { status: 200, chunks: [JSON.stringify(minimal)] }
      await converse(body)
      const request = bedrockDialect.decodeRequest(received?.body, { path: received?.path ?? '' }).value
      expect(request.model).toBe(modelId)
      expect(bedrockDialect.encodeRequest(request)).toEqual({ value: received?.body, losses: [] })
      expect(received?.body).toEqual(body)
      expect(received?.path).toBe(bedrockDialect.endpoint(request).path)
      expect(received?.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
    },
  )

  test.each(Object.entries(responses))('reads the response %s as encoded', async (_name, body) => {
    const { value } = bedrockDialect.encodeResponse(bedrockDialect.decodeResponse(body).value)
    answer = { status: 200, chunks: [JSON.stringify(value)] }
    const { trace, ...read } = (await converse({ messages: [] })) as JsonObject
    const { trace: sentTrace, ...sent } = body
    expect(read).toEqual(sent)
    expect(trace === undefined).toBe(sentTrace === undefined)
  })

  test.each(names)('reads the answers and streams of %s', async (name) => {
    const response = dialects[name].decodeResponse(sources[name]).value
    answer = { status: 200, chunks: [JSON.stringify(bedrockDialect.encodeResponse(response).value)] }
    const whole = await converse({ messages: [] })
    const content = bedrockDialect.decodeResponse(whole).value.candidates[0]?.content ?? []
    expect(content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))).toEqual(callIds[name])
    const chunks: Uint8Array[] = []
    for await (const bytes of bedrockDialect.encodeStream(toEvents(response))) chunks.push(bytes)
    answer = { status: 200, chunks }
    const payloads: unknown[] = []
    const parser = codec.stream.framing.createParser((payload) => payloads.push(payload))
    for (const chunk of chunks) parser.push(chunk)
    expect(await collectEvents()).toEqual(payloads)
    expect(payloads.length).toBeGreaterThan(3)
  })

  test.each(Object.entries(responses))('reads the stream of %s', async (_name, body) => {
    const chunks: Uint8Array[] = []
    const { value } = bedrockDialect.decodeResponse(body)
    for await (const bytes of bedrockDialect.encodeStream(toEvents(value))) chunks.push(bytes)
    answer = { status: 200, chunks }
    const lines = (await collectEvents()).map((event) => `${JSON.stringify(event)}\n`)
    async function* source(): AsyncGenerator<string> {
      yield* lines
    }
    const events = []
    for await (const event of bedrockDialect.decodeStream(source())) events.push(event)
    expect(events.filter(({ type }) => type === 'error' || type === 'opaque')).toEqual([])
    expect(events.some(({ type }) => type === 'finish')).toBe(true)
  })

  test('throws the exceptions that errors are encoded as', async () => {
    const rows = [
      ['rate-limit', 'ThrottlingException', 429],
      ['permission', 'AccessDeniedException', 403],
      ['not-found', 'ResourceNotFoundException', 404],
      ['invalid-request', 'ValidationException', 400],
      ['overloaded', 'ServiceUnavailableException', 503],
      ['server', 'InternalServerException', 500],
      ['timeout', 'ModelTimeoutException', 408],
      ['quota', 'ServiceQuotaExceededException', 400],
    ] as const
    for (const [kind, name, status] of rows) {
      const encoded = bedrockDialect.encodeError(new ProviderError('It failed', { kind }))
      answer = { ...encoded, chunks: [JSON.stringify(encoded.body)] }
      const thrown = await client
        .send(new ConverseCommand({ modelId, messages: [] }))
        .catch((error: unknown) => error)
      expect(thrown).toMatchObject({ name, message: 'It failed', $metadata: { httpStatusCode: status } })
      const { body, headers } = encoded
      expect(bedrockDialect.decodeError(status, body, headers)).toMatchObject({ kind, message: 'It failed' })
      // The service sends the type in a header only.
      expect(bedrockDialect.decodeError(status, { message: 'It failed' }, headers)).toMatchObject({
        kind,
        type: name,
      })
    }
  })

  test('throws the exception that ends a stream', async () => {
    const chunks: Uint8Array[] = []
    const error = new ProviderError('Slow down', { kind: 'rate-limit' })
    const events = [{ type: 'start' as const }, { type: 'error' as const, error }]
    for await (const bytes of bedrockDialect.encodeStream(events)) chunks.push(bytes)
    answer = { status: 200, chunks }
    await expect(collectEvents()).rejects.toMatchObject({ name: 'ThrottlingException', message: 'Slow down' })
  })
})
