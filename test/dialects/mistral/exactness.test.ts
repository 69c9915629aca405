import { accumulate, type ChatEvent, dialects, type JsonObject, toEvents } from 'interlingua'
import { mistralDialect } from 'interlingua/dialects/mistral'
import { describe, expect, test } from 'vitest'
import { hasCorpus, recorded } from '../../recorded-exchanges.ts'
import { expectSame } from '../../law-assertions.ts'
import { oddRequests, requests } from '../bodies/mistral-requests.ts'
import { oddResponses, responses } from '../bodies/mistral-responses.ts'
import { bare, enriched } from '../json-leaves.ts'
import { payloads } from '../stream-payloads.ts'

const exchanges = recorded('mistral')
const named = (bodies: Readonly<Record<string, JsonObject>>) =>
  Object.entries(bodies).map(([name, body]) => ({ name, body }))
const isBody = (body: unknown): body is JsonObject => typeof body === 'object' && body !== null

async function collect(text: string, size = text.length): Promise<ChatEvent[]> {
  const bytes = new TextEncoder().encode(text)
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
  }
  const events: ChatEvent[] = []
  for await (const event of mistralDialect.decodeStream(pieces(), { newId: () => 'id' })) events.push(event)
  return events
}

async function write(events: readonly ChatEvent[]): Promise<string> {
  let text = ''
  for await (const bytes of mistralDialect.encodeStream(events)) text += new TextDecoder().decode(bytes)
  return text
}

describe('mistral: bodies are encoded exactly as they were received', () => {
  test.each(named({ ...requests, ...oddRequests }))('request $name', ({ body }) => {
    for (const each of [body, enriched(body) as JsonObject])
      expectSame(mistralDialect.encodeRequest(mistralDialect.decodeRequest(each).value), {
        value: each,
        losses: [],
      })
  })

  test.each(named({ ...responses, ...oddResponses }))('response $name', ({ body }) => {
    for (const each of [body, enriched(body) as JsonObject])
      expectSame(mistralDialect.encodeResponse(mistralDialect.decodeResponse(each).value), {
        value: each,
        losses: [],
      })
  })

  test.skipIf(!hasCorpus)('recorded requests, responses and streams', async () => {
    expect(exchanges.length).toBeGreaterThan(30)
    for (const { request, response, stream } of exchanges) {
      if (isBody(request))
        expectSame(mistralDialect.encodeRequest(mistralDialect.decodeRequest(request).value).value, request)
      if (isBody(response))
        expectSame(
          mistralDialect.encodeResponse(mistralDialect.decodeResponse(response).value).value,
          response,
        )
      if (typeof stream === 'string')
        expectSame(payloads(await write(await collect(stream))), payloads(stream))
    }
  })
})

describe('mistral: streams', () => {
  test.each(named(responses))('$name as a stream has the same content as the response', async ({ body }) => {
    const response = mistralDialect.decodeResponse(body).value
    const { candidates, usage } = await accumulate(await collect(await write([...toEvents(response)])))
    const contents = (messages: typeof candidates) =>
      messages.map(({ content, finish }) => bare({ content, finish }))
    expectSame(contents(candidates), contents(response.candidates))
    expect(usage).toMatchObject({ totalTokens: 50 })
  })

  test.skipIf(!hasCorpus)('are read the same in pieces of any size', async () => {
    const stream = exchanges.find(({ stream: text }) => text?.includes('thinking'))?.stream ?? ''
    const whole = bare(await collect(stream))
    for (const size of [1, 7, 64]) expectSame(bare(await collect(stream, size)), whole)
  })
})

test.each(Object.values(dialects))(
  'mistral: an answer of $name is written and read again',
  async (dialect) => {
    const response = mistralDialect.decodeResponse(responses['thoughts']).value
    const foreign = dialect.decodeResponse(dialect.encodeResponse(response).value).value
    const { value } = mistralDialect.encodeResponse(foreign)
    const again = mistralDialect.decodeResponse(value).value
    expect(JSON.stringify(again.candidates[0]?.content)).toContain('It is 4')
    expect(JSON.stringify(await write([...toEvents(foreign)]))).toContain('It is 4')
  },
)
