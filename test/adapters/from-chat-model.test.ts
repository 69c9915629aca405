import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { FakeChatModel, FakeListChatModel } from '@langchain/core/utils/testing'
import { assistant, type ChatRequest, image, reasoning, text, textOf, toolCall, user } from 'interlingua'
import { fromChatModel, toChatModel } from 'interlingua/adapters/langchain'
import { Agent, tool } from 'interlingua/agent'
import { attachSignature } from 'interlingua/content'
import { langchain } from 'interlingua/formats/langchain'
import { scripted, type ScriptEntry } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { bare } from '../dialects/json-leaves.ts'

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4, reasoningTokens: 2 }
const thoughts = attachSignature(reasoning('A call is needed'), { vendor: 'anthropic', value: 'dG9rZW4=' })
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const cited = text('Snow', { citations: [{ type: 'source', url: 'https://example.com/', title: 'Sky' }] })

/** Models whose answers pass through both adapters. */
const wrap = async (script: readonly ScriptEntry[]) => {
  const inner = scripted(script, { usage })
  return { inner, model: fromChatModel(await toChatModel(inner)) }
}

describe.each(['generate', 'stream'] as const)('%s through both adapters', (form) => {
  const ask = async (script: readonly ScriptEntry[], request: ChatRequest) => {
    const { inner, model } = await wrap(script)
    const reply = form === 'generate' ? await model.generate(request) : await model.stream(request).reply
    return { reply, sent: inner.requests[0] as ChatRequest }
  }

  test('keeps the answer: reasoning with its signature, citations, calls, usage and finish', async () => {
    const answer = assistant([thoughts, cited, call])
    const { reply } = await ask([answer], { messages: [user('Weather?')] })
    expect(bare([...reply.message.content])).toMatchObject(bare([...answer.content]))
    expect(reply.usage).toMatchObject(usage)
    expect(reply.finish?.reason).toBe('tool-calls')
    expect(reply.losses).toEqual([])
  })

  test('keeps the request: media, tools, choice and stop sequences', async () => {
    const request: ChatRequest = {
      messages: [user([text('Look'), image('https://example.com/a.png')]), assistant([thoughts, cited])],
      tools: [{ type: 'function', name: 'weather', description: 'Sky', input: { type: 'object' } }],
      toolChoice: { name: 'weather' },
      stop: ['END'],
    }
    const { sent } = await ask(['Hi'], request)
    const [first, second] = [...sent.messages]
    expect(sent).toMatchObject({ ...request, messages: expect.anything() as unknown })
    expect(first?.content).toMatchObject([
      { text: 'Look' },
      { type: 'image', source: { url: 'https://example.com/a.png' } },
    ])
    expect(bare([...(second?.content ?? [])])).toMatchObject(bare([thoughts, cited]))
  })

  test('reports the settings that LangChain has no common option for', async () => {
    const { reply } = await ask(['Hi'], { messages: [user('Hi')], temperature: 0, user: 'ada' })
    expect(reply.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'no-field /temperature',
      'no-field /user',
    ])
  })
})

test('an agent runs on a chat model of LangChain, with tools and typed output', async () => {
  const result = toolCall({ id: 'call_2', name: 'return_result', arguments: { sky: 'snow' } })
  const { model } = await wrap([assistant([thoughts, call]), 'Snow in Oslo', assistant(result)])
  const weather = tool({
    name: 'weather',
    description: 'Current weather',
    input: { type: 'object', properties: { city: { type: 'string' } } },
    run: () => 'Snow',
  })
  const agent = new Agent({ model, tools: [weather] })
  expect((await agent.send('Weather?')).text).toBe('Snow in Oslo')
  expect(model).toMatchObject({ name: 'scripted', provider: 'interlingua' })
})

/** A chat model that streams these chunks. */
class StreamingChatModel extends FakeChatModel {
  readonly chunks: readonly ConstructorParameters<typeof AIMessageChunk>[0][]

