import {
  dialects,
  type Flavor,
  type JsonObject,
  Messages,
  text,
  toolCallsOf,
  toolResult,
  toolResults,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors as anthropicFlavors } from '../../src/dialects/anthropic/flavors.ts'
import { flavors as geminiFlavors } from '../../src/dialects/gemini/flavors.ts'
import { flavors as chatFlavors } from '../../src/dialects/openai-chat/flavors.ts'
import { flavors as responsesFlavors } from '../../src/dialects/openai-responses/flavors.ts'
import { again, expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'
import { answerOf, framed, source } from './stream-responses.ts'

const { gemini, 'openai-chat': chat } = dialects

/** The hosts of each dialect, and the form of a body that only its clouds have. */
const hosts: {
  readonly [dialect: string]: readonly (readonly [Flavor, (body: JsonObject) => JsonObject])[]
} = {
  'openai-chat': Object.keys(chatFlavors).map((flavor) => [flavor as Flavor, (body) => body]),
  'openai-responses': Object.keys(responsesFlavors).map((flavor) => [flavor as Flavor, (body) => body]),
  gemini: Object.keys(geminiFlavors).map((flavor) => [flavor as Flavor, (body) => body]),
  anthropic: Object.entries(anthropicFlavors).map(([flavor, { cloud }]) => [
    flavor as Flavor,
    (received) => {
      if (cloud === undefined) return received
      const { model: _model, stream, ...body } = received
      const streamFields = stream !== undefined && !cloud.isStreamInPath && { stream }
      return { ...body, anthropic_version: cloud.bodyVersion, ...streamFields }
    },
  ]),
}

const rows = subjects.flatMap((subject) =>
  (hosts[subject.name] ?? []).map(([flavor, toHostForm]) => ({ ...subject, flavor, toHostForm })),
)

describe.each(rows)('$name on $flavor', ({ dialect, flavor, toHostForm, fixtures, recordings }) => {
  // Some of the recordings: the laws of the dialect cover all of them.
  const bodies = [...fixtures.request, ...recordings.request.filter((_, index) => index % 14 === 0)]

  test('a request that the host accepted is sent back to it as received, without losses', () => {
    for (const { name, body } of bodies) {
      const received = toHostForm(body)
      const { value: request } = dialect.decodeRequest(received, { flavor })
      const { value, losses } = dialect.encodeRequest(request, { flavor })
      expectSame(again({ name, value, losses }), again({ name, value: received, losses: [] }))
    }
  })
})

describe('reasoning that a host accepted in a field that its row does not have', () => {
  const received = {
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello', reasoning_content: 'Hm' },
      { role: 'user', content: 'Bye' },
    ],
  }
  const request = chat.decodeRequest(received, { flavor: 'ollama' }).value

  test('is sent back in that field', () => {
    expectSame(again(chat.encodeRequest(request, { flavor: 'ollama' })), { value: received, losses: [] })
  })

  test('is sent in the field of another host', () => {
    const { value, losses } = chat.encodeRequest(request, { flavor: 'groq' })
    expect(value.messages[1]).toMatchObject({ reasoning: 'Hm' })
    expect(losses.map(({ rule }) => rule)).toEqual(['reasoning-field'])
  })

  test('is sent in the field of the row after the message was edited', () => {
    const messages = [...request.messages].map((message) =>
      message.role === 'assistant' ? { ...message, content: [...message.content, text('!')] } : message,
    )
    const { value } = chat.encodeRequest(
      { ...request, messages: Messages.of(...messages) },
      { flavor: 'ollama' },
    )
    expect(value.messages[1]).toMatchObject({ reasoning: 'Hm' })
    expect(value.messages[1]).not.toHaveProperty('reasoning_content')
  })
})

describe('call ids on vertex', () => {
  const part = { functionCall: { id: 'call_1', name: 'weather', args: {} } }
  const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }]
  const body = { responseId: 'r', modelVersion: 'm', candidates }
  const options = { flavor: 'vertex' } as const

  test.each([
    ['a response', async () => gemini.decodeResponse(body, options).value],
    ['a stream', async () => answerOf(gemini.decodeStream(source(framed('gemini', [body])), options))],
  ] as const)('that vertex sent in %s are sent back, also with results', async (_name, decode) => {
    const { candidates: answers } = await decode()
    const calls = answers.flatMap((answer) => toolCallsOf(answer))
    const messages = Messages.of(...answers, toolResults(calls.map((call) => toolResult(call, 'Rain'))))
    const { value, losses } = gemini.encodeRequest({ model: 'm', messages }, options)
    expect(value.contents).toMatchObject([
      { role: 'user' },
      { parts: [{ functionCall: { id: 'call_1' } }] },
      { parts: [{ functionResponse: { id: 'call_1' } }] },
    ])
    expect(losses.filter(({ rule }) => rule === 'call-id-omitted')).toEqual([])
  })

  test('of other hosts are omitted, which is noted', () => {
    const [answer] = gemini.decodeResponse(body).value.candidates
    const messages = Messages.of(...(answer === undefined ? [] : [answer]))
    const { value, losses } = gemini.encodeRequest({ model: 'm', messages }, options)
    expect(JSON.stringify(value)).not.toContain('call_1')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain(
      'call-id-omitted /messages/0/content/0/id',
    )
  })
})
