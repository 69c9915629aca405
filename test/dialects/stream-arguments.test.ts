import {
  accumulate,
  type ChatEvent,
  dialects,
  InterlinguaError,
  type Json,
  type JsonObject,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../laws.ts'
import { collect, framed, identity, source, streamNames, type StreamName, told } from './stream-answers.ts'
import { payloads } from './stream-codecs.ts'

const pieces = ['', '{"city', '":"Os', 'lo", "days"', ':[1', ',2]}']

const chunk = (delta: Json, finish: string | null = null): Json => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** What each piece says so far. */
const growing: readonly JsonObject[] = [
  {},
  { city: 'Os' },
  { city: 'Oslo' },
  { city: 'Oslo', days: [] },
  { city: 'Oslo', days: [1, 2] },
]

/** How a format streams calls. */
interface Way {
  /** The payloads of an answer with one call for each list of pieces. */
  readonly stream: (...calls: readonly (readonly string[])[]) => readonly Json[]
  /** What the deltas say so far, one after the other: formats without pieces say all at once. */
  readonly seen: readonly JsonObject[]
  /** The start of a call whose arguments do not end, and one more piece of them. */
  readonly endless: readonly [start: readonly Json[], piece: Json]
}

const long = 'x'.repeat(100)
const openedChat = chunk({
  tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { name: 'f', arguments: '{"a":"' } }],
})
const openedBlock = (index: number): Json => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id: `c${index}`, name: 'f', input: {} },
})
const openedMessage: Json = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', content: [] },
}
const blockDelta = (index: number, text: string): Json => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
})

const item = (index: number, text: string, status: string): JsonObject => ({
  id: `fc_${index}`,
  type: 'function_call',
  status,
  arguments: text,
  call_id: `c${index}`,
  name: 'f',
})
const response = (status: string, output: readonly Json[]): JsonObject => ({
  id: 'r',
  object: 'response',
  created_at: 0,
  model: 'm',
  status,
  output,
})
const itemDelta = (index: number, text: string): Json => ({
  type: 'response.function_call_arguments.delta',
  item_id: `fc_${index}`,
  output_index: index,
  delta: text,
})
const openedItem = (index: number): Json => ({
  type: 'response.output_item.added',
  output_index: index,
  item: item(index, '', 'in_progress'),
})
const created: Json = { type: 'response.created', response: response('in_progress', []) }

const line = (message: JsonObject, ending: JsonObject = { done: false }): JsonObject => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...ending,
})
const candidate = (parts: readonly Json[], ending: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...ending, index: 0 }],
  responseId: 'r',
})
const parsed = (pieces: readonly string[]): Json => JSON.parse(pieces.join('')) as Json

