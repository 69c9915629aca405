import { type ChatRequest, type DialectName, dialects, type JsonObject, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { leavesOf } from '../json-leaves.ts'
import { answered, elementsOf, send } from './send.ts'
import { cipher, ciphersIn, readers } from './ciphertexts.ts'

const chat = dialects['openai-chat']

/** Reasoning of a vendor in the form of a router, and the dialect of that vendor. */
interface Host {
  readonly vendor: string
  readonly native: DialectName
  readonly details: readonly JsonObject[]
}

const sealed = (vendor: string, number: number): string => cipher('openai-chat', vendor, number)

const hosts: readonly Host[] = [
  {
    vendor: 'anthropic',
    native: 'anthropic',
    details: [
      {
        type: 'reasoning.text',
        text: 'A call is needed',
        signature: sealed('anthropic', 1),
        format: 'anthropic-claude-v1',
        index: 0,
      },
      {
        type: 'reasoning.encrypted',
        data: sealed('anthropic', 2),
        format: 'anthropic-claude-v1',
        index: 1,
      },
    ],
  },
  {
    vendor: 'openai',
    native: 'openai-responses',
    details: [
      {
        type: 'reasoning.encrypted',
        data: sealed('openai', 1),
        format: 'openai-responses-v1',
        id: 'rs_1',
        index: 0,
      },
    ],
  },
  {
    vendor: 'google',
    native: 'gemini',
    details: [
      {
        type: 'reasoning.text',
        text: 'A call is needed',
        signature: sealed('google', 1),
        format: 'google-gemini-v1',
        index: 0,
      },
    ],
  },
]

const call: JsonObject = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
}

const history = (details: readonly JsonObject[]): JsonObject => ({
  model: 'a-model',
  messages: [
    { role: 'user', content: 'Weather in Oslo?' },
    { role: 'assistant', content: 'Let me look', reasoning_details: details, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
    { role: 'user', content: 'And tomorrow?' },
  ],
})

describe.each(hosts)('reasoning of $vendor that was received from a router', ({ native, details }) => {
  const body = history(details)
  const request = chat.decodeRequest(body).value

  test('is sent to its vendor with its signature', () => {
    const { body: sent } = send(request, native)
    expect(ciphersIn(sent)).toEqual(ciphersIn(body))
  })

  test.each(
    Object.keys(dialects).filter(
      (name) => name !== 'openai-chat' && readers[name as DialectName] !== readers[native],
    ),
  )('is not sent to %s', (name) => {
    const { body: sent, losses } = send(request, name as DialectName)
    expect(ciphersIn(sent)).toEqual([])
    // Redacted reasoning has no text that could be missing.
    const isReadable = details.some(({ text }) => text !== undefined)
    const rule = isReadable ? 'foreign-reasoning' : 'hidden-reasoning'
    expect(losses.map((loss) => loss.rule)).toContain(rule)
  })

  test('is unchanged when it returns', () => {
    const again = answered(answered(request, native), 'openai-chat')
    const { value } = chat.encodeRequest(again)
    const elements = elementsOf('openai-chat', body)
    expectSame(elementsOf('openai-chat', value).slice(0, elements.length), [...elements])
    expect(ciphersIn(value)).toEqual(ciphersIn(body))
  })
})

describe('reasoning details of a router about a call', () => {
  test('a signature of Gemini with the id of a call is sent on that call', () => {
    const detail = {
      type: 'reasoning.encrypted',
      data: sealed('google', 9),
      format: 'google-gemini-v1',
      id: 'call_1',
      index: 0,
    }
    const { body } = send(chat.decodeRequest(history([detail])).value, 'gemini')
    const signed = leavesOf(body).filter(({ at }) => at.at(-1) === 'thoughtSignature')
    expect(signed.map(({ value }) => value)).toEqual([sealed('google', 9)])
    const parts = elementsOf('gemini', body).flatMap((content) => content['parts'] as readonly JsonObject[])
    const carrier = parts.find((part) => part['thoughtSignature'] === sealed('google', 9))
    expect(carrier).toHaveProperty('functionCall')
  })
})

describe('reasoning without a signature', () => {
  const thoughtful: JsonObject = {
    model: 'a-model',
    messages: [
      { role: 'user', content: 'Think first' },
      { role: 'assistant', content: 'Done', reasoning_content: 'Let me think' },
      { role: 'user', content: 'Thanks' },
    ],
  }

  test.each(Object.keys(dialects) as DialectName[])('is sent back after %s', (name) => {
    const request: ChatRequest = chat.decodeRequest(thoughtful).value
    const there = name === 'openai-chat' ? request : answered(request, name)
    const { value } = chat.encodeRequest({ ...there, messages: [...there.messages, user('Go on')] })
    expectSame(elementsOf('openai-chat', value).slice(0, 3), thoughtful['messages'])
  })
})
