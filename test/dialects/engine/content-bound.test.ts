import { type ChatEvent, dialects, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { collect, framed, identity, source, type StreamName, encodeStreamText } from '../stream-responses.ts'
import { payloads } from '../stream-payloads.ts'

const token = (text: string): JsonObject => ({ token: text, logprob: -0.5, bytes: null, top_logprobs: [] })

const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})

const line = (text: string, more: JsonObject = {}): JsonObject => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: text },
  done: false,
  ...more,
})

const answer = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'in_progress' }
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const textPart = { type: 'output_text', annotations: [], logprobs: [token('Hello'), token(' there')] }

const chunks: readonly JsonObject[] = [
  chunk({ role: 'assistant', content: 'Hello' }, { logprobs: { content: [token('Hello')], refusal: null } }),
  chunk({ content: ' there' }, { logprobs: { content: [token(' there')], refusal: null } }),
  chunk({}, { finish_reason: 'stop' }),
]

/** Streams with the text `Hello there` and its logprobs, in two text deltas each. The other dialects have no such field. */
const streams: {
  readonly [
    name in Exclude<StreamName, 'anthropic' | 'gemini-interactions' | 'bedrock' | 'cohere'>
  ]: readonly JsonObject[]
} = {
  'openai-chat': chunks,
  // Its documentation has no logprobs, but chunks with the field exist.
  mistral: chunks,
  'openai-responses': [
    { type: 'response.created', response: { ...answer, output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_text.delta', ...place, delta: 'Hello', logprobs: [token('Hello')] },
    { type: 'response.output_text.delta', ...place, delta: ' there', logprobs: [token(' there')] },
    { type: 'response.output_text.done', ...place, text: 'Hello there', logprobs: textPart.logprobs },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...message, status: 'completed', content: [{ ...textPart, text: 'Hello there' }] },
    },
    {
      type: 'response.completed',
      response: {
        ...answer,
        status: 'completed',
        output: [{ ...message, status: 'completed', content: [{ ...textPart, text: 'Hello there' }] }],
      },
    },
  ],
  gemini: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, index: 0 }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: ' there' }] }, index: 0 }] },
    {
      candidates: [
        {
          finishReason: 'STOP',
          index: 0,
          avgLogprobs: -0.5,
          logprobsResult: { chosenCandidates: [{ token: 'Hello', logProbability: -0.5 }] },
        },
      ],
    },
  ],
  ollama: [
    line('Hello', { logprobs: [token('Hello')] }),
    line(' there', { logprobs: [token(' there')] }),
    line('', { done: true, done_reason: 'stop', context: [5, 6, 7] }),
  ],
}

const names = Object.keys(streams) as (keyof typeof streams)[]

describe.each(names)('fields of a %s stream that are bound to its text', (name) => {
  const wires = streams[name]
  const read = (): Promise<ChatEvent[]> =>
    collect(dialects[name].decodeStream(source(framed(name, wires)), identity))

  test('are sent as received if the text is unchanged, without a loss', async () => {
    const { text, losses } = await encodeStreamText(name, await read())
    expectSame(payloads(text), wires)
    expect(losses).toEqual([])
  })

  test.each([
    [0, 'Hello'],
    [1, ' there'],
  ])('are omitted and reported when text delta %i, %j, is edited', async (which, before) => {
    let number = 0
    const edited = (await read()).map((event) =>
      event.type === 'text-delta' && number++ === which ? { ...event, text: 'Bye' } : event,
    )
    const { text, losses } = await encodeStreamText(name, edited)
    // The fields before the edited delta are still valid.
    const after = JSON.stringify(payloads(text).slice(payloads(text).findIndex((each) => says(each, 'Bye'))))
    expect(after).not.toContain(before)
    expect(after).not.toMatch(/logProbability|"avgLogprobs":|"context":/)
    expect(losses.map(({ rule }) => rule)).toContain(
      name === 'ollama' && which === 1 ? 'stale-context' : 'stale-logprobs',
    )
  })
})

const says = (wire: unknown, text: string): boolean => JSON.stringify(wire).includes(text)
