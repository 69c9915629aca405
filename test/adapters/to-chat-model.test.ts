import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { InMemoryCache } from '@langchain/core/caches'
import { ContextOverflowError } from '@langchain/core/errors'
import { tool } from '@langchain/core/tools'
import fc from 'fast-check'
import { assistant, type ChatRequest, reasoning, text, toolCall, toolCallsOf } from 'interlingua'
import { type InterlinguaChatModel, toChatModel } from 'interlingua/adapters/langchain'
import { attachSignature } from 'interlingua/content'
import { langchain } from 'interlingua/formats/langchain'
import { anthropic, openaiChat, scripted, type ScriptEntry } from 'interlingua/providers'
import { startMockServer } from 'interlingua/testing/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anyMessage, RUNS } from '../arbitraries.ts'
import { bare } from '../dialects/json-leaves.ts'

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4, reasoningTokens: 2 }
const thoughts = attachSignature(reasoning('A call is needed'), { vendor: 'anthropic', value: 'dG9rZW4=' })
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const weather = tool(({ city }) => `Snow in ${city}`, {
  name: 'weather',
  description: 'Current weather',
  schema: z.object({ city: z.string() }),
})

async function join(model: Pick<InterlinguaChatModel, 'stream'>, input: BaseMessage[] | string) {
  let joined: AIMessageChunk | undefined
  for await (const chunk of await model.stream(input)) joined = joined?.concat(chunk) ?? chunk
  return joined as AIMessageChunk
}

const read = (message: BaseMessage) => langchain.fromMessages([message]).value[0]

