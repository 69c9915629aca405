import {
  accumulate,
  type AssistantMessage,
  assistant,
  type ChatEvent,
  dialects,
  toEvents,
  type Json,
  type JsonObject,
  text,
  textOf,
  toolCall,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { responses } from '../bodies/gemini-responses.ts'
import { payloads } from '../stream-payloads.ts'

const { gemini } = dialects

type Part = JsonObject
const chunk = (parts: readonly Part[], more: JsonObject = {}, about: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  modelVersion: 'gemini-x',
  responseId: 'r1',
  ...about,
})
const done = chunk([{ text: '' }], { finishReason: 'STOP' })

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}
const asEvents = (chunks: readonly Json[]): string =>
  chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')

async function eventsOf(chunks: readonly Json[]): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of gemini.decodeStream(pieces(asEvents(chunks)))) events.push(event)
  return events
}

async function answerOf(...chunks: readonly Json[]): Promise<AssistantMessage> {
  const [first] = (await accumulate(await eventsOf(chunks))).candidates
  if (first === undefined) throw new Error('no candidate')
  return first
}

async function written(events: Iterable<ChatEvent>): Promise<readonly JsonObject[]> {
  let stream = ''
  for await (const bytes of gemini.encodeStream(events)) stream += new TextDecoder().decode(bytes)
  return payloads(stream) as JsonObject[]
}

describe('reading', () => {
  test('chunks of the same kind form one part; a signature of its own or a call ends it', async () => {
    const { content, finish } = await answerOf(
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: '.', thought: true }, { text: 'Hel' }]),
      chunk([{ text: 'lo' }]),
      chunk([{ text: '', thoughtSignature: 'c2ln' }]),
      chunk([
        { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
        { functionCall: { name: 'clock' } },
      ]),
      done,
    )
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: '', signature: { vendor: 'google', value: 'c2ln' } },
      { type: 'tool-call', name: 'weather', arguments: { city: 'Oslo' } },
      { type: 'tool-call', name: 'clock', arguments: {} },
    ])
    expect(content).toHaveLength(5)
    expect(finish).toEqual({ reason: 'tool-calls' })
    const replayed = gemini.encodeRequest({ messages: [{ id: 'm', role: 'assistant', content }] }).value
    expect(replayed.contents.at(1)?.parts.slice(2, 3)).toEqual([{ text: '', thoughtSignature: 'c2ln' }])
  })

  test('partial arguments with their paths', async () => {
    const piece = (functionCall: JsonObject): JsonObject => chunk([{ functionCall }])
    const { content } = await answerOf(
      chunk([{ functionCall: { name: 'cook', willContinue: true }, thoughtSignature: 'c2ln' }]),
      piece({
        partialArgs: [{ jsonPath: '$.steps[0].name', stringValue: 'Bo', willContinue: true }],
        willContinue: true,
      }),
      piece({ partialArgs: [{ jsonPath: '$.steps[0].name', stringValue: 'il' }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: "$.steps[1]['how long']", numberValue: 2.5 }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: '$.steps[9].far', boolValue: true }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: '$.__proto__.polluted', boolValue: true }], willContinue: true }),
      piece({ partialArgs: [{ jsonPath: '$.note', nullValue: 'NULL_VALUE' }], willContinue: true }),
      piece({}),
      piece({ name: 'wait', willContinue: true }),
      done,
    )
    expect(content).toMatchObject([
      { name: 'cook', signature: { value: 'c2ln' } },
      { name: 'wait', arguments: {} },
    ])
    const [first] = content
    const given = first?.type === 'tool-call' ? first.arguments : undefined
    expect(JSON.stringify(given)).toBe(
      '{"steps":[{"name":"Boil"},{"how long":2.5}],"__proto__":{"polluted":true},"note":null}',
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('a JSON array in chunks of any size', async () => {
    const chunks = [chunk([{ text: 'Grüße' }]), chunk([{ text: ' dir' }]), done]
    const array = ` \n${JSON.stringify(chunks)}`
    for (const size of [1, 2, 7, array.length]) {
      const parts = Array.from({ length: Math.ceil(array.length / size) }, (_, at) =>
        array.slice(at * size, (at + 1) * size),
      )
      const { candidates } = await accumulate(gemini.decodeStream(pieces(...parts)))
      expect(candidates.map((message) => textOf(message))).toEqual(['Grüße dir'])
    }
    for (let cut = 0; cut < array.length - 1; cut += 3) {
      const events: ChatEvent[] = []
      for await (const event of gemini.decodeStream(pieces(array.slice(0, cut)))) events.push(event)
      expect(events.at(-1)?.type).toBe('error')
    }
  })

  test('a blocked prompt ends the stream', async () => {
    const { content, finish } = await answerOf({
      promptFeedback: { blockReason: 'SAFETY' },
      responseId: 'r1',
    })
    expect([content, finish]).toEqual([[], { reason: 'content-filter' }])
  })

  test('several candidates stay separate, and the last usage wins', async () => {
    const both = (one: Part, two: Part, more: JsonObject = {}): JsonObject => ({
      candidates: [
        { index: 0, content: { parts: [one] }, ...more },
        { index: 1, content: { parts: [two] }, ...more },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: more['finishReason'] ? 9 : 2 },
    })
    const events = await eventsOf([
      both({ text: 'A' }, { text: 'B' }),
      both({ text: 'a' }, { text: 'b' }, { finishReason: 'STOP' }),
    ])
    const { candidates, usage } = await accumulate(events)
    expect(candidates.map((message) => textOf(message))).toEqual(['Aa', 'Bb'])
    expect(usage?.outputTokens).toBe(9)
  })
})

