import fc from 'fast-check'
import { accumulate, type ChatEvent, dialects, type JsonObject, ProviderError, toEvents } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { describe, expect, test } from 'vitest'
import { codec } from '../../../src/dialects/bedrock/codec.ts'
import { anyResponse, RUNS } from '../../arbitraries.ts'
import { expectSame } from '../../law-assertions.ts'
import { published } from '../../published-schemas.ts'
import { recorded } from '../../recorded-exchanges.ts'
import { oddResponses, responses } from '../bodies/bedrock-responses.ts'
import { bare } from '../json-leaves.ts'
import { collect } from '../stream-responses.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

/** Parses the payloads of a binary stream. */
function parsePayloads(chunks: readonly Uint8Array[]): readonly JsonObject[] {
  const payloads: JsonObject[] = []
  const parser = codec.stream.framing.createParser((payload) => payloads.push(payload as JsonObject))
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return payloads
}

async function* yieldAll<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

const frame = (payloads: readonly JsonObject[]): readonly Uint8Array[] =>
  payloads.map((payload) => codec.stream.framing.write(payload) as Uint8Array)

async function encodePayloads(events: readonly ChatEvent[]): Promise<readonly JsonObject[]> {
  return parsePayloads(await collect(bedrockDialect.encodeStream(events)))
}

const decode = async (chunks: readonly Uint8Array[]): Promise<ChatEvent[]> =>
  collect(bedrockDialect.decodeStream(yieldAll(chunks), identity))

const start = { messageStart: { role: 'assistant', p: 'abc' } }
const stop = { messageStop: { stopReason: 'end_turn' } }
const metadata = {
  metadata: {
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, cacheReadInputTokens: 0 },
    metrics: { latencyMs: 12 },
    trace: { guardrail: {} },
    p: 'abcdefgh',
  },
}
const delta = (index: number, value: JsonObject): JsonObject => ({
  contentBlockDelta: { contentBlockIndex: index, delta: value, p: 'ab' },
})
const end = (index: number): JsonObject => ({ contentBlockStop: { contentBlockIndex: index } })

const streams: { readonly [name: string]: readonly JsonObject[] } = {
  text: [start, delta(0, { text: 'Hel' }), delta(0, { text: 'lo' }), end(0), stop, metadata],
  'reasoning and calls': [
    start,
    delta(0, { reasoningContent: { text: 'Hm' } }),
    delta(0, { reasoningContent: { text: '.' } }),
    delta(0, { reasoningContent: { signature: 'c2ln' } }),
    end(0),
    delta(1, { reasoningContent: { redactedContent: 'cmVk' } }),
    delta(1, { reasoningContent: { redactedContent: 'YQ==' } }),
    end(1),
    delta(2, { text: 'Wait' }),
    end(2),
    {
      contentBlockStart: {
        contentBlockIndex: 3,
        start: { toolUse: { toolUseId: 'a', name: 'weather', type: 'tool_use' } },
      },
    },
    delta(3, { toolUse: { input: '{"city": ' } }),
    delta(3, { toolUse: { input: '"Oslo"}' } }),
    end(3),
    { contentBlockStart: { contentBlockIndex: 4, start: { toolUse: { toolUseId: 'b', name: 'now' } } } },
    end(4),
    {
      messageStop: {
        stopReason: 'tool_use',
        additionalModelResponseFields: { delta: { stop_sequence: null } },
      },
    },
    metadata,
  ],
  'citations and images': [
    start,
    delta(0, { text: 'Blue.' }),
    delta(0, {
      citation: {
        title: 'Sky',
        sourceContent: [{ text: 'blue' }],
        location: { documentPage: { documentIndex: 0, start: 1, end: 2 } },
      },
    }),
    end(0),
    { contentBlockStart: { contentBlockIndex: 1, start: { image: { format: 'png' } } } },
    delta(1, { image: { source: { bytes: 'iVBORw0KGgo=' } } }),
    end(1),
    stop,
    metadata,
  ],
  'executed by the provider': [
    start,
    {
      contentBlockStart: {
        contentBlockIndex: 0,
        start: { toolUse: { toolUseId: 's', name: 'nova_grounding', type: 'server_tool_use' } },
      },
    },
    delta(0, { toolUse: { input: '{}' } }),
    end(0),
    {
      contentBlockStart: {
        contentBlockIndex: 1,
        start: { toolResult: { toolUseId: 's', type: 'nova_grounding_result' } },
      },
    },
    delta(1, { toolResult: [{ text: 'a' }] }),
    delta(1, { toolResult: [{ json: { b: 1 } }] }),
    end(1),
    delta(2, { text: 'Done' }),
    end(2),
    stop,
    metadata,
  ],
  'unknown events and blocks': [
    start,
    { future: { a: 1 } },
    { contentBlockStart: { contentBlockIndex: 0, start: { future: {} } } },
    delta(0, { future: 'x' }),
    end(0),
    delta(1, { text: '' }),
    end(1),
    { messageStop: { stopReason: 'tired', extra: 1 } },
    { metadata: { metrics: { latencyMs: 1 } } },
  ],
  'a guardrail stops it': [
    start,
    delta(0, { text: 'Sorry' }),
    end(0),
    { messageStop: { stopReason: 'guardrail_intervened' } },
    metadata,
  ],
}

