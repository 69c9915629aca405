import fc from 'fast-check'
import {
  accumulate,
  assistant,
  type ChatEvent,
  dialects,
  toEvents,
  image,
  type JsonObject,
  reasoning,
  refusal,
  toolCall,
  toolResult,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../../arbitraries.ts'
import { hasCorpus, recorded } from '../../recorded-exchanges.ts'
import { expectSame } from '../../law-assertions.ts'
import { mutated } from '../../json-mutations.ts'
import { validator } from '../../wire-validators.ts'
import { oddResponses, responses } from '../bodies/ollama-responses.ts'
import { payloads } from '../stream-payloads.ts'
import { enriched } from '../json-leaves.ts'

const { ollama } = dialects

async function linesOf(events: readonly ChatEvent[]): Promise<JsonObject[]> {
  let written = ''
  for await (const bytes of ollama.encodeStream(events, { now: () => 5000 }))
    written += new TextDecoder().decode(bytes)
  return payloads(written) as JsonObject[]
}

describe('ollama: a stream of another dialect', () => {
  const call = (index: number, id: string): ChatEvent => ({
    type: 'part-start',
    index,
    part: { type: 'tool-call', id, name: 'f', arguments: {} },
  })
  const grow = (index: number, json: string): ChatEvent => ({ type: 'arguments-delta', index, json })
  const done: ChatEvent = { type: 'finish', finish: { reason: 'tool-calls' } }
  const usage: ChatEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }

  test('writes complete calls, also if their deltas alternate', async () => {
    const lines = await linesOf([
      { type: 'start', id: 'r', model: 'm' },
      { type: 'text-delta', index: 0, text: 'Let me ' },
      { type: 'text-delta', index: 0, text: 'look' },
      call(1, 'a'),
      grow(1, '{"x":'),
      call(2, 'b'),
      grow(2, '{"y":2}'),
      grow(1, '1}'),
      usage,
      done,
    ])
    expect(lines.flatMap((line) => validator('ollama-chunk')(line))).toEqual([])
    const head = { model: 'm', created_at: '1970-01-01T00:00:05.000Z' }
    const piece = (message: JsonObject): JsonObject => ({
      ...head,
      message: { role: 'assistant', content: '', ...message },
      done: false,
    })
    expect(lines.slice(0, -1)).toEqual([
      piece({}),
      piece({ content: 'Let me ' }),
      piece({ content: 'look' }),
      piece({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: { x: 1 } } }] }),
      piece({ tool_calls: [{ id: 'b', function: { name: 'f', arguments: { y: 2 } } }] }),
    ])
    expect(lines.at(-1)).toMatchObject({ ...head, done: true, done_reason: 'stop', eval_count: 2 })
  })

  test('a response that is streamed again is the same response', async () => {
    for (const body of [...Object.values(responses), oddResponses['completion']]) {
      const response = ollama.decodeResponse(body, { exact: false, newId: () => 'msg_1' }).value
      async function* source(): AsyncGenerator<string> {
        for (const line of await linesOf(toEvents(response))) yield `${JSON.stringify(line)}\n`
      }
      const identity = { newId: () => 'msg_1' }
      const again = await accumulate(ollama.decodeStream(source(), { exact: false, ...identity }), identity)
      const [was, is] = [response, again].map(({ candidates: [message], usage: counted, ...rest }) => [
        rest,
        message?.content.map(({ extra: _extra, ...part }) => part),
        message?.finish,
        counted?.outputTokens,
      ])
      expect(is).toEqual(was)
    }
  })

  test('shows reasoning in its field, omits parts that have none, and reports them', async () => {
    const search = toolCall({ id: 'srv_1', name: 'web_search', arguments: {}, executedBy: 'provider' })
    const parts = [
      reasoning('Hm.'),
      search,
      toolResult(search, { hits: 1 }),
      'Hello',
      ' there',
      image('https://example.org/a.png'),
      image({ data: 'iVBORw0KGgo=', mediaType: 'image/png' }),
      refusal('Not that'),
    ]
    const answer = assistant(parts, { finish: { reason: 'refusal' } })
    const events = toEvents({ id: 'r', candidates: [answer, answer] })
    const found: string[] = []
    const heard = ollama.encodeStream(events, {
      onLoss: ({ rule, path }) => {
        found.push(`${rule} ${path}`)
        return 'allow'
      },
    })
    for await (const _bytes of heard);
    expect(found).toEqual([
      'dropped-provider-call /candidates/0/content/1',
      'dropped-provider-call /candidates/0/content/2',
      'dropped-media /candidates/0/content/5',
      'candidates-dropped /candidates/1',
    ])
    const lines = await linesOf(events)
    expect(lines.flatMap((line) => validator('ollama-chunk')(line))).toEqual([])
    const written = JSON.stringify(lines)
    expect(written).toContain('"thinking":"Hm."')
    expect(written).not.toContain('web_search')
    for (const word of ['Hello', ' there', 'iVBORw0KGgo=', 'Not that']) expect(written).toContain(word)
  })

  test('includes content that only the end of a part contains', async () => {
    const part = { type: 'tool-call', id: 'a', name: 'g', arguments: { x: 1 } } as const
    const lines = await linesOf([
      { type: 'start', model: 'm' },
      { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
      { type: 'part-end', index: 0, part: { type: 'text', text: 'All at once' }, replaces: true },
      call(1, 'a'),
      grow(1, '{'),
      { type: 'part-end', index: 1, part, replaces: true },
      done,
    ])
    expect(lines.map(({ message }) => message)).toMatchObject([
      {},
      { content: 'All at once' },
      { tool_calls: [{ id: 'a', function: { name: 'g', arguments: { x: 1 } } }] },
      {},
    ])
  })

  test('an incomplete stream is not written as a complete one', async () => {
    const lines = await linesOf([
      { type: 'start', model: 'm' },
      { type: 'text-delta', index: 0, text: 'Hi' },
    ])
    expect(lines.map((line) => line['done'])).toEqual([false, false])
  })
})

