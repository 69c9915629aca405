import {
  type ChatRequest,
  type FunctionTool,
  Messages,
  reasoningOf,
  toolCallsOf,
  toolResult,
  user,
} from 'interlingua'
import { describe, expect, test, vi } from 'vitest'
import { demo } from '../../src/client/demo-model.ts'
import { accepts } from '../schema/schema-meaning.ts'

function tool(name: string, description: string, properties: object): FunctionTool {
  const input = { type: 'object', properties, required: Object.keys(properties) } as FunctionTool['input']
  return { type: 'function', name, description, input }
}

const weather = tool('get_weather', 'The weather in a city, such as the temperature now', {
  city: { type: 'string' },
})
const add = tool('addNumbers', 'Sum up two numbers', { a: { type: 'number' }, b: { type: 'number' } })
const finish = tool('return_result', 'Gives the result back', { celsius: { type: 'number' } })

function asking(text: string, rest: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [user(text)], tools: [weather, add], ...rest }
}

async function callsFor(request: ChatRequest): Promise<unknown> {
  const { message } = await demo().generate(request)
  return toolCallsOf(message).map(({ name, arguments: given }) => ({ [name]: given }))
}

describe('words', () => {
  test('the reply introduces the demo model, and is the same each time', async () => {
    const ask = async (): Promise<string> => (await demo().generate(asking('Hello!'))).text
    expect(await ask()).toBe(
      'I am the demo model: I run offline and know nothing of the world. You said: “Hello!”',
    )
    expect(await ask()).toBe(await ask())
  })

  test('it shows reasoning unless that is disabled', async () => {
    expect(reasoningOf((await demo().generate(asking('Hello!'))).message)).toContain('No tool matches')
    for (const reasoning of [{ enabled: false }, { effort: 'none' }] as const)
      expect(reasoningOf((await demo().generate(asking('Hello!', { reasoning }))).message)).toBe('')
  })

  test('a stream has the same text, in pieces', async () => {
    const deltas: string[] = []
    const stream = demo({ eventDelayMs: 0 }).stream(asking('Hello!'))
    for await (const event of stream) if (event.type === 'text-delta') deltas.push(event.text)
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.join('')).toBe((await demo().generate(asking('Hello!'))).text)
    expect(await stream.reply).toMatchObject({ finish: { reason: 'stop' }, losses: [] })
  })

  test('without a delay, no timer slows the stream', async () => {
    vi.useFakeTimers()
    try {
      const { text } = await demo({ eventDelayMs: 0 }).stream(asking('Hello!')).reply
      expect(text).toContain('Hello!')
    } finally {
      vi.useRealTimers()
    }
  })

  test('usage is counted', async () => {
    const { usage } = await demo().generate(asking('Hello!'))
    expect(usage?.totalTokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0))
  })

  test('an empty prompt is handled', async () => {
    expect((await demo().generate({ messages: [user('')] })).text).toContain('Ask me')
  })
})

describe('tools', () => {
  test.each<[string, Partial<ChatRequest>, unknown]>([
    ['What is the weather in Oslo?', {}, [{ get_weather: { city: 'Oslo' } }]],
    ['Which temperature has the city of Bergen?', {}, [{ get_weather: { city: 'Bergen' } }]],
    ['Add 2 and 40', {}, [{ addNumbers: { a: 2, b: 40 } }]],
    ['Good morning', {}, []],
    [
      'Add 2 and 3 and tell the weather in Oslo',
      { parallelToolCalls: false },
      [{ get_weather: { city: 'Oslo' } }],
    ],
    ['What is the weather in Oslo?', { toolChoice: 'none' }, []],
    ['Good morning', { toolChoice: 'required' }, [{ get_weather: { city: 'Good morning' } }]],
    ['The weather, and 1 and 2', { toolChoice: { name: 'addNumbers' } }, [{ addNumbers: { a: 1, b: 2 } }]],
    ['The weather in Oslo', { toolChoice: { allowed: ['addNumbers'], mode: 'auto' } }, []],
  ])('%j with %j', async (text, rest, expected) => {
    expect(await callsFor(asking(text, rest))).toEqual(expected)
  })

  test('a call ends the turn, and its results are reported', async () => {
    const model = demo()
    const question = Messages.of(user('What is the weather in Oslo?'))
    const first = await model.generate({ messages: question, tools: [weather] })
    expect(first.finish).toEqual({ reason: 'tool-calls' })
    const [call] = toolCallsOf(first.message)
    if (call === undefined) throw new Error('no call')
    const answered = question
      .append(first.message)
      .toolResults(toolResult(call, { celsius: 4, sky: 'clear' }))
    const { text } = await model.generate({ messages: answered, tools: [weather] })
    expect(text).toBe('get_weather says: celsius: 4, sky: clear.')

    const next = answered.user('And the weather in Bergen?')
    const [other] = toolCallsOf((await model.generate({ messages: next, tools: [weather] })).message)
    expect(other).toMatchObject({ arguments: { city: 'Bergen' } })
    expect(other?.id).not.toBe(call.id)
  })

  test('a required tool is called after others, with their results', async () => {
    const model = demo()
    const question = Messages.of(user('What is the weather in Oslo?'))
    const request = { tools: [weather, finish], toolChoice: 'required' } as const
    const first = await model.generate({ ...request, messages: question })
    const [call] = toolCallsOf(first.message)
    if (call === undefined) throw new Error('no call')
    const answered = question.append(first.message).toolResults(toolResult(call, { celsius: 4 }))
    const second = await model.generate({ ...request, messages: answered })
    expect(toolCallsOf(second.message)).toMatchObject([{ name: 'return_result', arguments: { celsius: 4 } }])
  })

  test('a failed tool is reported as failed', async () => {
    const messages = Messages.of(user('What is the weather in Oslo?')).toolResults(
      toolResult('call_1', 'no such city', { isError: true, name: 'get_weather' }),
    )
    expect((await demo().generate({ messages, tools: [weather] })).text).toBe(
      'get_weather failed: no such city.',
    )
  })
})

test('the output conforms to a schema', async () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      mood: { enum: ['good', 'bad'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['city', 'mood', 'tags'],
    additionalProperties: false,
  }
  const { text } = await demo().generate({
    messages: [user('I am in Oslo, and it is bad')],
    output: { type: 'json', schema },
  })
  const value: unknown = JSON.parse(text)
  expect(accepts(schema, value)).toBe(true)
  expect(value).toMatchObject({ city: 'Oslo', mood: 'bad' })
})

test('an abort is respected', async () => {
  const signal = AbortSignal.timeout(5)
  const { reply } = demo({ eventDelayMs: 60_000 }).stream(asking('Hello!'), { signal })
  await expect(reply).rejects.toMatchObject({ code: 'aborted' })
  await expect(demo().generate(asking('Hello!'), { signal })).rejects.toMatchObject({ code: 'aborted' })
})
