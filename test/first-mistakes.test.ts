import {
  assistant,
  type ChatEvent,
  dialects,
  file,
  image,
  InterlinguaError,
  Messages,
  toolCall,
  toolResult,
  user,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import {
  anthropic,
  bedrock,
  cohere,
  demo,
  gemini,
  geminiInteractions,
  mistral,
  ollama,
} from 'interlingua/providers'
import { connectMcp } from 'interlingua/agent/mcp'
import { fromConversations, fromMessages } from 'interlingua/formats'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { fallback, logging, openaiChat, openaiResponses, scripted, wrapModel } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** Returns the error that a function throws. */
function errorOf(act: () => unknown): InterlinguaError {
  try {
    act()
  } catch (error) {
    if (error instanceof InterlinguaError) return error
    throw error
  }
  return expect.fail('was not refused')
}

const call = toolCall({ name: 'weather', arguments: {} })
const cyclic: Record<string, unknown> = { list: [{}] }
const inner = { back: cyclic }
cyclic['list'] = [{}, inner]

describe('values that are no JSON', () => {
  test.each<[string, unknown, string]>([
    ['an error', new Error('boom'), 'error.message'],
    ['a date', new Date(0), 'toISOString'],
    ['a map', new Map(), 'Object.fromEntries'],
    ['a set', new Set(), '[...set]'],
  ])('%s: the hint names the conversion', (_name, value, hint) => {
    expect(errorOf(() => toolResult(call, { value } as never)).hint).toContain(hint)
  })

  test('a cycle is reported where it closes, not after 200 levels', () => {
    expect(errorOf(() => toolCall({ name: 'x', arguments: cyclic as never }))).toMatchObject({
      code: 'cyclic',
      path: '/list/1/back',
    })
  })

  test('a schema of zod in place of a JSON Schema', async () => {
    const output = { type: 'json', schema: z.object({ celsius: z.number() }) } as never
    await expect(demo().generate({ messages: 'Hi', output })).rejects.toMatchObject({
      hint: expect.stringContaining('z.toJSONSchema'),
    })
  })
})

describe('the fields of an object in place of a schema', () => {
  test.each<[string, unknown, string]>([
    ['names of types', { city: 'string', days: 'integer' }, "type: 'object'"],
    ['the properties alone', { city: { type: 'string' }, days: { type: 'integer' } }, "type: 'object'"],
    ['schemas of zod', { city: z.string() }, 'z.object'],
  ])('%s', async (_name, input, hint) => {
    const expected = { code: 'invalid-schema', hint: expect.stringContaining(hint) }
    expect(errorOf(() => tool({ name: 'weather', input: input as never }))).toMatchObject(expected)
    await expect(new Agent({ model: demo() }).sendFor(input as never, 'Hi')).rejects.toMatchObject(expected)
  })

  test('a schema without keywords that constrain, and one of a type, are schemas', () => {
    for (const input of [{}, { type: 'string' }, { description: 'Anything' }, { not: { type: 'null' } }])
      expect(tool({ name: 'weather', input }).definition.input).toEqual(input)
  })
})

describe('content that is no content', () => {
  test.each<[unknown, string]>([
    [5, 'a number'],
    [undefined, 'nothing'],
    [null, 'null'],
    [['Hi', null], 'null'],
  ])('%o', (content, found) => {
    for (const build of [user, assistant])
      expect(errorOf(() => build(content as never))).toMatchObject({
        found,
        expected: 'text or a content part',
        hint: expect.stringContaining('Pass text'),
      })
  })
})

describe('the output of a tool that cannot be written', () => {
  test.each<[string, () => unknown]>([
    ['a value that contains itself', () => cyclic],
    ['a bigint', () => 1n],
  ])('%s is named as the output of the tool', async (found, run) => {
    const model = scripted([call, 'Done.'])
    const { messages } = await new Agent({ model, tools: [tool({ name: 'weather', run })] }).send('Hi')
    expect(JSON.stringify(messages)).toContain(`The output of the tool cannot be converted to JSON: ${found}`)
  })
})

describe('an answer of another server', () => {
  const fetch = async (): Promise<Response> => Response.json({ status: 'ok' })
  const options = { apiKey: 'k', fetch, retry: { maxAttempts: 1 } }
  const models = {
    anthropic: anthropic('m', options),
    bedrock: bedrock('m', { ...options, baseUrl: 'https://bedrock.example' }),
    cohere: cohere('m', options),
    gemini: gemini('m', options),
    'gemini-interactions': geminiInteractions('m', options),
    mistral: mistral('m', options),
    ollama: ollama('m', options),
    'openai-chat': openaiChat('m', options),
    'openai-responses': openaiResponses('m', options),
  }

  test('every dialect has a model', () => {
    expect(Object.keys(models).toSorted()).toEqual(Object.keys(dialects).toSorted())
  })

  test.each(Object.entries(models))('%s: is an error, not an empty answer', async (_name, model) => {
    const expected = { kind: 'server', message: expect.stringContaining('no message') }
    await expect(model.generate('Hi')).rejects.toMatchObject(expected)
    await expect(model.stream('Hi').reply).rejects.toMatchObject(expected)
  })
})

describe('the delay of a retry', () => {
  test('is a whole number of milliseconds', async () => {
    const delays: number[] = []
    const fetch = async (): Promise<Response> => new Response('busy', { status: 503 })
    const model = openaiChat('m', {
      apiKey: 'k',
      fetch,
      retry: { maxAttempts: 3, baseDelayMs: 1 },
    })
    await expect(
      model.generate('Hi', { onRetry: ({ delayMs }) => void delays.push(delayMs) }),
    ).rejects.toMatchObject({ kind: 'overloaded' })
    expect(delays.map(Number.isInteger)).toEqual([true, true])
  })
})

describe('an option that is undefined is an option that is not set', () => {
  test('of a provider and of a call, with `exactOptionalPropertyTypes`', async () => {
    const { INTERLINGUA_UNSET: unset } = process.env
    const signal: AbortSignal | undefined = undefined
    const fetch = async (): Promise<Response> => Response.json({ choices: [{ message: { content: 'Hi' } }] })
    const model = openaiChat('m', {
      apiKey: unset ?? 'k',
      baseUrl: unset,
      baseURL: unset,
      fetch,
    })
    expect((await model.generate('Hi', { signal })).text).toBe('Hi')
    expect((await new Agent({ model }).send('Hi', { signal })).text).toBe('Hi')
    expect(openaiChat('m', { apiKey: unset }).name).toBe('m')
  })
})

describe('a request of another form', () => {
  const cases: [string, unknown, string][] = [
    ['a list of messages', [user('Hi')], '{ messages }'],
    ['a Messages', Messages.of('Hi'), '{ messages }'],
    ['no message', { messages: [] }, 'history was read'],
    ['an empty Messages', { messages: Messages.of() }, 'history was read'],
    ['the prompt of another library', { prompt: 'Hi' }, '`messages`'],
    ['its stop sequences', { messages: 'Hi', stopSequences: ['x'] }, '`stop`'],
    ['its output format', { messages: 'Hi', response_format: {} }, '`output:'],
    ['its reasoning', { messages: 'Hi', thinking: {} }, '`reasoning:'],
  ]
  test.each(cases)('%s', async (_name, request, hint) => {
    const models = [demo(), scripted(['Hello']), anthropic('m', { apiKey: 'k' }), wrapModel(demo())]
    for (const model of models) {
      const expected = { hint: expect.stringContaining(hint) }
      await expect(model.generate(request as never)).rejects.toMatchObject(expected)
      await expect(model.stream(request as never).reply).rejects.toMatchObject(expected)
    }
  })
})

describe('an argument that would be ignored', () => {
  test.each<[string, () => unknown, string]>([
    ['a middleware that was not called', () => wrapModel(demo(), logging as never), 'logging({ log })'],
    ['no middleware', () => wrapModel(demo(), undefined as never), 'logging({ log })'],
    ['a model in place of a list', () => fallback(demo() as never), ''],
    ['a text in place of a script', () => scripted('Hello' as never), "scripted(['…'])"],
    ['no script', () => scripted(undefined as never), "scripted(['…'])"],
  ])('%s', (_name, act, hint) => {
    expect(errorOf(act).code).toBe('invalid-type')
    expect(errorOf(act).hint ?? '').toContain(hint)
  })

  test('the chunks of an agent in place of its events', async () => {
    const agent = new Agent({ model: demo() })
    const convert = [
      () => toUIMessageStream(agent.stream('Hi') as never),
      () => toAgUi(agent.stream('Hi') as never, { threadId: 't', runId: 'r' }),
    ]
    for (const read of convert)
      await expect(read().next()).rejects.toMatchObject({ hint: expect.stringContaining('.events()') })
    expect(errorOf(() => toUIMessageStream('Hi' as never)).code).toBe('invalid-type')
  })

  test('a storage that was not awaited', () => {
    const options = {
      agent: new Agent({ model: demo() }),
      storage: Promise.resolve(memoryStorage()),
      session: 's',
    }
    expect(errorOf(() => new Conversation(options as never)).hint).toContain('Await')
  })
})

describe('what is missing or of another kind', () => {
  test('media without bytes', async () => {
    for (const build of [image, file])
      for (const data of [new Uint8Array(), ''])
        expect(errorOf(() => build({ data, mediaType: 'image/png' }))).toMatchObject({
          code: 'invalid-value',
          found: 'no bytes',
        })
  })

  test('the tool of an agent in a request', async () => {
    const weather = tool({ name: 'weather', run: () => 4 })
    await expect(demo().generate({ messages: 'Hi', tools: [weather as never] })).rejects.toMatchObject({
      path: '/tools/0',
      hint: expect.stringContaining('`definition`'),
    })
    await expect(demo().generate({ messages: 'Hi', tools: [weather.definition] })).resolves.toBeDefined()
  })

  test('a session of an agent program in place of messages', () => {
    const line = '{"type":"user","message":{"role":"user","content":"Hi"},"uuid":"a","sessionId":"s"}'
    for (const read of [fromMessages, fromConversations])
      expect(errorOf(() => read(line)).hint).toContain('fromTranscript()')
  })

  test('a file without conversations has none', () => {
    expect([fromConversations([]), fromConversations('')]).toEqual([[], []])
  })

  test('an MCP server that cannot be reached: the reason is part of the message', async () => {
    await expect(connectMcp({ command: '/nowhere/at-all' })).rejects.toThrow('could not be reached (ENOENT)')
    await expect(connectMcp({ url: 'nowhere' })).rejects.toThrow('could not be reached (ERR_INVALID_URL)')
  })

  test('a stream that breaks without a reason has a message without a gap', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('')) })
    const { error } = await readFailure(dialects['openai-chat'].decodeStream(body))
    expect(error.message).toBe('The stream failed while it was read')
  })
})

/** Returns the error event of a stream. */
async function readFailure(events: AsyncIterable<ChatEvent>): Promise<{ readonly error: Error }> {
  for await (const event of events) if (event.type === 'error') return event
  return expect.fail('no error')
}