async function* asText(lines: readonly unknown[]): AsyncGenerator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`
}

/** Decodes lines and encodes the events again. */
async function encodeAgain(lines: readonly unknown[]): Promise<unknown> {
  const events: ChatEvent[] = []
  for await (const event of ollama.decodeStream(asText(lines))) events.push(event)
  return (await linesOf(events)).slice(0, lines.length)
}

describe('ollama: a stream is encoded to the lines that it was decoded from', () => {
  const at = (second: number): string => `2026-08-07T06:08:1${second}.73237Z`
  const call = { function: { name: 'weather', arguments: { city: 'Oslo' } } }
  const createLine = (second: number, message: JsonObject): JsonObject => ({
    model: 'llama',
    created_at: at(second),
    message: { role: 'assistant', content: '', ...message },
    done: false,
  })
  const streams: readonly (readonly JsonObject[])[] = [
    [
      createLine(0, { thinking: 'Let me ' }),
      createLine(1, { thinking: 'think' }),
      createLine(2, { content: 'Hello', images: ['iVBORw0KGgo='] }),
      createLine(3, { tool_calls: [call, { ...call, id: 'call_1' }] }),
      createLine(4, { tool_calls: [{ function: { ...call.function, index: 2 } }] }),
      { ...responses['plain'], created_at: at(5) },
    ],
    [
      { model: 'llama', created_at: at(0), response: 'Once upon', done: false },
      { model: 'llama', created_at: at(1), response: '', thinking: 'a time', done: false },
      { ...oddResponses['completion'], response: '' },
    ],
  ]

  test.each(streams)('stream %#, also with invented fields', async (...lines) => {
    expectSame(await encodeAgain(lines), lines)
    const more = lines.map((line) => enriched(line))
    expectSame(await encodeAgain(more), more)
  })

  test('mutated: keys removed, renamed, retyped, nested', async () => {
    const property = fc.asyncProperty(mutated(fc.constantFrom(...streams)), async (lines) => {
      // A value that is not an object ends the stream, as an error does.
      const isLine = (line: unknown): boolean =>
        typeof line === 'object' && line !== null && !Array.isArray(line)
      if (!Array.isArray(lines) || !lines.every(isLine)) return
      expectSame(await encodeAgain(lines), lines)
    })
    await fc.assert(property, { numRuns: 2 * RUNS })
  })

  test.skipIf(!hasCorpus)('recorded text completions and their responses', async () => {
    const exchanges = recorded('ollama-generate')
    for (const { stream, response } of exchanges) {
      const lines = payloads(stream ?? '')
      expectSame(await encodeAgain(lines), lines)
      if (typeof response === 'object' && response !== null)
        expectSame(ollama.encodeResponse(ollama.decodeResponse(response).value).value, response)
    }
    expect(exchanges.length).toBeGreaterThan(5)
  })
})