  constructor(chunks: StreamingChatModel['chunks']) {
    super({})
    this.chunks = chunks
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    for (const fields of this.chunks)
      yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk(fields) })
  }
}

const streaming = (chunks: StreamingChatModel['chunks']) => fromChatModel(new StreamingChatModel(chunks))

const chunk = (content: unknown, fields: object = {}) =>
  ({ content, tool_call_chunks: [], ...fields }) as ConstructorParameters<typeof AIMessageChunk>[0]
const callChunk = (fields: object) =>
  chunk('', { tool_call_chunks: [{ type: 'tool_call_chunk', ...fields }] })

/** Chunks as the integrations of providers stream them, and the parts of the answer. */
const STREAMS: readonly (readonly [string, ReturnType<typeof chunk>[], readonly object[]])[] = [
  ['strings', [chunk('Sn'), chunk(''), chunk('ow')], [{ type: 'text', text: 'Snow' }]],
  [
    'thinking of Anthropic',
    [
      chunk([{ type: 'thinking', thinking: 'A ', index: 0 }]),
      chunk([{ type: 'thinking', thinking: 'call', index: 0 }]),
      chunk([{ type: 'thinking', signature: 'dG9rZW4=', index: 0 }]),
      chunk([{ type: 'text', text: 'Snow', index: 1 }]),
      chunk([{ type: 'tool_use', id: 'c1', name: 'weather', index: 2 }], {
        tool_call_chunks: [{ id: 'c1', name: 'weather', args: '', index: 2 }],
      }),
      chunk([{ type: 'input_json_delta', input: '{"a":1}', index: 2 }], {
        tool_call_chunks: [{ args: '{"a":1}', index: 2 }],
      }),
    ],
    [
      { type: 'reasoning', text: 'A call', signature: { vendor: 'anthropic', value: 'dG9rZW4=' } },
      { type: 'text', text: 'Snow' },
      { type: 'tool-call', id: 'c1', name: 'weather', arguments: { a: 1 } },
    ],
  ],
  [
    'reasoning beside the content',
    [
      chunk('', { additional_kwargs: { reasoning_content: 'Let me ' } }),
      chunk('', { additional_kwargs: { reasoning_content: 'see' } }),
      chunk('Snow'),
    ],
    [
      { type: 'reasoning', text: 'Let me see' },
      { type: 'text', text: 'Snow' },
    ],
  ],
  [
    'blocks without an index',
    [
      chunk([{ type: 'reasoning', reasoning: 'A' }]),
      chunk([{ type: 'reasoning', reasoning: 'B' }]),
      chunk([{ type: 'text', text: 'Sn' }]),
      chunk([{ type: 'text', text: 'ow' }]),
    ],
    [
      { type: 'reasoning', text: 'AB' },
      { type: 'text', text: 'Snow' },
    ],
  ],
  [
    'calls with the same index, and with none',
    [
      callChunk({ id: 'c1', name: 'a', args: '{"n":1}', index: 0 }),
      callChunk({ id: 'c2', name: 'b', args: '{"n":2}', index: 0 }),
      callChunk({ id: 'c3', name: 'c', args: '{}' }),
    ],
    [
      { type: 'tool-call', id: 'c1', name: 'a', arguments: { n: 1 } },
      { type: 'tool-call', id: 'c2', name: 'b', arguments: { n: 2 } },
      { type: 'tool-call', id: 'c3', name: 'c', arguments: {} },
    ],
  ],
  [
    'calls that are complete',
    [chunk('', { tool_calls: [{ id: 'c1', name: 'a', args: { n: 1 } }] })],
    [{ type: 'tool-call', id: 'c1', name: 'a', arguments: { n: 1 } }],
  ],
  [
    'a call that is cut off',
    [callChunk({ id: 'c1', name: 'a', args: '{"n":', index: 0 })],
    [{ type: 'tool-call', id: 'c1', name: 'a', invalidArguments: '{"n":' }],
  ],
  [
    'media',
    [chunk([{ type: 'image', mimeType: 'image/png', data: 'AAAA', index: 0 }])],
    [{ type: 'image', source: { kind: 'base64', data: 'AAAA' } }],
  ],
  [
    'a block whose type is a name of objects',
    [chunk([{ type: 'constructor', text: 'x' }])],
    [{ type: 'opaque' }],
  ],
]

