import { ProviderError, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { agentTracing, type AgentTracingOptions, tracing } from 'interlingua/otel'
import { scripted, type ScriptEntry, wrapModel } from 'interlingua/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Recorder } from '../agent/recording-runner.ts'
import { beginRecording, endRecording, spans, tracer } from './span-recorder.ts'

beforeAll(beginRecording)
afterAll(endRecording)
beforeEach(() => {
  spans.length = 0
})

const CANARY = 'sk-canary-1234567890'
const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12, cachedInputTokens: 4, cacheWriteTokens: 3 }

const weather = tool({
  name: 'weather',
  description: 'Returns the weather.',
  run: () => {
    tracer.startSpan('inside the tool')
    return { celsius: 4, note: CANARY }
  },
})
const broken = tool({
  name: 'broken',
  run: () => {
    throw new Error(CANARY)
  },
})

function createAgent(script: readonly ScriptEntry[], options?: AgentTracingOptions): Agent {
  const model = wrapModel(scripted(script, { name: 'some-model', provider: 'gemini', usage }), tracing())
  return new Agent({ model, tools: [weather, broken], system: CANARY, tracer: agentTracing(options) })
}

const call = (name: string): ScriptEntry => toolCall({ id: `call_${name}`, name, arguments: {} })

/** Returns the spans as a tree of names. */
function toTree(parent?: unknown): unknown[] {
  return spans.filter((span) => span.parent === parent).map((span) => [span.name, ...toTree(span)])
}

const streams: readonly [string, (agent: Agent) => Promise<unknown>][] = [
  ['whole', (agent) => agent.send(CANARY)],
  ['streamed', (agent) => agent.stream(CANARY).result],
]

describe.each(streams)('%s', (_, run) => {
  test('a run is a span with its model calls and tool calls as children', async () => {
    await run(createAgent([call('weather'), 'Cold.'], { agentName: 'forecaster' }))
    expect(toTree()).toEqual([
      [
        'invoke_agent forecaster',
        ['chat some-model'],
        ['execute_tool weather', ['inside the tool']],
        ['chat some-model'],
      ],
    ])
    expect(spans.filter(({ name }) => name !== 'inside the tool').map(({ ended }) => ended)).toEqual([
      1, 1, 1, 1,
    ])
    const [agentSpan, , toolSpan] = spans
    expect(agentSpan).toMatchObject({ kind: 0, status: undefined })
    expect(agentSpan?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.agent.name': 'forecaster',
      'gen_ai.request.model': 'some-model',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 20,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.usage.cache_read.input_tokens': 8,
      'gen_ai.usage.cache_creation.input_tokens': 6,
    })
    expect(toolSpan).toMatchObject({ kind: 0, status: undefined })
    expect(toolSpan?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_weather',
      'gen_ai.tool.description': 'Returns the weather.',
    })
  })

  test('errors of tools and runs are recorded by their type; no text of the conversation is in the spans', async () => {
    const error = new ProviderError(`Wrong key ${CANARY}`, { kind: 'authentication' })
    await expect(run(createAgent([call('broken'), error]))).rejects.toThrow(CANARY)
    const errors = spans.map(({ name, status, attributes }) => [name, status?.code, attributes['error.type']])
    expect(errors).toEqual([
      ['invoke_agent', 2, 'authentication'],
      ['chat some-model', undefined, undefined],
      ['execute_tool broken', 2, 'tool-error'],
      ['chat some-model', 2, 'authentication'],
    ])
    expect(JSON.stringify(spans.map(({ attributes, status }) => ({ attributes, status })))).not.toContain(
      'canary',
    )
  })
})

test('contents are added on request', async () => {
  await createAgent([call('weather'), 'Cold.'], { includeContents: true }).send('How is it?')
  const [agentSpan, , toolSpan] = spans
  const parse = (name: string): unknown => JSON.parse(String(agentSpan?.attributes[name]))
  expect(parse('gen_ai.system_instructions')).toEqual([{ type: 'text', content: CANARY }])
  expect(parse('gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'How is it?' }] },
  ])
  expect(parse('gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'Cold.' }], finish_reason: 'stop' },
  ])
  expect(toolSpan?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{}',
    'gen_ai.tool.call.result': JSON.stringify({ celsius: 4, note: CANARY }),
  })
})

test('an agent as a tool is a run inside the span of its tool call, also when it pauses', async () => {
  const guarded = tool({ name: 'delete', needsApproval: true, run: () => 'deleted' })
  const inner = new Agent({
    model: scripted([toolCall({ id: 'call_delete', name: 'delete' }), 'Done.']),
    tools: [guarded],
    tracer: agentTracing({ agentName: 'inner' }),
  })
  const outer = new Agent({
    model: scripted([
      toolCall({ id: 'call_clean', name: 'clean', arguments: { prompt: 'Go' } }),
      'All done.',
    ]),
    tools: [inner.asTool({ name: 'clean', description: 'Deletes files.' })],
    tracer: agentTracing({ agentName: 'outer' }),
  })
  const paused = await outer.send('Clean up')
  expect(toTree()).toEqual([['invoke_agent outer', ['execute_tool clean', ['invoke_agent inner']]]])
  expect(spans.map(({ status, ended }) => [status, ended])).toEqual(Array(3).fill([undefined, 1]))
  expect(spans[0]?.attributes['gen_ai.response.finish_reasons']).toEqual(['approval'])
  spans.length = 0
  const decisions = Object.fromEntries(
    (paused.paused?.pending ?? []).map(({ call: { id } }) => [id, 'approve' as const]),
  )
  await outer.resume(paused.paused ?? expect.fail('not paused'), decisions, { history: paused.messages })
  expect(toTree()).toEqual([
    ['invoke_agent outer', ['execute_tool clean', ['invoke_agent inner', ['execute_tool delete']]]],
  ])
})

test('a tool result that a durable runner has recorded is not a span', async () => {
  const runner = new Recorder()
  await createAgent([call('weather'), 'Cold.']).send('Hi', { runner })
  spans.length = 0
  await createAgent([]).send('Hi', { runner })
  expect(toTree()).toEqual([['invoke_agent']])
})
