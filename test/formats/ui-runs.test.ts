import type { UIMessageChunk as SdkChunk } from 'ai'
import {
  assistant,
  type ChatEvent,
  dialects,
  toEvents,
  InterlinguaError,
  ProviderError,
  toolResult,
  toolResults,
} from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream, type UIMessageChunk } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { hasCorpus } from '../recorded-exchanges.ts'
import { collect, streams } from './arbitrary-runs.ts'
import { show } from './sdk-reader.ts'
import { client, loop, run, weather } from './tool-loop-events.ts'

test('the chunk type is assignable to the SDK’s', () => {
  expectTypeOf<UIMessageChunk>().toExtend<SdkChunk>()
})

describe('a tool loop', () => {
  test('is one UI message with a step for each response', async () => {
    const { message } = await show(loop)
    expect(message?.id).toBe('msg_1')
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Let me see.', state: 'done' },
      {
        type: 'tool-weather',
        toolCallId: 'call_1',
        state: 'output-available',
        input: { city: 'Oslo' },
        output: { celsius: 4 },
      },
      { type: 'tool-clock', toolCallId: 'call_2', state: 'output-error', errorText: 'No clock' },
      { type: 'step-start' },
      { type: 'text', text: '4 °C.', state: 'done' },
    ])
  })

  test('is one AG-UI run: consecutive calls share their message', async () => {
    const reader = await client(loop)
    expect(reader.messages).toMatchObject([
      {
        id: 'r-0-0',
        content: 'Let me see.',
        toolCalls: [{ id: 'call_1' }, { id: 'call_2', arguments: '{}' }],
      },
      { id: 'r-0-r0', role: 'tool', toolCallId: 'call_1', content: '{"celsius":4}' },
      {
        id: 'r-0-r1',
        role: 'tool',
        toolCallId: 'call_2',
        content: 'No clock',
        metadata: { interlingua: { isError: true } },
      },
      { id: 'r-1-0', content: '4 °C.' },
    ])
    expect(reader.outcome).toMatchObject({
      outcome: { type: 'success' },
      usage: [{ model: 'm', inputTokens: 10, outputTokens: 4, totalTokens: 14 }],
    })
  })

  test('that stops at its calls lists the pending ones', async () => {
    const reader = await client(
      loop.slice(
        0,
        loop.findIndex((event) => 'role' in event),
      ),
    )
    expect(reader.outcome).toMatchObject({
      outcome: { type: 'success', pendingToolCallIds: ['call_1', 'call_2'] },
    })
  })

  test('can continue in a later stream, with the calls that the client has', async () => {
    const at = loop.findIndex((event) => 'role' in event)
    const first = await show(loop.slice(0, at))
    const { message } = await show(
      loop.slice(at),
      { messageId: 'msg_1', knownCalls: ['call_1', 'call_2'] },
      first.message,
    )
    expect(message?.id).toBe('msg_1')
    expect(message?.parts[2]).toMatchObject({ toolCallId: 'call_1', output: { celsius: 4 } })
    expect(message?.parts.at(-1)).toMatchObject({ text: '4 °C.' })
  })
})

describe('interleaved calls', () => {
  const turns: readonly ChatEvent[] = [
    { type: 'part-start', index: 0, part: { type: 'tool-call', id: 'a', name: 'f', arguments: {} } },
    { type: 'arguments-delta', index: 0, json: '{"x":' },
    { type: 'part-end', index: 0 },
    { type: 'part-start', index: 1, part: { type: 'tool-call', id: 'b', name: 'f', arguments: {} } },
    { type: 'arguments-delta', index: 1, json: '{"y":2}' },
    { type: 'arguments-delta', index: 0, json: '1}' },
    { type: 'part-end', index: 1 },
    { type: 'finish', finish: { reason: 'tool-calls' } },
  ]

  test('are sent once, and complete', async () => {
    const chunks = await collect(toUIMessageStream(turns))
    expect(
      chunks.filter(({ type }) => type === 'tool-input-available' || type === 'tool-input-error'),
    ).toMatchObject([
      { toolCallId: 'b', input: { y: 2 } },
      { toolCallId: 'a', input: { x: 1 } },
    ])
    expect((await client(turns)).calls).toMatchObject([
      { id: 'a', arguments: '{"x":1}' },
      { id: 'b', arguments: '{"y":2}' },
    ])
  })
})

