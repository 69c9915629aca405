import { dialects, type Dialect, type JsonObject } from 'interlingua'
import { geminiInteractionsDialect } from 'interlingua/dialects/gemini-interactions'
import { describe, expect, test } from 'vitest'
import { recorded } from '../../recorded-exchanges.ts'
import { requests } from '../bodies/gemini-interactions-requests.ts'
import { oddResponses, responses } from '../bodies/gemini-interactions-responses.ts'
import { oddRequests } from '../bodies/gemini-interactions-unusual-requests.ts'

const dialect = geminiInteractionsDialect
const others = Object.values(dialects) as unknown as readonly Dialect<JsonObject, JsonObject>[]

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) text += decoder.decode(chunk, { stream: true })
  return text
}

/** The bytes of a stream in chunks of one size. */
async function* inChunks(stream: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new TextEncoder().encode(stream)
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

/** The payloads of a stream. */
const payloadsOf = (stream: string): readonly unknown[] =>
  stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as unknown)

describe('exact in both directions', () => {
  const recordings = recorded('gemini-interactions')
  const requestBodies = [
    ...Object.entries({ ...requests, ...oddRequests }),
    ...recordings.flatMap(({ id, request }) => (request ? [[id, request as JsonObject] as const] : [])),
  ]
  test.each(requestBodies)('request: %s', (_name, body) => {
    expect(dialect.encodeRequest(dialect.decodeRequest(body).value).value).toEqual(body)
  })

  const responseBodies = [
    ...Object.entries({ ...responses, ...oddResponses }),
    ...recordings.flatMap(({ id, response }) => (response ? [[id, response as JsonObject] as const] : [])),
  ]
  test.each(responseBodies)('response: %s', (_name, body) => {
    expect(dialect.encodeResponse(dialect.decodeResponse(body).value).value).toEqual(body)
  })

  const streams = recordings.flatMap(({ id, stream }) => (stream ? [[id, stream] as const] : []))
  test.each(streams)('stream: %s', async (_name, stream) => {
    for (const size of [7, 4096]) {
      const again = await collect(dialect.encodeStream(dialect.decodeStream(inChunks(stream, size))))
      expect(payloadsOf(again)).toEqual(payloadsOf(stream))
    }
  })
})

describe('there and back with every other dialect', () => {
  test.each(others.map((each) => [each.name, each] as const))('%s', (_name, other) => {
    for (const body of Object.values({ ...requests, ...oddRequests })) {
      const request = dialect.decodeRequest(body).value
      const there = other.encodeRequest(request).value
      expect(typeof JSON.stringify(dialect.encodeRequest(other.decodeRequest(there).value).value)).toBe(
        'string',
      )
      expect(dialect.encodeRequest(request).value).toEqual(body)
    }
  })
})
