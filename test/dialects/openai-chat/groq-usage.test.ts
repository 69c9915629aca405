import { accumulate, type ChatEvent, dialects, type JsonObject } from 'interlingua'
import { expect, test } from 'vitest'

const chat = dialects['openai-chat']

const chunk = (delta: JsonObject, reason: string | null, more: JsonObject): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
  ...more,
})

const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, total_time: 0.01 }
const chunks = [
  chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }),
  chunk({ content: 'Hi' }, null, {}),
  chunk({}, 'stop', { x_groq: { id: 'req_1', usage } }),
]

async function* source(): AsyncGenerator<string> {
  for (const each of chunks) yield `data: ${JSON.stringify(each)}\n\n`
  yield 'data: [DONE]\n\n'
}

async function written(events: AsyncIterable<ChatEvent>): Promise<readonly JsonObject[]> {
  const decoder = new TextDecoder()
  let out = ''
  for await (const bytes of chat.encodeStream(events)) out += decoder.decode(bytes)
  const payloads = out.split('\n\n').filter((each) => each.startsWith('data: {'))
  return payloads.map((each) => JSON.parse(each.slice('data: '.length)) as JsonObject)
}

async function* recounted(): AsyncGenerator<ChatEvent> {
  for await (const event of chat.decodeStream(source()))
    yield event.type === 'usage'
      ? { ...event, usage: { ...event.usage, outputTokens: 4, totalTokens: 9 } }
      : event
}

test("usage in Groq's own field is the usage of the response", async () => {
  const { usage: counted } = await accumulate(chat.decodeStream(source()))
  expect(counted).toMatchObject({ inputTokens: 5, outputTokens: 3, totalTokens: 8 })
})

test('it is sent back in that field, and as edited', async () => {
  expect(await written(chat.decodeStream(source()))).toEqual(chunks)
  const [, , last] = await written(recounted())
  expect(last?.['x_groq']).toEqual({
    id: 'req_1',
    usage: { ...usage, completion_tokens: 4, total_tokens: 9 },
  })
  expect(last).not.toHaveProperty('usage')
})

test('without the received payloads it is written to the usual field', async () => {
  const out = await written(chat.decodeStream(source(), { exact: false }))
  expect(out.at(-1)?.['usage']).toMatchObject({ prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 })
})