describe('a failing run', () => {
  const secret = 'sk-12345 at db.internal'
  const failure = new ProviderError(secret, {
    kind: 'overloaded',
    cause: new Error(secret),
    body: { secret },
  })
  const half: readonly ChatEvent[] = [
    { type: 'start', id: 'resp' },
    { type: 'text-delta', index: 0, text: 'Hel' },
    { type: 'part-start', index: 1, part: { type: 'tool-call', id: 'c', name: 'f', arguments: {} } },
    { type: 'arguments-delta', index: 1, json: '{"a":1}' },
  ]
  const failed: readonly ChatEvent[] = [...half, { type: 'error', error: failure }]
  const aborted: readonly ChatEvent[] = [
    ...half,
    { type: 'error', error: new InterlinguaError('aborted', 'The stream was aborted') },
  ]

  test('keeps what arrived and shows only the error code; a truncated call is not offered', async () => {
    const { message, errors } = await show(failed)
    expect(errors).toEqual(['The response could not be completed (overloaded).'])
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Hel', state: 'done' },
      { type: 'tool-f', state: 'input-streaming' },
    ])
    const reader = await client(failed)
    expect(reader.outcome).toEqual({
      type: 'RUN_ERROR',
      message: 'The response could not be completed (overloaded).',
      code: 'overloaded',
    })
    expect(JSON.stringify([message, errors, reader])).not.toContain('sk-')
  })

  test('shows the text of the application', async () => {
    const errorText = (error: unknown): string => `Sorry: ${(error as ProviderError).kind}`
    expect((await show(failed, { errorText })).errors).toEqual(['Sorry: overloaded'])
    const events = await collect(toAgUi(failed, { ...run, errorText }))
    expect(events.at(-1)).toMatchObject({ message: 'Sorry: overloaded' })
  })

  test('is not an error if it was aborted', async () => {
    const chunks = await collect(toUIMessageStream(aborted))
    expect(chunks.at(-1)).toEqual({ type: 'abort' })
    expect(chunks.some(({ type }) => type === 'tool-input-available' || type === 'error')).toBe(false)
    expect((await client(aborted)).outcome).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    })
    const finish: ChatEvent = { type: 'finish', finish: { reason: 'aborted' } }
    expect((await collect(toUIMessageStream([finish]))).at(-1)).toEqual({ type: 'abort' })
    expect((await client([finish])).outcome).toMatchObject({ outcome: { type: 'cancelled' } })
  })

  test('may be a tool whose error text is not for users', async () => {
    const events = [
      ...toEvents({ candidates: [assistant([weather])] }),
      toolResults(toolResult(weather, secret, { isError: true })),
    ]
    const { message } = await show(events, { toolErrorText: () => 'It failed.' })
    expect(message?.parts[1]).toMatchObject({ errorText: 'It failed.' })
  })

  test.skipIf(!hasCorpus)(
    'recorded streams may be cut anywhere',
    async () => {
      for (const [number, { dialect, stream }] of streams.entries()) {
        if (!process.env['SOAK'] && number % 3 > 0) continue
        const cut = stream.slice(0, Math.floor((stream.length * ((number * 7) % 10)) / 10))
        async function* source(): AsyncGenerator<string> {
          yield cut
        }
        const events = await collect(dialects[dialect].decodeStream(source()))
        const { errors } = await show(events)
        const failures = events.filter(({ type }) => type === 'error').length
        expect(errors).toHaveLength(failures)
        expect((await client(events)).outcome?.type).toBe(failures > 0 ? 'RUN_ERROR' : 'RUN_FINISHED')
      }
    },
    300_000,
  )
})