describe.each(['invoke', 'stream'] as const)('%s', (form) => {
  const ask = async (script: readonly ScriptEntry[], input = 'Hi') => {
    const inner = scripted(script, { usage })
    const model = await toChatModel(inner)
    const message = form === 'invoke' ? await model.invoke(input) : await join(model, input)
    return { inner, message }
  }

  test('keeps the answer: reasoning with its signature, citations, calls, usage and finish', async () => {
    const cited = text('Snow', { citations: [{ type: 'source', url: 'https://example.com/', title: 'Sky' }] })
    const answer = assistant([thoughts, cited, call])
    const { message } = await ask([answer])
    expect(bare([...(read(message)?.content ?? [])])).toMatchObject(bare([...answer.content]))
    expect(message.contentBlocks.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_call'])
    expect(message.text).toBe('Snow')
    expect(message.tool_calls).toMatchObject([{ id: 'call_1', name: 'weather', args: { city: 'Oslo' } }])
    expect(message.usage_metadata).toMatchObject({
      input_tokens: 10,
      output_tokens: 5,
      input_token_details: { cache_read: 4 },
      output_token_details: { reasoning: 2 },
    })
    expect(message.response_metadata).toMatchObject({ finish_reason: 'tool_calls', model_name: 'scripted' })
  })

  test('a plain answer is a string', async () => {
    expect((await ask(['Hi there'])).message.content).toBe('Hi there')
  })

  // LangChain completes JSON itself, and would run a tool with half of its arguments.
  const whole = '{"path": "/a\\u00e9\\"b", "n": [1.5, true, {"k": null}]}'
  test('arguments that are not complete are an invalid call', async () => {
    const cut = Array.from(whole, (_, index) => whole.slice(0, index))
    const calls = [...cut, '[1]', 'oops', '{} {}'].map((json, index) => {
      const { arguments: _arguments, ...unread } = toolCall({ id: `c${index}`, name: 'rm', arguments: {} })
      return { ...unread, invalidArguments: json }
    })
    // One answer with all calls would take LangChain long to join.
    for (let start = 0; start < calls.length; start += 6) {
      const some = calls.slice(start, start + 6)
      const { message } = await ask([assistant(some)])
      expect(message.tool_calls).toEqual([])
      expect(message.invalid_tool_calls).toMatchObject(some.map(({ id, name }) => ({ id, name })))
    }
  })

  test('what LangChain has no field for is in the metadata of the response', async () => {
    const signed = attachSignature(call, { vendor: 'openai', value: 'dG9rZW4=' })
    const { message } = await ask([assistant([signed])])
    expect(message.response_metadata['losses']).toMatchObject([{ rule: 'signature-dropped' }])
    expect((await ask(['Hi'])).message.response_metadata).not.toHaveProperty('losses')
  })
})

test('a stream has the same content as a complete answer', async () => {
  const anyAnswer = anyMessage.filter((message) => message.role === 'assistant')
  const property = fc.asyncProperty(anyAnswer, async (answer) => {
    const [whole, joined] = [await toChatModel(scripted([answer])), await toChatModel(scripted([answer]))]
    const summarize = (message: AIMessageChunk) => {
      const found = read(message)
      const calls = found === undefined ? [] : toolCallsOf(found)
      return { text: message.text, calls: calls.map(({ id, name }) => `${id} ${name}`).toSorted() }
    }
    expect(summarize(await join(joined, 'Hi'))).toEqual(summarize(await whole.invoke('Hi')))
  })
  await fc.assert(property, { numRuns: Math.ceil(RUNS / 10) })
})

describe('requests', () => {
  const send = async (options: Parameters<InterlinguaChatModel['invoke']>[1], tools: object[] = []) => {
    const inner = scripted(['Hi'])
    const model = await toChatModel(inner, { temperature: 0.5, reasoning: { effort: 'low' } })
    await (tools.length === 0 ? model : model.bindTools(tools)).invoke([new HumanMessage('Hi')], options)
    return inner.requests[0] as ChatRequest
  }

  test('have the settings of the model and of the call', async () => {
    expect(await send({ stop: ['END'], temperature: 0, maxOutputTokens: 9 })).toMatchObject({
      stop: ['END'],
      temperature: 0,
      maxOutputTokens: 9,
      reasoning: { effort: 'low' },
    })
  })

  test.each([
    ['auto', 'auto'],
    ['any', 'required'],
    ['none', 'none'],
    ['weather', { name: 'weather' }],
    ['constructor', { name: 'constructor' }],
    [{ type: 'function', function: { name: 'weather' } }, { name: 'weather' }],
    [{ type: 'tool', name: 'weather' }, { name: 'weather' }],
    [{ type: 'any' }, 'required'],
  ])('the tool choice %j is %j', async (choice, expected) => {
    expect((await send({ tool_choice: choice }, [weather])).toolChoice).toEqual(expected)
  })

  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const described = { name: 'weather', description: 'Current weather' }
  test.each([
    ['of LangChain', weather],
    ['of OpenAI', { type: 'function', function: { ...described, parameters: schema } }],
    ['of Anthropic', { ...described, input_schema: schema }],
    ['of a request', { type: 'function', ...described, input: schema }],
  ])('contain a tool %s', async (_, given) => {
    const [found] = (await send({}, [given])).tools ?? []
    expect(found).toMatchObject({ type: 'function', ...described, input: schema })
  })

  test('an unknown tool, choice or option is refused', async () => {
    const model = await toChatModel(scripted(['Hi']))
    expect(() => model.bindTools([{ type: 'web_search_20250305', name: 'web_search' }])).toThrow(
      expect.objectContaining({ code: 'invalid-value', path: '/tools/0' }),
    )
    await expect(model.bindTools([weather]).invoke('Hi', { tool_choice: { a: 1 } })).rejects.toMatchObject({
      path: '/tool_choice',
    })
    await expect(toChatModel(scripted([]), { temprature: 0 } as never)).rejects.toMatchObject({
      path: '/temprature',
      hint: expect.stringContaining('temperature') as string,
    })
  })

  test('a response format is the output of the request', async () => {
    const format = { type: 'json_schema', json_schema: { name: 'sky', schema, strict: true } }
    expect((await send({ response_format: format })).output).toEqual({
      type: 'json',
      name: 'sky',
      schema,
      strict: true,
    })
  })
})

test('structured output works as in the base class', async () => {
  const extract = toolCall({ id: 'c', name: 'extract', arguments: { city: 'Oslo' } })
  const model = await toChatModel(scripted([assistant([extract]), assistant([extract])]))
  const schema = z.object({ city: z.string() })
  expect(await model.withStructuredOutput(schema).invoke('Where?')).toEqual({ city: 'Oslo' })
  const { parsed, raw } = await model.withStructuredOutput(schema, { includeRaw: true }).invoke('Where?')
  expect(parsed).toEqual({ city: 'Oslo' })
  expect(AIMessage.isInstance(raw)).toBe(true)
})

describe('callbacks', () => {
  const record = () => {
    const log: string[] = []
    const handler = {
      handleLLMNewToken: (token: string) => void log.push(`token ${token}`),
      handleLLMEnd: ({ llmOutput }: { llmOutput?: Record<string, unknown> }) =>
        void log.push(`end ${JSON.stringify(llmOutput)}`),
      handleLLMError: (error: Error) => void log.push(`error ${error.message}`),
    }
    return { log, callbacks: [handler] }
  }
  const end = 'end {"tokenUsage":{"promptTokens":10,"completionTokens":5,"totalTokens":15}}'

  test('get tokens and usage', async () => {
    const { log, callbacks } = record()
    const model = await toChatModel(scripted(['Hi you', 'Hi'], { usage }), { callbacks })
    await join(model, 'Hi')
    await model.invoke('Hi')
    expect(log).toEqual(['token Hi ', 'token you', 'token ', end, end])
  })

  test('get errors, and the caller gets the error of the model', async () => {
    const { log, callbacks } = record()
    const model = await toChatModel(scripted([]), { callbacks })
    await expect(model.invoke('Hi')).rejects.toMatchObject({ name: 'InterlinguaError' })
    await expect(join(model, 'Hi')).rejects.toMatchObject({ name: 'InterlinguaError' })
    expect(log).toHaveLength(2)
  })
})

test('content blocks are streamed as events', async () => {
  const model = await toChatModel(scripted([assistant([thoughts, text('Hi'), call])]))
  const stream = model.streamEvents('Hi')
  expect(await stream.text).toBe('Hi')
  expect((await stream).tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Oslo' } }])
})

test('caches of LangChain distinguish models and settings', async () => {
  const cache = new InMemoryCache()
  const ask = async (answer: string, temperature: number) =>
    (await toChatModel(scripted([answer]), { cache, temperature })).invoke('Hi')
  expect((await ask('A', 0)).text).toBe('A')
  expect((await ask('B', 0)).text).toBe('A')
  expect((await ask('C', 1)).text).toBe('C')
})

describe('against strict providers', () => {
  let server: Awaited<ReturnType<typeof startMockServer>>
  beforeAll(async () => {
    server = await startMockServer()
  })
  afterAll(() => server.close())

  test('keys are in no serialized form, and token counts need no network', async () => {
    const model = await toChatModel(
      anthropic('claude-sonnet-5', { apiKey: 'sk-secret', baseUrl: server.url }),
    )
    const forms = [JSON.stringify(model), JSON.stringify(model.toJSON()), JSON.stringify(model.lc_kwargs)]
    expect(forms.join('\n')).not.toContain('sk-secret')
    expect(await model.getNumTokens('How warm is it?')).toBe(4)
    expect(model.profile).toMatchObject({ toolCalling: true, structuredOutput: true })
    expect(model.profile.maxInputTokens).toBeGreaterThan(100_000)
  })

  test('an abort ends a call and a stream', async () => {
    const model = await toChatModel(openaiChat('gpt-6-sol', { apiKey: 'key', baseUrl: `${server.url}/v1` }))
    const signal = AbortSignal.abort()
    await expect(model.invoke('Hi', { signal })).rejects.toThrow(/abort/i)
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of await model.stream('Hi', { signal: controller.signal })) controller.abort()
    }
    await expect(read()).rejects.toThrow(/abort/i)
  })
})

test('a context that is too long is the error that LangChain shortens conversations for', async () => {
  const tooLong = () =>
    Promise.resolve(
      Response.json({ error: { code: 'context_length_exceeded', message: 'Too long' } }, { status: 400 }),
    )
  const model = await toChatModel(openaiChat('gpt-6-sol', { apiKey: 'key', fetch: tooLong }))
  const failed = await model.invoke('Hi').catch((error: unknown) => error)
  expect(ContextOverflowError.isInstance(failed)).toBe(true)
  const streamed = await join(model, 'Hi').catch((error: unknown) => error)
  expect(ContextOverflowError.isInstance(streamed)).toBe(true)
})
