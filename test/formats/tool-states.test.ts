import { assistant, type RunEvent, toEvents, toolCall, toolResult, toolResults } from 'interlingua'
import { type AgUiEvent, toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream, type UIMessageChunk } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { show } from './sdk-reader.ts'

const call = toolCall({ id: 'call_1', name: 'remove', arguments: { file: 'a' } })
const response = toEvents({ candidates: [assistant(call, { finish: { reason: 'tool-calls' } })] })
const progress: RunEvent = { type: 'tool-progress', callId: 'call_1', progress: { percent: 50 } }
const request: RunEvent = { type: 'approval-request', id: 'call_1', callId: 'call_1' }

async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

const toolChunks = async (events: readonly RunEvent[], options = {}): Promise<readonly UIMessageChunk[]> =>
  (await collect(toUIMessageStream(events, options))).filter(({ type }) => /approval|output/.test(type))

const lastEvent = async (events: readonly RunEvent[], options = {}): Promise<AgUiEvent | undefined> =>
  (await collect(toAgUi(events, { threadId: 't', runId: 'r', ...options }))).at(-1)

describe('the states of tools in UI streams', () => {
  test('progress is a preliminary output, which the result replaces', async () => {
    const events = [...response, progress, toolResults(toolResult(call, 'done'))]
    expect(await toolChunks(events)).toEqual([
      { type: 'tool-output-available', toolCallId: 'call_1', output: { percent: 50 }, preliminary: true },
      { type: 'tool-output-available', toolCallId: 'call_1', output: 'done' },
    ])
    const { message, errors } = await show(events)
    expect(errors).toEqual([])
    expect(message?.parts.at(-1)).toMatchObject({ state: 'output-available', output: 'done' })
    const custom = (await collect(toAgUi(events, { threadId: 't', runId: 'r' }))).find(
      ({ type }) => type === 'CUSTOM',
    )
    expect(custom).toMatchObject({ value: { toolCallId: 'call_1', progress: { percent: 50 } } })
  })

  test('a request for approval names the call, and ends an AG-UI run with an interrupt', async () => {
    const events = [...response, request]
    expect(await toolChunks(events)).toEqual([
      { type: 'tool-approval-request', approvalId: 'call_1', toolCallId: 'call_1' },
    ])
    expect((await show(events)).message?.parts.at(-1)).toMatchObject({ state: 'approval-requested' })
    expect(await lastEvent(events)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'interrupt', interrupts: [{ id: 'call_1', toolCallId: 'call_1' }] },
    })
  })

  test('states of calls that the client does not have are omitted, and those it has are sent', async () => {
    expect(await toolChunks([request, progress])).toEqual([])
    expect(await toolChunks([request], { knownCalls: ['call_1'] })).toHaveLength(1)
    expect(await lastEvent([request])).toMatchObject({ outcome: { type: 'success' } })
    expect(await lastEvent([request], { knownCalls: ['call_1'] })).toMatchObject({
      outcome: { type: 'interrupt' },
    })
  })

  test('a denied call is not shown as failed', async () => {
    const denied = toolResults(toolResult(call, 'The call was denied.', { isError: true }))
    const options = { deniedCalls: new Set(['call_1']) }
    expect(await toolChunks([...response, denied], options)).toEqual([
      { type: 'tool-output-denied', toolCallId: 'call_1' },
    ])
    expect(await toolChunks([...response, denied])).toMatchObject([{ type: 'tool-output-error' }])
  })

  test('keys that stop the reader of the SDK are removed from progress', async () => {
    const hostile = {
      type: 'tool-progress',
      callId: 'call_1',
      progress: JSON.parse('{"__proto__":1,"a":2}'),
    } as RunEvent
    expect(await toolChunks([...response, hostile])).toMatchObject([{ output: { a: 2 } }])
  })
})
