import { accumulate, type ChatEvent, dialects, toEvents, type Json, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { ResidueStreamReader, ResidueStreamWriter } from '../../../src/dialects/engine/frame-reader-writer.ts'
import { wireEventType, createStreamReader } from '../../../src/dialects/openai-responses/stream-reader.ts'
import { createStreamWriter } from '../../../src/dialects/openai-responses/stream-writer.ts'
import { hasCorpus, recorded } from '../../recorded-exchanges.ts'
import { expectSame } from '../../law-assertions.ts'
import { validator } from '../../wire-validators.ts'
import { responses } from '../bodies/openai-responses-responses.ts'
import { payloads } from '../stream-payloads.ts'
import { bare } from '../json-leaves.ts'

const NAME = 'openai-responses'
const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }

function eventsOf(wire: readonly Json[]): ChatEvent[] {
  const frames = new ResidueStreamReader(NAME, createStreamReader(), wireEventType, createStreamWriter())
  return [...wire.flatMap((payload) => frames.read(payload)), ...frames.end()]
}

function written(events: readonly ChatEvent[]): readonly JsonObject[] {
  const frames = new ResidueStreamWriter(NAME, createStreamWriter())
  return [...events.flatMap((event) => frames.write(event)), ...frames.end()]
}

const isEnding = (type: Json | undefined): boolean =>
  type === 'response.completed' || type === 'response.incomplete'

const finalOf = (wire: readonly Json[]): JsonObject | undefined =>
  (wire as readonly JsonObject[]).findLast(({ type }) => isEnding(type))?.['response'] as
    | JsonObject
    | undefined

/** The recorded streams of one complete response. */
const streams = recorded(NAME)
  .map(({ id, stream }) => ({ id, wire: typeof stream === 'string' ? payloads(stream) : [] }))
  .filter(({ wire }) => finalOf(wire) !== undefined)
  .filter(
    ({ wire }) => wire.filter((each) => (each as JsonObject)['type'] === 'response.created').length === 1,
  )

describe.skipIf(!hasCorpus)('recorded streams of openai-responses', () => {
  test('the recordings are not empty', () => expect(streams.length).toBeGreaterThan(80))

  test.each(streams)('$id equals its final response', async ({ wire }) => {
    const decoded = await accumulate(eventsOf(wire), identity)
    const whole = dialects[NAME].decodeResponse(finalOf(wire), identity).value
    expectSame(bare(decoded), bare(whole))
  })

  test.each(streams)('$id has the edited text in every repeat', ({ wire }) => {
    const events = eventsOf(wire)
    const words = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    const restated = events.some(
      (event) => event.type === 'part-end' && event.replaces && event.part?.type === 'text',
    )
    if (words.length < 12 || restated) return
    let first = true
    const edited = events.map((event): ChatEvent => {
      if (event.type !== 'text-delta') return event
      const text = first ? 'Something else' : ''
      first = false
      return { ...event, text }
    })
    const out = JSON.stringify(written(edited))
    expect(out).not.toContain(JSON.stringify(words).slice(1, -1))
    expect(out.match(/Something else/g)?.length).toBeGreaterThanOrEqual(wire.some(isRepeat) ? 5 : 2)
  })
})

const isRepeat = (wire: Json): boolean => (wire as JsonObject)['type'] === 'response.content_part.done'

const finished = Object.entries(responses).filter(
  ([, { status }]) => status === 'completed' || status === 'incomplete' || status === 'failed',
)

