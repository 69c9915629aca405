import {
  accumulate,
  type ChatEvent,
  dialects,
  InterlinguaError,
  type Json,
  type JsonObject,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { collect, framed, identity, source, streamNames, encodeStreamText } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'
import { chunk, pieces, ways } from './stream-call-fixtures.ts'

const isDelta = (event: ChatEvent): event is ChatEvent & { readonly type: 'arguments-delta' } =>
  event.type === 'arguments-delta'

describe.each(streamNames)('%s: streamed arguments', (name) => {
  const dialect = dialects[name]
  const { stream, seen: values, endless: unending } = ways[name]

  test.each([true, false])('each delta has the value of all deltas so far, exact: %s', async (exact) => {
    const seen: (JsonObject | undefined)[] = []
    const objects = new Set<unknown>()
    for await (const event of dialect.decodeStream(source(framed(name, stream(pieces))), { exact })) {
      if (!isDelta(event)) continue
      seen.push(structuredClone(event.value))
      if (event.value !== undefined) objects.add(event.value)
      expectSame(again(event), JSON.parse(JSON.stringify(event)))
      expectSame((again(event) as typeof event).value, event.value)
    }
    const reported = seen.filter((value, index) => index > 0 || value !== undefined)
    expect(reported).toEqual(values)
    expect(objects.size).toBe(1) // all deltas share one object that grows
  })

  test('encoders ignore the value: changed, removed or stored, the stream is the same', async () => {
    const wire = stream(pieces, ['{}'])
    const events = await collect(dialect.decodeStream(source(framed(name, wire)), identity))
    expect(JSON.stringify(events.map(({ extra }) => extra))).not.toContain('Oslo')
    const without = events.map((event) => {
      if (!isDelta(event)) return event
      const { value: _value, ...rest } = event
      return rest
    })
    const wrong = events.map((event) => (isDelta(event) ? { ...event, value: { city: 'Rome' } } : event))
    for (const variant of [events, without, wrong, again(events) as ChatEvent[]])
      expectSame(payloads((await encodeStreamText(name, variant)).text).slice(0, wire.length), wire)
    expectSame(await accumulate(wrong, identity), await accumulate(events, identity))
  })

  test('arguments beyond the limit are rejected; the events before are kept', async () => {
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
    const events = await collect(dialect.decodeStream(endless(), { limits: { maxArgumentsChars: 1000 } }))
    const last = events.at(-1)
    expect(last?.type === 'error' && last.error).toBeInstanceOf(InterlinguaError)
    expect(last).toMatchObject({
      error: { code: 'arguments-too-large', hint: expect.stringContaining('limits.maxArgumentsChars') },
    })
    expect(
      events
        .filter(isDelta)
        .map(({ json }) => json)
        .join('').length,
    ).toBeLessThanOrEqual(1000)
    expect(cancelled).toBe(true)
  })

  test('the limit appwrong to each call, not to the stream, and includes its value', async () => {
    const json = `{"a":"${'x'.repeat(900)}"}`
    const under = (limit: number): Promise<readonly ChatEvent[]> =>
      collect(
        dialect.decodeStream(source(framed(name, stream([json], [json], [json]))), {
          limits: { maxArgumentsChars: limit },
        }),
      )
    const events = await under(json.length)
    expect(events.at(-1)?.type).not.toBe('error')
    expect((await accumulate(events)).candidates[0]?.content).toHaveLength(3)
    expect((await under(json.length - 1)).at(-1)).toMatchObject({ error: { code: 'arguments-too-large' } })
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

test('alternating calls are kept apart, and a fragment after the end of a call corrects it', async () => {
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
    { id: 'b', invalidArguments: '{"y":2}garbage' },
    { id: 'c', arguments: {} },
  ])
  const { text, losses } = await encodeStreamText('anthropic', events)
  expect(losses.map(({ rule }) => rule)).toContain('late-correction')
  const back = await accumulate(dialects.anthropic.decodeStream(source(text)))
  expect(back.candidates[0]?.content).toMatchObject([
    { id: 'a', arguments: { x: 1 } },
    { id: 'b' },
    { id: 'c' },
  ])
  expectSame(payloads((await encodeStreamText('openai-chat', events)).text), wire)
})