test.each(STREAMS)('reads %s', async (_, chunks, parts) => {
  expect((await streaming(chunks).stream('Hi').reply).message.content).toMatchObject(parts)
})

test('adds the usage of the chunks, and reads the finish of the provider', async () => {
  const model = streaming([
    chunk('Hi', { usage_metadata: { input_tokens: 7, output_tokens: 0, total_tokens: 7 } }),
    chunk('', {
      usage_metadata: { input_tokens: 0, output_tokens: 3, total_tokens: 3 },
      response_metadata: { stop_reason: 'max_tokens' },
    }),
  ])
  const { usage: counted, finish } = await model.stream('Hi').reply
  expect(counted).toMatchObject({ inputTokens: 7, outputTokens: 3, totalTokens: 10 })
  expect(finish).toEqual({ reason: 'length', raw: 'max_tokens' })
})

describe('a chat model without tools', () => {
  // It answers with its prompt.
  const model = fromChatModel(new FakeChatModel({}), { name: 'fake-1' })

  test('answers, and refuses tools', async () => {
    expect((await model.generate('Hi')).text).toBe('Hi')
    expect((await model.stream('Hi').reply).text).toBe('Hi')
    const tools = [{ type: 'function', name: 'a', input: { type: 'object' } } as const]
    expect(model).toMatchObject({ name: 'fake-1', capabilities: { supportsTools: false } })
    await expect(model.generate({ messages: 'Hi', tools })).rejects.toMatchObject({
      code: 'unsupported',
      path: '/tools',
    })
  })
})

test('errors and aborts reach the caller, also while the model is silent', async () => {
  const failing = fromChatModel(new FakeListChatModel({ responses: ['Hi'], sleep: 60_000 }))
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 20)
  const { signal } = controller
  await expect(failing.generate('Hi', { signal })).rejects.toMatchObject({ code: 'aborted' })
  await expect(failing.stream('Hi', { signal }).reply).rejects.toMatchObject({ code: 'aborted' })
  const broken = new FakeListChatModel({ responses: ['Hi'] })
  broken._generate = () => Promise.reject(new Error('no connection'))
  await expect(fromChatModel(broken).generate('Hi')).rejects.toThrow('no connection')
})

test('leaving the stream ends the call', async () => {
  let isClosed = false
  class Endless extends FakeListChatModel {
    override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
      try {
        for (;;) yield new ChatGenerationChunk({ text: 'a', message: new AIMessageChunk('a') })
      } finally {
        isClosed = true
      }
    }
  }
  for await (const event of fromChatModel(new Endless({ responses: [''] })).stream('Hi'))
    if (event.type === 'text-delta') break
  await expect.poll(() => isClosed).toBe(true)
})

test.each(['toDict', 'toJSON'] as const)(
  'messages that LangChain serialized with %s are sent',
  async (form) => {
    const serialized = [new HumanMessage('Hi'), new AIMessage('Hello'), new HumanMessage('Weather?')].map(
      (message) => message[form](),
    )
    const { inner, model } = await wrap(['Snow'])
    await model.generate({ messages: langchain.fromMessages(serialized).value })
    const [sent] = inner.requests
    expect([...(sent?.messages ?? [])].map((message) => textOf(message))).toEqual(['Hi', 'Hello', 'Weather?'])
  },
)

test('anything else is refused', () => {
  expect(() => fromChatModel(new AIMessage('Hi') as never)).toThrow(
    expect.objectContaining({ code: 'invalid-type', expected: 'an object that extends BaseChatModel' }),
  )
})