describe('bedrock streams', () => {
  test.each(Object.entries(streams))('%s is encoded exactly as received', async (_name, payloads) => {
    const events = await decode(frame(payloads))
    expectSame(await encodePayloads(events), payloads)
  })

  test.each(Object.entries(streams))(
    '%s is the same in pieces of any size, and as lines',
    async (_name, payloads) => {
      const bytes = Buffer.concat(frame(payloads))
      const expected = await decode([bytes])
      for (const size of [1, 7, 64]) {
        const pieces: Uint8Array[] = []
        for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
        expectSame(await decode(pieces), expected)
      }
      const lines = Buffer.from(payloads.map((payload) => `${JSON.stringify(payload)}\n`).join(''))
      expectSame(await decode([lines]), expected)
    },
  )

  test('redacted reasoning in several pieces is joined by its bytes', async () => {
    const chunks = frame(streams['reasoning and calls'] ?? [])
    const { candidates } = await accumulate(bedrockDialect.decodeStream(yieldAll(chunks), identity))
    expect(candidates[0]?.content[1]).toMatchObject({ redacted: true, signature: { value: 'cmVkYQ==' } })
  })

  test('recorded streams are encoded exactly', async () => {
    const all = recorded('bedrock-converse').flatMap(({ stream }) =>
      typeof stream === 'string' ? [stream] : [],
    )
    for (const text of all) {
      const payloads = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JsonObject)
      expectSame(await encodePayloads(await decode([Buffer.from(text)])), payloads)
    }
  })

  const agreeing = Object.entries({ ...responses, ...oddResponses })

  /** Compares what a client reads from a stream with what it reads from the complete response. */
  async function expectAgreement(response: Parameters<typeof toEvents>[0]): Promise<void> {
    const finished = {
      ...response,
      candidates: response.candidates.map((message) => ({ finish: { reason: 'stop' as const }, ...message })),
    }
    const complete = bedrockDialect.decodeResponse(
      bedrockDialect.encodeResponse(finished).value,
      identity,
    ).value
    const payloads = await encodePayloads([...toEvents(finished)])
    for (const payload of payloads) expect(published('spec/bedrock-converse-event')(payload)).toEqual([])
    const streamed = await accumulate(bedrockDialect.decodeStream(yieldAll(frame(payloads)), identity))
    expectSame(toComparable(streamed), toComparable(complete))
  }

  function toComparable({ candidates, usage }: Parameters<typeof toEvents>[0]): unknown {
    const plain = bare(JSON.parse(JSON.stringify({ candidates, usage })) as object) as {
      candidates: { id?: string; usage?: unknown; content: JsonObject[] }[]
      usage?: { inputTokens: number; outputTokens: number }
    }
    const messages = plain.candidates.map(({ id: _id, usage: _usage, content, ...message }) => ({
      ...message,
      content: content.map(withoutSpelling),
    }))
    const { inputTokens = 0, outputTokens = 0 } = plain.usage ?? {}
    return { messages, usage: inputTokens + outputTokens }
  }

  test.each(agreeing)('the stream of %s agrees with the response', async (_name, body) => {
    const { value } = bedrockDialect.decodeResponse(body, identity)
    // A stream can contain neither unknown blocks nor audio.
    const isStreamable = value.candidates[0]?.content.every(
      ({ type }) => type !== 'opaque' && type !== 'audio',
    )
    if (isStreamable) await expectAgreement(bare(value))
  })

  test('the stream of any response agrees with the response, and is valid', async () => {
    const property = fc.asyncProperty(anyResponse, async ({ extra: _extra, ...response }) => {
      if (response.candidates.length === 1) await expectAgreement(response)
    })
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 2) })
  })

  test('exceptions of a stream become typed errors, in both directions', async () => {
    const cases = [
      [{ throttlingException: { message: 'Slow down' } }, 'rate-limit', true],
      [{ modelStreamErrorException: { message: 'Failed', originalStatusCode: 500 } }, 'server', true],
      [{ modelStreamErrorException: { message: 'Failed' } }, 'server', true],
      [
        { validationException: { message: 'Input is too long for requested model.' } },
        'context-overflow',
        false,
      ],
      [{ serviceUnavailableException: { message: 'Busy' } }, 'overloaded', true],
      [{ internalServerException: { message: 'Oops' } }, 'server', true],
      [{ error: { code: 'InternalError', message: 'Oops' } }, 'unknown', false],
    ] as const
    for (const [payload, kind, retryable] of cases) {
      const events = await decode(frame([start, delta(0, { text: 'Hi' }), payload]))
      const last = events.at(-1)
      const error = last?.type === 'error' ? last.error : undefined
      expect(error).toBeInstanceOf(ProviderError)
      expect(error).toMatchObject({ kind, retryable })
      expectSame((await encodePayloads(events)).at(-1), payload)
    }
    const foreign = new ProviderError('Too many requests', { kind: 'rate-limit' })
    expect(await encodePayloads([{ type: 'error', error: foreign }])).toEqual([
      { throttlingException: { message: 'Too many requests' } },
    ])
  })

  test('a stream that is cut off or damaged ends with a typed error after its events', async () => {
    const bytes = Buffer.concat(frame(streams['text'] ?? []))
    for (let length = 0; length < bytes.length; length += 5) {
      const events = await decode([bytes.subarray(0, length)])
      expect(['error', 'usage', 'finish']).toContain(events.at(-1)?.type)
    }
    const damaged = Uint8Array.from(bytes)
    damaged[bytes.length - 30] = (damaged[bytes.length - 30] ?? 0) ^ 1
    const last = (await decode([damaged])).at(-1)
    expect(last?.type === 'error' && last.error.code).toBe('invalid-stream')
    const html = (await decode([Buffer.from('<html>Not found</html>')])).at(-1)
    expect(html?.type).toBe('error')
  })

  test('a stream of any other dialect becomes a valid stream, and back', async () => {
    for (const [name, payloads] of Object.entries(streams)) {
      for (const other of Object.values(dialects).filter(({ name: to }) => to !== 'bedrock')) {
        const bytes = await collect(other.encodeStream(await decode(frame(payloads))))
        const back = await encodePayloads(await collect(other.decodeStream(yieldAll(bytes))))
        for (const payload of back)
          expect(published('spec/bedrock-converse-event')(payload), `${name} ${other.name}`).toEqual([])
        expect(Object.keys(back[0] ?? {})).toEqual(['messageStart'])
        expect(back.some((payload) => 'messageStop' in payload)).toBe(true)
      }
    }
  })
})

/** A stream has the text of arguments, which is kept even if it is not canonical JSON, or no JSON. */
function withoutSpelling({ rawArguments: _raw, ...part }: JsonObject): JsonObject {
  const { invalidArguments, ...call } = part
  return invalidArguments === undefined ? part : { ...call, arguments: { INVALID_JSON: invalidArguments } }
}
