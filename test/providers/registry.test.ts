import { detect, dialects, InterlinguaError, translateRequest } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { createRegistry, defineProvider, model, type Registry } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { parleyDialect } from '../dialects/kit/parley-dialect.ts'
import { requests, responses, streams } from '../dialects/kit/parley-bodies.ts'

const example = new URL('../../examples/own-dialect/registry.js', import.meta.url)
const { registry } = (await import(example.href)) as { readonly registry: Registry<'parley'> }

interface Sent {
  readonly url: string
  readonly key: string | null
  readonly body: Record<string, unknown>
}

/** Answers like a server of the made-up format: a call of a tool first, then text. */
function createServer(): { readonly sent: Sent[]; readonly fetch: typeof globalThis.fetch } {
  const sent: Sent[] = []
  const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>
    const key = new Headers(init?.headers).get('authorization')
    sent.push({ url: input instanceof Request ? input.url : String(input), key, body })
    if (body['live'] !== true) return Response.json(responses[sent.length === 1 ? 1 : 0])
    const [events = []] = streams
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { sent, fetch: answer }
}

describe('a provider of the application', () => {
  test('is a model by name, also for an agent', async () => {
    const { sent, fetch } = createServer()
    const own = model('parley:parley-1', { registry, apiKey: 'secret', fetch })
    expect(own.capabilities.supportsOutputSchema).toBe(false)
    const weather = tool({ name: 'weather', description: 'The weather.', run: () => 'Rain' })
    const { text, messages } = await new Agent({ model: own, tools: [weather] }).send('The weather?')
    expect(text).toBe('Hello!')
    expect(messages.at(-1)).toMatchObject({ origin: { provider: 'parley', dialect: 'parley' } })
    expect(sent.map(({ url, key }) => [url, key])).toEqual(
      Array.from({ length: 2 }, () => ['https://api.parley.example/parley/turns', 'Bearer secret']),
    )
    expect(sent[1]?.body['turns']).toMatchObject([
      { by: 'human' },
      { by: 'bot', say: [{ kind: 'use', id: 'c1' }] },
      { by: 'tool', say: [{ kind: 'used', id: 'c1', gave: 'Rain' }] },
    ])
  })

  test('streams', async () => {
    const { sent, fetch } = createServer()
    const stream = model('parley:parley-1', { registry, apiKey: 'secret', fetch }).stream('Hi')
    let text = ''
    for await (const event of stream) if (event.type === 'text-delta') text += event.text
    expect(text).toBe('Hello')
    expect(sent[0]?.body).toMatchObject({ engine: 'parley-1', live: true })
  })

  test('needs a dialect and a key', async () => {
    const keyless = defineProvider({ name: 'p', dialect: parleyDialect, baseUrl: 'https://p.example' })
    await expect(keyless('m').generate('Hi')).rejects.toMatchObject({
      code: 'missing-field',
      path: '/apiKey',
    })
    const wrong = { name: 'p', dialect: 'parley', baseUrl: 'https://p.example' }
    expect(() => defineProvider(wrong as never)).toThrow(InterlinguaError)
    expect(() => defineProvider({ ...wrong, dialect: parleyDialect, port: 1 } as never)).toThrow('port')
  })
})

describe('a registry', () => {
  test('has the built-in dialects and providers, too', () => {
    expect(Object.keys(registry.dialects)).toEqual([...Object.keys(dialects), 'parley'])
    expect(model('anthropic:claude-x', { registry }).provider).toBe('anthropic')
    expect(() => model('parley:x')).toThrow('Unknown provider')
    expect(() => model('unknown-host:x', { registry })).toThrow('Unknown provider')
  })

  test('names the dialects of a translation', () => {
    const { value } = translateRequest(requests[0], {
      from: 'parley',
      to: 'openai-chat',
      model: 'm',
      registry,
    })
    expect(value.messages).toEqual([{ role: 'user', content: 'Hi' }])
    const back = translateRequest(value, { from: 'openai-chat', to: 'parley', registry }).value
    expect(back).toMatchObject({ turns: [{ by: 'human', say: [{ kind: 'words', words: 'Hi' }] }] })
    // @ts-expect-error without the registry, the name is unknown
    expect(() => translateRequest(requests[0], { from: 'parley', to: 'gemini' })).toThrow('/from')
  })

  test('detects what its dialects recognize', () => {
    const kindOf = (input: unknown): unknown => detect(input, { registry })[0]
    expect(requests.map(kindOf)).toMatchObject([
      { kind: 'request', name: 'parley' },
      { kind: 'request', name: 'parley' },
    ])
    expect(responses.slice(0, 2).map(kindOf)).toMatchObject([
      { kind: 'response', name: 'parley' },
      { kind: 'response', name: 'parley' },
    ])
    expect(kindOf(`data: ${JSON.stringify(streams[0]?.[0])}\n\n`)).toMatchObject({
      kind: 'stream',
      name: 'parley',
    })
    expect(detect(requests[0])).toEqual([])
    expect(kindOf({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })).toMatchObject({
      kind: 'request',
    })
  })

  test('refuses entries that are no dialects or providers', () => {
    expect(() => createRegistry({ dialects: [{ ...parleyDialect }] })).toThrow('/dialects')
    expect(() => createRegistry({ providers: { mine: {} } } as never)).toThrow('/providers/mine')
    expect(() => createRegistry({ provider: {} } as never)).toThrow('provider')
  })
})