const ways: { readonly [name in StreamName]: Way } = {
  'openai-chat': {
    stream: (...calls) => [
      ...calls.flatMap((each, index) => [
        chunk({
          tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '' } }],
        }),
        ...each.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
      ]),
      chunk({}, 'tool_calls'),
    ],
    seen: growing,
    endless: [[openedChat], chunk({ tool_calls: [{ index: 0, function: { arguments: long } }] })],
  },
  'openai-responses': {
    stream: (...calls) => [
      created,
      ...calls.flatMap((each, index) => [
        openedItem(index),
        ...each.map((text) => itemDelta(index, text)),
        {
          type: 'response.function_call_arguments.done',
          item_id: `fc_${index}`,
          output_index: index,
          arguments: each.join(''),
        },
        {
          type: 'response.output_item.done',
          output_index: index,
          item: item(index, each.join(''), 'completed'),
        },
      ]),
      {
        type: 'response.completed',
        response: response(
          'completed',
          calls.map((each, index) => item(index, each.join(''), 'completed')),
        ),
      },
    ],
    seen: growing,
    endless: [[created, openedItem(0), itemDelta(0, '{"a":"')], itemDelta(0, long)],
  },
  anthropic: {
    stream: (...calls) => [
      openedMessage,
      ...calls.flatMap((each, index) => [
        openedBlock(index),
        ...each.map((text) => blockDelta(index, text)),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ],
    seen: growing,
    endless: [[openedMessage, openedBlock(0), blockDelta(0, '{"a":"')], blockDelta(0, long)],
  },
  gemini: {
    stream: (...calls) => [
      ...calls.map((each, index) =>
        candidate([{ functionCall: { id: `c${index}`, name: 'f', args: parsed(each) } }]),
      ),
      candidate([{ text: '' }], { finishReason: 'STOP' }),
    ],
    seen: growing.slice(-1),
    endless: [
      [candidate([{ functionCall: { id: 'c0', name: 'f', willContinue: true } }])],
      candidate([
        {
          functionCall: {
            partialArgs: [{ jsonPath: '$.a', stringValue: long, willContinue: true }],
            willContinue: true,
          },
        },
      ]),
    ],
  },
  ollama: {
    stream: (...calls) => [
      ...calls.map((each, index) =>
        line({ tool_calls: [{ id: `c${index}`, function: { index, name: 'f', arguments: parsed(each) } }] }),
      ),
      line({}, { done: true, done_reason: 'stop' }),
    ],
    seen: growing.slice(-1),
    endless: [
      [line({ content: 'Hi' })],
      line({ tool_calls: [{ function: { name: 'f', arguments: { a: long.repeat(20) } } }] }),
    ],
  },
}

const isDelta = (event: ChatEvent): event is ChatEvent & { readonly type: 'arguments-delta' } =>
  event.type === 'arguments-delta'

describe.each(streamNames)('%s: arguments while they stream', (name) => {
  const dialect = dialects[name]
  const { stream, seen: says, endless: unending } = ways[name]

  test.each([true, false])('each piece says what all say so far, exact: %s', async (exact) => {
    const seen: (JsonObject | undefined)[] = []
    const objects = new Set<unknown>()
    for await (const event of dialect.decodeStream(source(framed(name, stream(pieces))), { exact })) {
      if (!isDelta(event)) continue
      seen.push(structuredClone(event.value))
      if (event.value !== undefined) objects.add(event.value)
      expectSame(again(event), JSON.parse(JSON.stringify(event)))
      expectSame((again(event) as typeof event).value, event.value)
    }
    const said = seen.filter((value, index) => index > 0 || value !== undefined)
    expect(said).toEqual(says)
    expect(objects.size).toBe(1) // the live value: one object that grows
  })

  test('no encoder reads it: changed, removed or stored, the stream is the same', async () => {
    const wire = stream(pieces, ['{}'])
    const events = await collect(dialect.decodeStream(source(framed(name, wire)), identity))
    expect(JSON.stringify(events.map(({ extra }) => extra))).not.toContain('Oslo')
    const without = events.map((event) => {
      if (!isDelta(event)) return event
      const { value: _value, ...rest } = event
      return rest
    })
    const lies = events.map((event) => (isDelta(event) ? { ...event, value: { city: 'Rome' } } : event))
    for (const variant of [events, without, lies, again(events) as ChatEvent[]])
      expectSame(payloads((await told(name, variant)).text).slice(0, wire.length), wire)
    expectSame(await accumulate(lies, identity), await accumulate(events, identity))
  })

  test('arguments that grow beyond the limit are refused, with what came before', async () => {
    let cancelled = false
    const [start, piece] = unending
    async function* endless(): AsyncGenerator<string> {
      try {
        yield framed(name, start)
        for (;;) yield framed(name, [piece])
      } finally {
        cancelled = true
      }
    }
    const events = await collect(dialect.decodeStream(endless(), { limits: { arguments: 1000 } }))
    const last = events.at(-1)
    expect(last?.type === 'error' && last.error).toBeInstanceOf(InterlinguaError)
    expect(last).toMatchObject({
      error: { code: 'arguments-too-large', hint: expect.stringContaining('limits.arguments') },
    })
    expect(
      events
        .filter(isDelta)
        .map(({ json }) => json)
        .join('').length,
    ).toBeLessThanOrEqual(1000)
    expect(cancelled).toBe(true)
  })

  test('the limit is one of a call, not of the stream', async () => {
    const whole = [`{"a":"${'x'.repeat(900)}"}`]
    const events = await collect(
      dialect.decodeStream(source(framed(name, stream(whole, whole, whole))), {
        limits: { arguments: 1000 },
      }),
    )
    expect(events.at(-1)?.type).not.toBe('error')
    expect((await accumulate(events)).candidates[0]?.content).toHaveLength(3)
  })
})

test('a custom tool streams its text as { input }', async () => {
  const custom = (fields: Json): Json => chunk({ tool_calls: [{ index: 0, ...(fields as JsonObject) }] })
  const wire = [
    custom({ id: 'a', type: 'custom', custom: { name: 'shell', input: 'echo "' } }),
    custom({ custom: { input: 'hi"\n' } }),
    chunk({}, 'tool_calls'),
  ]
  const seen: unknown[] = []
  for await (const event of dialects['openai-chat'].decodeStream(source(framed('openai-chat', wire))))
    if (isDelta(event)) seen.push(structuredClone(event.value))
  expect(seen).toEqual([{ input: 'echo "' }, { input: 'echo "hi"\n' }, { input: 'echo "hi"\n' }])
})

test('calls that are told by turns stay apart, and what comes after the end of one corrects it', async () => {
  const fragment = (index: number, text: string, id?: string): Json =>
    chunk({
      tool_calls: [{ index, ...(id && { id }), function: { ...(id && { name: 'f' }), arguments: text } }],
    })
  const wire = [
    fragment(0, '{"x":', 'a'),
    fragment(1, '{"y":2}', 'b'),
    fragment(0, '1}'),
    fragment(2, '{}', 'c'),
    fragment(1, 'garbage'),
    chunk({}, 'tool_calls'),
  ]
  const events = await collect(
    dialects['openai-chat'].decodeStream(source(framed('openai-chat', wire)), identity),
  )
  expect((await accumulate(events)).candidates[0]?.content).toMatchObject([
    { id: 'a', arguments: { x: 1 } },
    { id: 'b', argumentsError: '{"y":2}garbage' },
    { id: 'c', arguments: {} },
  ])
  const { text, losses } = await told('anthropic', events)
  expect(losses.map(({ rule }) => rule)).toContain('late-correction')
  const back = await accumulate(dialects.anthropic.decodeStream(source(text)))
  expect(back.candidates[0]?.content).toMatchObject([
    { id: 'a', arguments: { x: 1 } },
    { id: 'b' },
    { id: 'c' },
  ])
  expectSame(payloads((await told('openai-chat', events)).text), wire)
})
