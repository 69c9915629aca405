import { type ChatEvent, dialects } from 'interlingua'
import { afterEach, expect, test, vi } from 'vitest'
import { expectSame } from '../law-assertions.ts'
import { payloads } from './stream-payloads.ts'

const chat = dialects['openai-chat']
const message = { role: 'assistant', content: 'Hi', refusal: null }
const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]

afterEach(() => vi.useRealTimers())

/** Decodes at one time and encodes at another. */
function later<T>(decode: () => T): T {
  vi.useFakeTimers({ now: 1_000_000_000_000 })
  const value = decode()
  vi.setSystemTime(2_000_000_000_000)
  return value
}

test.each([{}, { created: null }, { created: 'soon' }, { created: 0 }, { created: 1.5 }])(
  'a response with the date %j is sent with it, at any time',
  (date) => {
    const body = { id: 'r', object: 'chat.completion', model: 'm', choices, ...date }
    const { value } = later(() => chat.decodeResponse(body))
    expectSame(chat.encodeResponse(value), { value: body, losses: [] })
  },
)

test('a stream without a date is sent without one, at any time', async () => {
  const chunks = [
    { id: '', object: '', created: 0, model: '', choices: [] },
    { id: 'r', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
  ]
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  async function* source(): AsyncGenerator<string> {
    yield text
  }
  vi.useFakeTimers({ now: 1_000_000_000_000, toFake: ['Date'] })
  const events: ChatEvent[] = []
  for await (const event of chat.decodeStream(source())) events.push(event)
  vi.setSystemTime(2_000_000_000_000)
  let written = ''
  for await (const bytes of chat.encodeStream(events)) written += new TextDecoder().decode(bytes)
  expectSame(payloads(written), chunks)
})

test('a response of another dialect gets the time of its encoding', () => {
  const value = chat.encodeResponse({ candidates: [] }, { now: () => 5000 }).value
  expect(value.created).toBe(5)
})