describe('a response that is encoded as a stream', () => {
  test.each(finished)('%s is valid and has the same content', async (_, body) => {
    const { value } = dialects[NAME].decodeResponse(body, identity)
    const wire = written(toEvents(value))
    expect(wire.flatMap((event) => validator('openai-responses-stream-event')(event))).toEqual([])
    expectSame(bare(await accumulate(eventsOf(wire), identity)), bare(value))
  })

  test('numbers its events and its items without gaps, and ends with all items', () => {
    const { value } = dialects[NAME].decodeResponse(responses['calls'])
    const wire = written(toEvents(value))
    expect(wire.map(({ sequence_number: number }) => number)).toEqual([...wire.keys()])
    const added = wire.filter(({ type }) => type === 'response.output_item.added')
    expect(added.map(({ output_index: index }) => index)).toEqual([0, 1, 2, 3, 4])
    expectSame(finalOf(wire)?.['output'], responses['calls']?.['output'])
  })

  test('reasoning in several summaries has several parts', () => {
    const { value } = dialects[NAME].decodeResponse(responses['thinking'])
    const wire = written(toEvents(value))
    const deltas = wire.filter(({ type }) => type === 'response.reasoning_summary_text.delta')
    expect(deltas.map(({ delta, summary_index: index }) => [delta, index])).toEqual([
      ['In short', 0],
      ['and shorter', 1],
    ])
    expectSame(finalOf(wire)?.['output'], responses['thinking']?.['output'])
  })
})

describe('deviations of hosts', () => {
  const response = { id: 'resp_1', object: 'response', model: 'm', status: 'in_progress', output: [] }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' }
  const said = { type: 'output_text', text: 'Hello', annotations: [] }

  test('no sequence numbers, no content parts, a keepalive: exact, and decoded', async () => {
    const wire = [
      { type: 'response.created', response },
      { type: 'keepalive' },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      {
        type: 'response.output_text.delta',
        output_index: 0,
        content_index: 0,
        item_id: 'msg_1',
        delta: 'Hel',
      },
      {
        type: 'response.output_text.delta',
        output_index: 0,
        content_index: 0,
        item_id: 'msg_1',
        delta: 'lo',
      },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content: [said] } },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [{ ...item, content: [said] }] },
      },
    ]
    const events = eventsOf(wire)
    expectSame(written(events), wire)
    const { candidates } = await accumulate(events)
    expect(candidates).toMatchObject([
      { content: [{ type: 'text', text: 'Hello' }], finish: { reason: 'stop' } },
    ])
  })

  test('the final response replaces earlier events', async () => {
    const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] }
    const wire = [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
      {
        type: 'response.reasoning_summary_part.added',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        delta: 'Hm',
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...thought, encrypted_content: 'first' },
      },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [{ ...thought, encrypted_content: 'second' }] },
      },
    ]
    const events = eventsOf(wire)
    expectSame(written(events), wire)
    const { candidates } = await accumulate(events)
    expect(candidates[0]?.content).toMatchObject([
      { text: 'Hm', signature: { vendor: 'openai', value: 'second' } },
    ])
  })

  test('arguments that are only in the final event are decoded, too', async () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', status: 'completed' }
    const wire = [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } },
      {
        type: 'response.function_call_arguments.done',
        output_index: 0,
        item_id: 'fc_1',
        arguments: '{"a":1}',
      },
      { type: 'response.output_item.done', output_index: 0, item: { ...call, arguments: '{"a":1}' } },
    ]
    const events = eventsOf(wire)
    expectSame(written(events).slice(0, wire.length), wire)
    expect(events.filter(({ type }) => type === 'arguments-delta')).toMatchObject([{ json: '{"a":1}' }])
    const { candidates } = await accumulate(events)
    expect(candidates[0]?.content).toMatchObject([{ id: 'call_1', arguments: { a: 1 } }])
  })

  test('a failure in either form is an error event', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down' }
    for (const failure of [
      { type: 'error', ...error, param: null, sequence_number: 1 },
      { type: 'error', error: { ...error, type: 'tokens', param: null }, sequence_number: 1 },
      { type: 'response.failed', response: { ...response, status: 'failed', error } },
    ]) {
      const text = [{ type: 'response.created', response }, failure]
        .map((each) => `data: ${JSON.stringify(each)}\n\n`)
        .join('')
      const events: ChatEvent[] = []
      async function* source(): AsyncGenerator<string> {
        yield text
      }
      for await (const event of dialects[NAME].decodeStream(source())) events.push(event)
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        error: { kind: 'rate-limit', message: 'Slow down' },
      })
    }
  })
})
