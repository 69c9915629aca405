import { type Message, reasoning, text, toolCall, toolResultsOf, textOf, user, validate } from 'interlingua'
import { Agent, type AgentChunk, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }

const weather = tool<{ readonly city: string }>({
  name: 'weather',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => ({ city, celsius: 4 }),
})

const time = tool({ name: 'time', run: () => '15:45' })

const calls = [
  toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
  toolCall({ id: 'call_2', name: 'time' }),
]

/** All chunks of a stream. */
async function collect(chunks: AsyncIterable<AgentChunk>): Promise<AgentChunk[]> {
  const all: AgentChunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role)

describe('send', () => {
  test('[r161, C21] returns only new messages, including the prompt; the caller keeps the history', async () => {
    const agent = new Agent({ model: scripted(['Hi! How can I help?', '2+2 equals 4']) })
    const first = await agent.send('Hello')
    expect(roles(first.messages)).toEqual(['user', 'assistant'])
    expect(first.text).toBe('Hi! How can I help?')
    const second = await agent.send('What is 2+2?', { history: first.messages })
    expect(second.messages.map((message) => textOf(message))).toEqual(['What is 2+2?', '2+2 equals 4'])
    expect(second.finish).toEqual({ reason: 'stop' })
  })

  test('[r156, r157, r160] returns all messages of the turn, the results of a round in one', async () => {
    const model = scripted([['Let me see.', ...calls], 'It is 4 °C at 15:45.'], { usage })
    const result = await new Agent({ model, tools: [weather, time], system: 'Be brief.' }).send('Oslo?')
    expect(roles(result.messages)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const [, , results] = result.messages
    expect(results && toolResultsOf(results).map(({ callId }) => callId)).toEqual(['call_1', 'call_2'])
    expect(validate(result.messages)).toEqual([])
    expect(result.text).toBe('It is 4 °C at 15:45.')
    expect(result.usage.totalTokens).toBe(30)
    expect(result.steps.map((step) => step.usage?.totalTokens)).toEqual([15, 15])
    expect(model.requests.map(({ messages }) => [...messages].length)).toEqual([2, 4])
  })

  test('[C16] each assistant message of a run has its own usage, and the result has the sum', async () => {
    const model = scripted([calls, 'It is 4 °C.'], { usage })
    const result = await new Agent({ model, tools: [weather, time] }).send('Oslo?')
    const counted = result.messages.map((message) => ('usage' in message ? message.usage : undefined))
    expect(counted).toEqual([undefined, usage, undefined, usage])
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 10, totalTokens: 30 })
  })

  test('an empty prompt continues the history as it is', async () => {
    const agent = new Agent({ model: scripted(['Hello!']) })
    const { messages } = await agent.send([], { history: [user('Hi')] })
    expect(roles(messages)).toEqual(['assistant'])
    const again = new Agent({ model: scripted(['Hello!']) })
    expect(roles((await again.send('', { history: [user('Hi')] })).messages)).toEqual(['assistant'])
  })

  test.each(['', ' \n'])('an empty prompt without a history is rejected: %j', async (prompt) => {
    const agent = new Agent({ model: scripted([]) })
    const expected = { code: 'missing-field', path: '/prompt', found: 'an empty string' }
    await expect(agent.send(prompt)).rejects.toMatchObject(expected)
    await expect(agent.stream(prompt).result).rejects.toMatchObject(expected)
  })

  test('a history that is text is one user message', async () => {
    const model = scripted(['Hello!'])
    await new Agent({ model }).send('And in Rome?', { history: 'How warm is it in Oslo?' })
    const texts = Array.from(model.requests[0]?.messages ?? [], (message) => textOf(message))
    expect(texts).toEqual(['How warm is it in Oslo?', 'And in Rome?'])
  })
})

describe('stream', () => {
  test('[r162] yields text deltas and new messages with the prompt, never the history', async () => {
    const model = scripted([['Let me see.', ...calls], 'It is 4 °C.'])
    const stream = new Agent({ model, tools: [weather, time] }).stream('Oslo?', { history: [user('Before')] })
    const chunks = await collect(stream)
    const pieces = chunks.map(({ text: piece }) => piece).filter((piece) => piece !== '')
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe('Let me see.\nIt is 4 °C.')
    const messages = chunks.flatMap((chunk) => chunk.messages)
    expect(roles(messages)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messages.filter(({ role }) => role === 'user').map((message) => textOf(message))).toEqual([
      'Oslo?',
    ])
    expect(messages).toEqual((await stream.result).messages)
  })

  test('[r183] every chunk has the id of the run, and only the last one has finish and usage', async () => {
    const model = scripted([['Let me see.', ...calls], 'It is 4 °C.'], { usage })
    const stream = new Agent({ model, tools: [weather, time] }).stream('Oslo?')
    const chunks = await collect(stream)
    const { id, usage: total, finish } = await stream.result
    expect([total.totalTokens, finish.reason]).toEqual([30, 'stop'])
    expect(chunks.every((chunk) => chunk.id === id && Array.isArray(chunk.messages))).toBe(true)
    expect(chunks.filter((chunk) => chunk.usage !== undefined)).toEqual([chunks.at(-1)])
    expect(chunks.at(-1)).toEqual({ id, text: '', messages: [], usage: total, finish })
  })

  test('[r171] after tools the next text starts with a newline, in the stream only', async () => {
    const model = scripted([['Let me see.', ...calls], 'It is 4 °C.'])
    const stream = new Agent({ model, tools: [weather, time] }).stream('Oslo?')
    expect((await collect(stream)).map(({ text: piece }) => piece).join('')).toBe('Let me see.\nIt is 4 °C.')
    const result = await stream.result
    expect(result.text).toBe('It is 4 °C.')
    expect(result.messages.map((message) => textOf(message))).not.toContain('\nIt is 4 °C.')
  })

  test('[r165, r166, r167] thinking is reported beside the text, once, and stays on its message', async () => {
    const model = scripted([[reasoning('Warm or cold? '), reasoning('Cold.'), text('Cold.')]])
    const stream = new Agent({ model }).stream('Oslo?')
    const chunks = await collect(stream)
    expect(chunks.map(({ thinking = '' }) => thinking).join('')).toBe('Warm or cold? Cold.')
    expect(chunks.map(({ text: piece }) => piece).join('')).toBe('Cold.')
    const { thinking, messages } = await stream.result
    expect(thinking).toBe('Warm or cold? Cold.')
    expect(chunks.at(-1)).not.toHaveProperty('thinking')
    expect(messages.at(-1)?.content.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text'])
  })

  test('[r168] without thinking the key is absent', async () => {
    const stream = new Agent({ model: scripted(['Cold.']) }).stream('Oslo?')
    for (const chunk of await collect(stream)) expect(chunk).not.toHaveProperty('thinking')
    expect(await stream.result).not.toHaveProperty('thinking')
  })
})
