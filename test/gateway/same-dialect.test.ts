// What a client and a provider of the same dialect exchange passes through the gateway unchanged.
import { accumulate, type DialectName, dialects, type Json, type JsonObject, user } from 'interlingua'
import { createGateway, type Gateway } from 'interlingua/gateway'
import { describe, expect, test } from 'vitest'
import { subjects } from '../dialects/dialect-table.ts'
import { sampleRecordings } from '../dialects/pair-shares.ts'
import { payloads } from '../dialects/stream-payloads.ts'
import { collect, framed, source, toStreamText } from '../dialects/stream-responses.ts'
import { expectSame } from '../law-assertions.ts'
import { TARGETS, toHttpRequest } from './upstreams.ts'

const MODEL = 'some-model'

/** A gateway that passes all model names to one provider, the bodies that the provider gets, and the losses of each logged request. */
function startGateway(
  dialect: DialectName,
  answer: () => Response,
): { readonly gateway: Gateway; readonly received: Json[]; readonly logged: (readonly string[])[] } {
  const [provider = ''] = TARGETS[dialect].split(':')
  const received: Json[] = []
  const logged: (readonly string[])[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    received.push((await new Request(input, init).json()) as Json)
    return answer()
  }
  const connection = { apiKey: 'test', baseUrl: 'https://provider.example', fetch, retry: { maxAttempts: 1 } }
  const routes = [{ model: '*', to: `${provider}:*` }]
  const gateway = createGateway({
    routes,
    providers: { [provider]: connection },
    onRequest: ({ losses }) => void logged.push(Object.keys(losses)),
  })
  return { gateway, received, logged }
}

/** Asks for usage, without which a stream of Chat Completions has none. */
const extra = { 'openai-chat': { stream_options: { include_usage: true } } }

const ask = (gateway: Gateway, dialect: DialectName, stream: boolean): Promise<Response> =>
  gateway(toHttpRequest(dialect, { model: MODEL, messages: [user('Hi')], maxOutputTokens: 9, stream, extra }))

/** What the gateway writes itself where it has stored responses: ids, and the bodies around what the model said. */
const OWN_FIELDS: {
  readonly [dialect in DialectName]?: { readonly events: RegExp; readonly output: string }
} = {
  'openai-responses': { events: /^response$/, output: 'output' },
  'gemini-interactions': { events: /^(?:interaction|interaction_id|event_id)$/, output: 'steps' },
}

/** Returns the part of an answer that the gateway does not write itself. */
function pickAnswer(dialect: DialectName, body: JsonObject): Json {
  const own = OWN_FIELDS[dialect]
  return own === undefined ? body : (body[own.output] ?? [])
}

/** Returns the parts of events that the gateway does not write itself. */
function pickEvents(dialect: DialectName, events: readonly Json[]): readonly Json[] {
  const own = OWN_FIELDS[dialect]
  if (own === undefined) return events
  return events.map((event) =>
    Object.fromEntries(Object.entries(event as JsonObject).filter(([key]) => !own.events.test(key))),
  )
}

/** Returns a body with the model name, if it contains one. */
function nameModel(body: JsonObject): JsonObject {
  const names = ['model', 'modelId'].filter((key) => Object.hasOwn(body, key))
  return { ...body, ...Object.fromEntries(names.map((key) => [key, MODEL])) }
}

/** Returns a body without the fields that the gateway writes: whether the provider streams, and usage that the client did not ask for. */
function withoutOwnFields(body: Json, sent: JsonObject): Json {
  const { stream: _stream, stream_options: options, ...rest } = body as JsonObject
  return Object.hasOwn(sent, 'stream_options') && options !== undefined
    ? { ...rest, stream_options: options }
    : rest
}

async function readStream(dialect: DialectName, response: Response): Promise<readonly Json[]> {
  expect(response.status).toBe(200)
  return payloads(toStreamText(dialect, await collect(response.body ?? new ReadableStream())))
}

describe.each(subjects)('$name', ({ name, recordings, streams, fixtures }) => {
  test('answers keep what the provider sent', async () => {
    let body: JsonObject = {}
    const { gateway } = startGateway(name, () => Response.json(body))
    let count = 0
    for ({ body } of [...fixtures.response, ...sampleRecordings(recordings.response)]) {
      const response = await ask(gateway, name, false)
      // Some bodies contain no message.
      if (response.status !== 200) continue
      count += 1
      expectSame(pickAnswer(name, (await response.json()) as JsonObject), pickAnswer(name, body))
    }
    expect(count).toBeGreaterThan(0)
  })

  test('streams keep what the provider sent', async () => {
    let text = ''
    const { gateway } = startGateway(name, () => new Response(text))
    let count = 0
    for (const stream of sampleRecordings(streams)) {
      text = stream.text
      // A stream that has an error, or no end, gets an event more.
      const answer = await accumulate(dialects[name].decodeStream(source(text))).catch(() => undefined)
      if (answer === undefined || answer.candidates.length === 0) continue
      count += 1
      const sent = await readStream(name, await ask(gateway, name, true))
      expectSame(pickEvents(name, sent), pickEvents(name, payloads(text)))
    }
    // The recordings are no part of the package.
    if (streams.length > 0) expect(count).toBeGreaterThan(0)
  })

  test.skipIf(name in OWN_FIELDS)('requests keep what the client sent, or a loss is reported', async () => {
    const [answer] = fixtures.response
    const { gateway, received, logged } = startGateway(name, () => Response.json(answer?.body))
    let asked = 0
    let count = 0
    for (const { body } of [...fixtures.request, ...sampleRecordings(recordings.request)]) {
      const { url, headers } = toHttpRequest(name, { model: MODEL, messages: [user('Hi')] })
      const named = nameModel(body)
      received.length = 0
      const response = await gateway(
        new Request(url, { method: 'POST', headers, body: JSON.stringify(named) }),
      )
      await response.text()
      asked += 1
      // Entries are written after the end of the answer.
      await expect.poll(() => logged.length, { interval: 1 }).toBe(asked)
      const hasLosses = (logged.at(-1) ?? []).length > 0
      if (received.length === 0 || hasLosses) continue
      count += 1
      expectSame(
        received.map((body) => withoutOwnFields(body, named)),
        [withoutOwnFields(named, named)],
      )
    }
    expect(count).toBeGreaterThan(fixtures.request.length / 2)
  })
})

/** A stream of a host that is asked for the usage, because the gateway counts it. */
test('a client gets no usage that it did not ask for', async () => {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: MODEL,
    system_fingerprint: 'f',
  }
  const wires = [
    {
      ...chunk,
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }],
    },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...chunk, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ]
  const text = `${framed('openai-chat', wires)}data: [DONE]\n\n`
  const tokens: (number | undefined)[] = []
  const gateway = createGateway({
    routes: [{ model: '*', to: 'groq:*' }],
    providers: { groq: { apiKey: 'test', fetch: async () => new Response(text) } },
    onRequest: ({ outputTokens }) => void tokens.push(outputTokens),
  })
  const request = { model: MODEL, messages: [user('Hi')], stream: true }
  const withUsage = { ...request, extra }
  const unasked = await readStream('openai-chat', await gateway(toHttpRequest('openai-chat', request)))
  const asked = await readStream('openai-chat', await gateway(toHttpRequest('openai-chat', withUsage)))
  expect(unasked).toEqual(wires.slice(0, 2))
  expect(asked).toEqual(wires)
  // Entries are written after the end of the answer.
  await expect.poll(() => tokens).toEqual([2, 2])
})
