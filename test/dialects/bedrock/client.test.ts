import { assistant, type ChatRequest, ProviderError, toEvents } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fake, startFake } from '../../providers/fakes/server.ts'
import { createProvider, type Provider } from '../../../src/providers/provider.ts'

const requests: (ChatRequest & { readonly key: string })[] = []
let failures: ProviderError[] = []
let server: Fake
let bedrock: Provider

const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
const answer = {
  candidates: [{ ...assistant('Grüße!'), finish: { reason: 'stop' as const } }],
  usage,
}

beforeAll(async () => {
  server = await startFake(async (response, { path, headers, body }) => {
    const received = bedrockDialect.decodeRequest(body, { path })
    requests.push({ ...received.value, key: headers.authorization ?? '' })
    const failure = failures.pop()
    if (failure !== undefined) {
      const encoded = bedrockDialect.encodeError(failure)
      response.writeHead(encoded.status, { ...encoded.headers, 'retry-after': '0' })
      response.end(JSON.stringify(encoded.body))
      return
    }
    const isStreamed = path.endsWith('/converse-stream')
    const type = isStreamed ? 'application/vnd.amazon.eventstream' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    if (isStreamed)
      for await (const bytes of bedrockDialect.encodeStream(toEvents(answer))) response.write(bytes)
    else response.write(JSON.stringify(bedrockDialect.encodeResponse(answer).value))
    response.end()
  })
  bedrock = createProvider(
    { provider: 'bedrock', dialect: 'bedrock', keyVariables: [], auth: 'bearer' },
    { bedrock: bedrockDialect },
    { baseUrl: server.url, apiKey: 'bedrock-key' },
  )
})

afterAll(() => server.close())

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

test('the client sends requests to Bedrock and reads complete answers', async () => {
  const reply = await bedrock(MODEL).generate('Hi')
  expect(reply.text).toBe('Grüße!')
  expect(reply.usage).toMatchObject(usage)
  expect(requests.at(-1)).toMatchObject({ model: MODEL, stream: false, key: 'Bearer bedrock-key' })
})

test('the client reads binary streams', async () => {
  const stream = bedrock(MODEL).stream('Hi')
  let text = ''
  for await (const event of stream) if (event.type === 'text-delta') text += event.text
  expect(text).toBe('Grüße!')
  expect(requests.at(-1)).toMatchObject({ model: MODEL, stream: true })
})

test('the client retries throttled requests and reports refused ones', async () => {
  failures = [new ProviderError('Slow down', { kind: 'rate-limit' })]
  expect((await bedrock(MODEL).generate('Hi')).text).toBe('Grüße!')
  failures = [new ProviderError('No access', { kind: 'permission' })]
  await expect(bedrock(MODEL).generate('Hi')).rejects.toMatchObject({
    kind: 'permission',
    message: expect.stringContaining('No access') as string,
  })
})