describe('writing', () => {
  test('edited text is also edited in the grounding that refers to it', async () => {
    const grounded = responses['grounded'] as { readonly candidates: readonly JsonObject[] }
    const [{ content: _content, ...rest } = {}] = grounded.candidates
    const chunks = [
      chunk([{ text: 'Über Oslo fällt Schnee.' }]),
      chunk([{ text: ' In Rom scheint die Sonne.' }], rest),
    ]
    const events = await eventsOf(chunks)
    expectSame(await written(events), chunks)
    const edited = events.map((event) =>
      event.type === 'text-delta' ? { ...event, text: event.text.replace('Schnee', 'Regen!') } : event,
    )
    const sent = JSON.stringify(await written(edited))
    expect(sent).not.toContain('Schnee')
    expect(sent).toContain('"text":"Über Oslo fällt Regen!."')
  })

  test('text is written immediately, a call when it is complete, citations at the end', async () => {
    const cited = text('Snow.', {
      citations: [{ type: 'source', url: 'https://example.org/snow', start: 0, end: 4 }],
    })
    const call = toolCall({ id: 'c', name: 'weather', arguments: { city: 'Oslo' } })
    const message = assistant([cited, call], { finish: { reason: 'tool-calls' } })
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
    const sent = await written(toEvents({ id: 'r', model: 'm', candidates: [message], usage }))
    const about = { modelVersion: 'm', responseId: 'r' }
    expect(sent).toEqual([
      chunk([{ text: 'Snow.' }], {}, about),
      chunk([{ functionCall: { id: 'c', name: 'weather', args: { city: 'Oslo' } } }], {}, about),
      {
        ...chunk(
          [{ text: '' }],
          {
            finishReason: 'STOP',
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.org/snow' } }],
              groundingSupports: [{ segment: { endIndex: 4, text: 'Snow' }, groundingChunkIndices: [0] }],
            },
          },
          about,
        ),
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      },
    ])
  })

  test('a signature is written with the text that it signs, and with no other text', async () => {
    const [message] = gemini.decodeResponse(responses['calls']).value.candidates
    if (message === undefined) return expect.fail('there is an answer')
    const events = toEvents({ candidates: [message] })
    expect(JSON.stringify(await written(events))).toContain('dGhvdWdodA==')
    const edited = events.map((event) =>
      event.type === 'reasoning-delta' ? { ...event, text: 'Edited' } : event,
    )
    const sent = JSON.stringify(await written(edited))
    expect(sent).not.toContain('dGhvdWdodA==')
    expect(sent).toContain('c2lnbmVk')
  })
})
