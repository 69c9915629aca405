import { context, trace } from '@opentelemetry/api'
import {
  assistant,
  type ChatRequest,
  image,
  json,
  ProviderError,
  reasoning,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { tracing, type TracingOptions } from 'interlingua/otel'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wrapModel } from '../../src/client/middleware/middleware.ts'
import type { Reply } from '../../src/canonical/model/model-interface.ts'
import { type ScriptedModel, scripted } from '../../src/client/scripted-model.ts'
import { beginRecording, endRecording, spans, tracer } from './span-recorder.ts'

beforeAll(beginRecording)
afterAll(endRecording)
beforeEach(() => {
  spans.length = 0
})

const CANARY = 'sk-canary-1234567890'
const usage = {
  inputTokens: 30,
  outputTokens: 12,
  totalTokens: 42,
  cachedInputTokens: 10,
  cacheWriteTokens: 5,
  reasoningTokens: 4,
}

async function ask(
  model: ScriptedModel,
  request: ChatRequest,
  streamed: boolean,
  options?: TracingOptions,
): Promise<Reply> {
  const traced = wrapModel(model, tracing(options))
  return streamed ? traced.stream(request).reply : traced.generate(request)
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('%s', (_how, streamed) => {
  test('a call is a span with attributes of request and response', async () => {
    const model = scripted(
      [
        {
          id: 'resp_1',
          model: 'claude-1.2',
          usage,
          candidates: [assistant('Hi', { finish: { reason: 'tool-calls' } })],
        },
      ],
      {
        name: 'claude-1',
        provider: 'gemini',
      },
    )
    await ask(
      model,
      {
        messages: [user(CANARY)],
        maxOutputTokens: 9,
        temperature: 0,
        topP: 0.5,
        topK: 4,
        stop: ['x'],
        seed: 7,
        candidateCount: 2,
      },
      streamed,
    )
    expect(spans.map(({ name, kind, ended, status }) => ({ name, kind, ended, status }))).toEqual([
      { name: 'chat claude-1', kind: 2, ended: 1, status: undefined },
    ])
    const { 'gen_ai.response.time_to_first_chunk': first, ...rest } = spans[0]?.attributes ?? {}
    expect(rest).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'claude-1',
      ...(streamed && { 'gen_ai.request.stream': true }),
      'gen_ai.request.max_tokens': 9,
      'gen_ai.request.temperature': 0,
      'gen_ai.request.top_p': 0.5,
      'gen_ai.request.top_k': 4,
      'gen_ai.request.stop_sequences': ['x'],
      'gen_ai.request.seed': 7,
      'gen_ai.request.choice.count': 2,
      'gen_ai.response.id': 'resp_1',
      'gen_ai.response.model': 'claude-1.2',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 12,
      'gen_ai.usage.cache_read.input_tokens': 10,
      'gen_ai.usage.cache_creation.input_tokens': 5,
      'gen_ai.usage.reasoning.output_tokens': 4,
    })
    expect(typeof first).toBe(streamed ? 'number' : 'undefined')
  })

  test('[S21] an error is recorded by its type; no text of the conversation is in the span', async () => {
    const error = new ProviderError(`Wrong key ${CANARY}`, {
      kind: 'authentication',
      param: CANARY,
      body: { CANARY },
    })
    const broken = { reply: `one ${CANARY}`, breakAfterEvents: 3, error }
    const model = scripted([error, broken, new TypeError(CANARY)])
    const request = { messages: [system(CANARY), user(CANARY)], user: CANARY, metadata: { key: CANARY } }
    for (const type of ['authentication', 'authentication', '_OTHER']) {
      await expect(ask(model, request, streamed)).rejects.toThrow(CANARY)
      expect(spans.at(-1)).toMatchObject({
        status: { code: 2 },
        ended: 1,
        attributes: { 'error.type': type },
      })
    }
    expect(JSON.stringify(spans)).not.toContain('canary')
  })

  test('spans created inside are children', async () => {
    const outer = tracer.startSpan('outer')
    const model = scripted(() => {
      tracer.startSpan('inner')
      return 'Hi'
    })
    await context.with(trace.setSpan(context.active(), outer), () =>
      ask(model, { messages: [user('Hi')] }, streamed),
    )
    const [, chat, inner] = spans
    expect(spans.map(({ name }) => name)).toEqual(['outer', 'chat scripted', 'inner'])
    expect(chat?.parent).toBe(outer)
    expect(inner?.parent).toBe(chat)
  })
})

test('contents, with includeContents, in the format of the conventions', async () => {
  const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
  const model = scripted([[reasoning('Hm.'), 'A cat.']])
  await ask(
    model,
    {
      messages: [
        system('Be brief.'),
        user([
          'What is this?',
          image('https://example.com/cat.png'),
          image({ data: new Uint8Array(3), mediaType: 'image/png' }),
        ]),
        assistant([
          call,
          toolCall({ id: 'call_2', name: 'search', arguments: {}, executedBy: 'provider' }),
          toolResult('call_2', 'found', { name: 'search' }),
        ]),
        toolResults([toolResult('call_1', [json({ celsius: 4 })])]),
      ],
      tools: [{ type: 'function', name: 'weather', description: 'Tells it', input: { type: 'object' } }],
    },
    false,
    { includeContents: true },
  )
  const contents = Object.entries(spans[0]?.attributes ?? {}).flatMap(([name, value]) =>
    /messages|instructions|definitions/.test(name) ? [[name, JSON.parse(value as string)] as const] : [],
  )
  expect(Object.fromEntries(contents)).toEqual({
    'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
    'gen_ai.input.messages': [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'What is this?' },
          { type: 'uri', modality: 'image', uri: 'https://example.com/cat.png' },
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: '' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } },
          {
            type: 'server_tool_call',
            id: 'call_2',
            name: 'search',
            server_tool_call: { type: 'search', arguments: {} },
          },
          {
            type: 'server_tool_call_response',
            id: 'call_2',
            server_tool_call_response: { type: 'search', response: 'found' },
          },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: { celsius: 4 } }] },
    ],
    'gen_ai.output.messages': [
      {
        role: 'assistant',
        finish_reason: 'stop',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'text', content: 'A cat.' },
        ],
      },
    ],
    'gen_ai.tool.definitions': [
      { type: 'function', name: 'weather', description: 'Tells it', parameters: { type: 'object' } },
    ],
  })
})

test('a stream that its reader leaves ends its span', async () => {
  for await (const _event of wrapModel(scripted(['one two']), tracing()).stream({ messages: [user('Hi')] }))
    break
  expect(spans).toMatchObject([{ ended: 1, status: undefined }])
})

test('leaving a stream closes the inner stream, too', async () => {
  let isClosed = false
  const watched = wrapModel(scripted(['one two three']), {
    async *stream(request, options, inner) {
      try {
        const answer = inner.stream(request, options)
        yield* answer
        return await answer.reply
      } finally {
        isClosed = true
      }
    },
  })
  for await (const _event of wrapModel(watched, tracing()).stream({ messages: [user('Hi')] })) break
  expect(isClosed).toBe(true)
})
