import {
  assistant,
  developer,
  dialects,
  type JsonObject,
  system,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { responses } from '../bodies/gemini-responses.ts'

const { gemini } = dialects
const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const sent = (
  ...messages: Parameters<typeof gemini.encodeRequest>[0]['messages'][]
): ReturnType<typeof gemini.encodeRequest>['value'] =>
  gemini.encodeRequest({ model: 'gemini-2.5-flash', messages: messages.flatMap((each) => [...each]) }).value

describe('requests to gemini', () => {
  test('[r42, r195] the roles are user and model, and text becomes text parts', () => {
    const { contents } = sent([user('Hi'), assistant(['Hello', 'there']), user('Bye')])
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }, { text: 'there' }] },
      { role: 'user', parts: [{ text: 'Bye' }] },
    ])
  })

  test('[r43, r195, C6] leading system and developer text becomes systemInstruction, one part per message', () => {
    const body = sent([system('Be brief'), developer('Be kind'), user('Hi')])
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'Be brief' }, { text: 'Be kind' }] })
    expect(sent([user('Hi')])).not.toHaveProperty('systemInstruction')
  })

  test('[r44, r45, r175, C1] calls are sent in a model turn, their results together in a user turn', () => {
    const round = toolResults([toolResult(oslo, 'Snow'), toolResult(rome, { sky: 'Sun' })])
    const { contents } = sent([user('Weather?'), assistant([oslo, rome]), round])
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } } },
          { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'weather', response: { result: 'Snow' } } },
          { functionResponse: { id: 'call_2', name: 'weather', response: { sky: 'Sun' } } },
        ],
      },
    ])
  })

  test('[r45] a result without a name gets the name of its call, else `function`', () => {
    const unnamed = toolResults([toolResult('call_1', 'Snow')])
    const { contents } = sent([user('Weather?'), assistant([oslo]), unnamed])
    expect(contents[2]?.parts[0]?.functionResponse?.name).toBe('weather')
    const [alone] = gemini.encodeMessage(unnamed).value
    expect(alone).toMatchObject({ parts: [{ functionResponse: { name: 'function' } }] })
  })

  test('[r175] results of separate tool messages are also sent in one turn', () => {
    const apart = [toolResults([toolResult(oslo, 'Snow')]), toolResults([toolResult(rome, 'Sun')])]
    expect(sent([user('Weather?'), assistant([oslo, rome]), ...apart]).contents).toHaveLength(3)
  })

  test('[C27] an error result is sent as an error', () => {
    const failed = toolResults([toolResult(oslo, 'No such city', { isError: true })])
    const { contents } = sent([user('Weather?'), assistant([oslo]), failed])
    expect(contents[2]?.parts[0]?.functionResponse?.response).toEqual({ error: 'No such city' })
  })

  test('[r46] functions are sent together in one entry', () => {
    const input = { type: 'object', properties: { city: { type: 'string' } } }
    const tools = ['weather', 'clock'].map((name) => ({ type: 'function', name, input }) as const)
    const { value } = gemini.encodeRequest({ messages: [user('Hi')], tools })
    expect(value.tools).toEqual([
      {
        functionDeclarations: [
          { name: 'weather', parametersJsonSchema: input },
          { name: 'clock', parametersJsonSchema: input },
        ],
      },
    ])
  })
})

describe('responses of gemini', () => {
  const answered = (
    candidate: JsonObject,
  ): ReturnType<typeof gemini.decodeResponse>['value']['candidates'][number] => {
    const [message] = gemini.decodeResponse({ candidates: [candidate], responseId: 'r' }).value.candidates
    if (message === undefined) throw new Error('no candidate')
    return message
  }

  test('[r48] a call without an id gets one, and missing arguments become an empty object', () => {
    const twice = { content: { parts: [{ functionCall: { name: 'f' } }, { functionCall: { name: 'f' } }] } }
    const ids = answered(twice).content.map((part) => (part.type === 'tool-call' ? part.id : ''))
    expect(new Set(ids).size).toBe(2)
    const calls = answered(twice).content.map((part) => (part.type === 'tool-call' ? part : undefined))
    expect(calls.map((call) => [call?.id, call?.arguments])).toEqual([
      [ids[0], {}],
      [ids[1], {}],
    ])
  })

  test('[r49, r195] the text of a response is that of its candidate, and empty without a candidate', () => {
    expect(answered({ content: { role: 'model', parts: [{ text: 'Hello' }] } })).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
    })
    expect(textOf(answered({ finishReason: 'OTHER' }))).toBe('')
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
  ])('[r50] %s means %s', (finishReason, reason) => {
    expect(answered({ finishReason }).finish?.reason).toBe(reason)
  })

  test('[r51] with a call, STOP means tool-calls', () => {
    const content = { parts: [{ functionCall: { name: 'f', args: {} } }] }
    expect(answered({ content, finishReason: 'STOP' }).finish?.reason).toBe('tool-calls')
  })

  test('[r196] thoughts become reasoning, and each signature is sent back on its part', () => {
    const [message] = gemini.decodeResponse(responses['calls']).value.candidates
    expect(message?.content.map(({ type, signature }) => [type, signature?.value])).toEqual([
      ['reasoning', 'dGhvdWdodA=='],
      ['text', undefined],
      ['tool-call', 'c2lnbmVk'],
      ['tool-call', undefined],
    ])
    const back = message && sent([user('Hi'), message]).contents[1]?.parts
    expect(back?.map((part) => [part.thought, part.thoughtSignature])).toEqual([
      [true, 'dGhvdWdodA=='],
      [undefined, undefined],
      [undefined, 'c2lnbmVk'],
      [undefined, undefined],
    ])
  })
})
