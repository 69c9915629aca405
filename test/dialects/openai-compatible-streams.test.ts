import { accumulate, type AssistantMessage, dialects, type Json } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again } from '../law-assertions.ts'

const chat = dialects['openai-chat']

/** Decodes chunks as a host sends them. Returns the assistant message. */
async function answer(...chunks: readonly Json[]): Promise<AssistantMessage> {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  const { candidates } = await accumulate(chat.decodeStream(piece(text)), {
    newId: (prefix) => `${prefix}_1`,
  })
  const [first] = candidates
  if (first === undefined) throw new Error('no candidate')
  return again(first) as AssistantMessage
}

async function* piece(text: string): AsyncGenerator<string> {
  yield text
}

const delta = (value: Json, finish: string | null = null): Json => ({
  choices: [{ index: 0, delta: value, finish_reason: finish }],
})
const call = (fields: Json): Json => delta({ tool_calls: [fields] })
const done = delta({}, 'tool_calls')

describe('deviations of OpenAI-compatible hosts', () => {
  test('[r91] fragments by index', async () => {
    const { content } = await answer(
      call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      call({ index: 0, function: { arguments: '{"x"' } }),
      call({ index: 0, function: { arguments: ':1}' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
      done,
    )
    expect(content).toMatchObject([
      { id: 'a', name: 'f', arguments: { x: 1 } },
      { id: 'b', name: 'g', arguments: {} },
    ])
  })

  test('the same index for two calls, each with its id', async () => {
    const { content } = await answer(
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
      call({ index: 0, id: 'b', function: { name: 'g', arguments: '{"y":' } }),
      call({ index: 0, function: { arguments: '2}' } }),
      done,
    )
    expect(content).toMatchObject([
      { id: 'a', arguments: { x: 1 } },
      { id: 'b', arguments: { y: 2 } },
    ])
  })

  test('the same id for two calls, each with its index', async () => {
    const { content } = await answer(
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } }),
      call({ index: 1, id: 'a', function: { name: 'g', arguments: '{"y":' } }),
      call({ index: 1, id: 'a', function: { arguments: '2}' } }),
      done,
    )
    expect(content).toMatchObject([
      { name: 'f', arguments: { x: 1 } },
      { name: 'g', arguments: { y: 2 } },
    ])
  })

  test('no index, the id repeated or omitted, a complete call in one chunk', async () => {
    const { content } = await answer(
      call({ id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      call({ id: 'a', function: { arguments: '1' } }),
      call({ function: { arguments: '}' } }),
      call({ function: { name: 'g', arguments: '{"y":2}' } }),
      done,
    )
    expect(content).toMatchObject([
      { id: 'a', name: 'f', arguments: { x: 1 } },
      { name: 'g', arguments: { y: 2 } },
    ])
  })

  test('[r91] the name after the arguments, nulls, an empty list of calls', async () => {
    const { content } = await answer(
      delta({ role: '', content: null, tool_calls: [] }),
      call({ index: 0, id: 'a', type: null, function: { arguments: null } }),
      call({ index: 0, function: { arguments: '{}' } }),
      call({ index: 0, function: { name: 'f' } }),
      done,
    )
    expect(content).toMatchObject([{ id: 'a', name: 'f' }])
    expect(content).toHaveProperty([0, 'arguments'], {})
  })

  test('free text of custom tools, with escapes', async () => {
    const { content } = await answer(
      call({ index: 0, id: 'a', type: 'custom', custom: { name: 'shell', input: 'echo "' } }),
      call({ index: 0, custom: { input: 'hi"\n' } }),
      done,
    )
    expect(content).toMatchObject([{ id: 'a', name: 'shell', arguments: { input: 'echo "hi"\n' } }])
  })

  test('reasoning beside text, stop with calls, usage in a chunk of its own', async () => {
    const { content, finish } = await answer(
      delta({ reasoning_content: 'Hm', content: '' }),
      delta({ reasoning_content: '.', content: null }),
      delta({ content: 'Hello' }),
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }, 'stop'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    )
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', arguments: {} },
    ])
    expect(finish).toEqual({ reason: 'tool-calls', raw: 'stop' })
  })

  test('several candidates are kept apart', async () => {
    const chunks = [
      {
        choices: [
          { index: 1, delta: { content: 'B' } },
          { index: 0, delta: { content: 'A' } },
        ],
      },
      {
        choices: [
          { index: 0, delta: {}, finish_reason: 'stop' },
          { index: 1, delta: {}, finish_reason: 'length' },
        ],
      },
    ]
    const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    const { candidates } = await accumulate(chat.decodeStream(piece(text)))
    expect(candidates.map(({ content, finish }) => [content, finish?.reason])).toEqual([
      [[{ type: 'text', text: 'A' }], 'stop'],
      [[{ type: 'text', text: 'B' }], 'length'],
    ])
  })

  test('an error in the stream becomes an error event that ends it', async () => {
    const text = `data: ${JSON.stringify(delta({ content: 'so far' }))}\n\ndata: {"error":{"message":"overloaded","code":529}}\n\n`
    const types: string[] = []
    for await (const event of chat.decodeStream(piece(text))) types.push(event.type)
    expect(types.at(-1)).toBe('error')
    await expect(accumulate(chat.decodeStream(piece(text)))).rejects.toMatchObject({
      partial: { candidates: [{ content: [{ text: 'so far' }] }] },
    })
  })
})
