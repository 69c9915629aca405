import fc from 'fast-check'
import {
  accumulate,
  type ChatEvent,
  type ChatResponse,
  dialects,
  type JsonObject,
  ProviderError,
  toEvents,
} from 'interlingua'
import { cohereDialect } from 'interlingua/dialects/cohere'
import { describe, expect, test } from 'vitest'
import { anyResponse, RUNS } from '../../arbitraries.ts'
import { expectSame } from '../../law-assertions.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { streams } from '../bodies/cohere-streams.ts'
import { bare } from '../json-leaves.ts'
import { collect } from '../stream-responses.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

async function* yieldAll<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

const decode = (...chunks: readonly (string | Uint8Array)[]): Promise<ChatEvent[]> =>
  collect(cohereDialect.decodeStream(yieldAll(chunks.map((chunk) => Buffer.from(chunk))), identity))

const encode = async (events: readonly ChatEvent[]): Promise<string> =>
  Buffer.concat(await collect(cohereDialect.encodeStream(events))).toString('utf8')

const parsePayloads = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)

const listTypes = (text: string): string =>
  parsePayloads(text)
    .map(({ type }) => type as string)
    .join(' ')

describe('cohere streams', () => {
  test.each(Object.entries(streams))('%s is encoded exactly as received', async (_name, text) => {
    expectSame(parsePayloads(await encode(await decode(text))), parsePayloads(text))
  })

  test.each(Object.entries(streams))('%s is the same in pieces of any size', async (_name, text) => {
    const bytes = Buffer.from(text)
    const expected = await decode(bytes)
    for (const size of [1, 7, 64]) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
      expectSame(await decode(...pieces), expected)
    }
  })

  test('recorded streams are encoded exactly, and every event is known', async () => {
    for (const { stream } of recorded('cohere')) {
      if (stream === null) continue
      const events = await decode(stream)
      expect(events.filter(({ type }) => type === 'opaque' || type === 'error')).toEqual([])
      expectSame(parsePayloads(await encode(events)), parsePayloads(stream))
    }
  })

  test('citations have offsets in UTF-16, and sources of documents and tools', async () => {
    const { candidates } = await accumulate(
      cohereDialect.decodeStream(yieldAll([streams['citations'] ?? ''])),
    )
    const [part] = candidates[0]?.content ?? []
    const citations = part?.type === 'text' ? part.citations : undefined
    const text = part?.type === 'text' ? part.text : ''
    const shown = citations?.map((each) =>
      each.type === 'source' ? [text.slice(each.start, each.end), each.title, each.quote, each.document] : [],
    )
    expect(shown).toEqual([
      ['The emperor', 'Penguins', 'The emperor is tall.', 0],
      ['tall', 'Penguins', 'The emperor is tall.', 0],
      ['tall', undefined, 'tall', undefined],
    ])
  })

  /** Compares what a client reads from a stream with what it reads from the complete response. */
  async function expectAgreement(response: ChatResponse): Promise<void> {
    const finished = {
      ...response,
      candidates: response.candidates.map((message) => ({ finish: { reason: 'stop' as const }, ...message })),
    }
    const body = cohereDialect.encodeResponse(finished).value
    const complete = cohereDialect.decodeResponse(body, identity).value
    const text = await encode([...toEvents(finished)])
    const streamed = await accumulate(cohereDialect.decodeStream(yieldAll([text]), identity))
    expectSame(toComparable(streamed), toComparable(complete))
  }

  /** The fields of a message have a fixed order; a stream keeps the order of the events. */
  function toComparable({ candidates, usage }: ChatResponse): unknown {
    const [message] = (bare(JSON.parse(JSON.stringify({ candidates }))) as ChatResponse).candidates
    const isCall = ({ type }: { readonly type: string }): boolean => type === 'tool-call'
    const parts = message?.content ?? []
    return {
      parts: [...parts.filter((part) => !isCall(part)), ...parts.filter(isCall)],
      finish: message?.finish,
      usage: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    }
  }

  test.each(Object.entries({ ...responses, ...oddResponses }))(
    'the stream of %s agrees with the response',
    async (_name, body) => {
      const response = bare(cohereDialect.decodeResponse(body, identity).value)
      // A stream cannot contain unknown blocks.
      const isKnown = response.candidates[0]?.content.every(({ type }) => type !== 'opaque')
      if (isKnown === true) await expectAgreement(response)
    },
  )

  test('the stream of any response agrees with the response', async () => {
    const property = fc.asyncProperty(anyResponse, async ({ extra: _extra, ...response }) => {
      if (response.candidates.length === 1) await expectAgreement(response)
    })
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 4) })
  })

  test('the events of a stream of another format', async () => {
    const response = cohereDialect.decodeResponse(responses['citations']).value
    expect(listTypes(await encode([...toEvents(bare(response))]))).toBe(
      'message-start content-start content-delta citation-start citation-end citation-start citation-end content-end message-end',
    )
    const calls = cohereDialect.decodeResponse(responses['calls']).value
    expect(listTypes(await encode([...toEvents(calls)]))).toBe(
      'message-start tool-plan-delta tool-call-start tool-call-delta tool-call-end message-end',
    )
  })

  test('the error that ends a stream is a typed error, in both directions', async () => {
    const end = { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'internal error' } }
    const text = `${streams['text']?.split('event: content-end')[0]}event: message-end\ndata: ${JSON.stringify(end)}\n\n`
    const events = await decode(text)
    const last = events.at(-1)
    expect(last?.type === 'error' && last.error).toBeInstanceOf(ProviderError)
    expect(last?.type === 'error' && last.error.message).toContain('internal error')
    expectSame(parsePayloads(await encode(events)).at(-1), end)
    const foreign = new ProviderError('Slow down', { kind: 'rate-limit' })
    expect(parsePayloads(await encode([{ type: 'error', error: foreign }])).at(-1)).toEqual({
      type: 'message-end',
      delta: { finish_reason: 'ERROR', error: 'Slow down', error_type: 'rate_limit_error' },
    })
  })

  test('a second start begins another answer', async () => {
    const text = streams['text'] ?? ''
    const [whole] = (await accumulate(cohereDialect.decodeStream(yieldAll([text]), identity))).candidates
    const interrupted = `${text.split('event: content-end')[0]}${text}`
    const answer = await accumulate(cohereDialect.decodeStream(yieldAll([interrupted]), identity))
    expect(answer.candidates[0]?.content.map(({ type }) => type)).toEqual(
      whole?.content.map(({ type }) => type),
    )
  })

  test('an error of a proxy is a typed error', async () => {
    const last = (await decode('data: {"error":{"message":"Boom"}}\n\n')).at(-1)
    expect(last?.type === 'error' && last.error).toMatchObject({ code: 'provider-error', message: 'Boom' })
  })

  test('a stream that is cut off ends with a typed error after its events', async () => {
    const bytes = Buffer.from(streams['text'] ?? '')
    for (let length = 0; length < bytes.length - 20; length += 9) {
      const events = await decode(bytes.subarray(0, length))
      expect(['error', 'finish']).toContain(events.at(-1)?.type)
    }
  })

  test('a stream of any dialect becomes a stream, and back', async () => {
    for (const text of Object.values(streams)) {
      for (const other of Object.values(dialects)) {
        const bytes = await collect(other.encodeStream(await decode(text)))
        const back = await encode(await collect(other.decodeStream(yieldAll(bytes))))
        const payloads = parsePayloads(back)
        expect(payloads[0]?.['type']).toBe('message-start')
        expect(payloads.filter(({ type }) => type === 'message-end')).toHaveLength(1)
        expect(back.endsWith('data: [DONE]\n\n')).toBe(true)
      }
    }
  })
})
