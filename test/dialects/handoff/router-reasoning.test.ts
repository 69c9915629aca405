import { type ChatRequest, type DialectName, dialects, type JsonObject, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { leavesOf } from '../json-leaves.ts'
import { answered, elementsOf, send } from './send.ts'
import { cipher, ciphersIn } from './ciphertexts.ts'

const chat = dialects['openai-chat']

/** A maker's thoughts as a router gives them, and where they go. */
interface Host {
  readonly maker: string
  readonly native: DialectName
  readonly details: readonly JsonObject[]
}

const sealed = (maker: string, number: number): string => cipher('openai-chat', maker, number)

const hosts: readonly Host[] = [
  {
    maker: 'anthropic',
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
    maker: 'openai',
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
    maker: 'google',
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

describe.each(hosts)('thoughts of $maker that came by a router', ({ native, details }) => {
  const body = history(details)
  const request = chat.decodeRequest(body).value

  test('go to their maker with what vouches for them', () => {
    const { body: sent } = send(request, native)
    expect(ciphersIn(sent)).toEqual(ciphersIn(body))
  })

  test.each(Object.keys(dialects).filter((name) => name !== 'openai-chat' && name !== native))(
    'but not to %s',
    (name) => {
      const { body: sent, losses } = send(request, name as DialectName)
      expect(ciphersIn(sent)).toEqual([])
      // Without a text, nothing that anyone could read is missing.
      const isReadable = details.some(({ text }) => text !== undefined)
      const rule = isReadable ? 'foreign-reasoning' : 'hidden-reasoning'
      expect(losses.map((loss) => loss.rule)).toContain(rule)
    },
  )

  test('and are what they were when they return', () => {
    const again = answered(answered(request, native), 'openai-chat')
    const { value } = chat.encodeRequest(again)
    const elements = elementsOf('openai-chat', body)
    expectSame(elementsOf('openai-chat', value).slice(0, elements.length), [...elements])
    expect(ciphersIn(value)).toEqual(ciphersIn(body))
  })
})

describe('what a router says of a call', () => {
  test('a signature of Gemini that names the call goes out on the call', () => {
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

describe('thoughts that nobody signed', () => {
  const thoughtful: JsonObject = {
    model: 'a-model',
    messages: [
      { role: 'user', content: 'Think first' },
      { role: 'assistant', content: 'Done', reasoning_content: 'Let me think' },
      { role: 'user', content: 'Thanks' },
    ],
  }

  test.each(Object.keys(dialects) as DialectName[])('come back after %s', (name) => {
    const request: ChatRequest = chat.decodeRequest(thoughtful).value
    const there = name === 'openai-chat' ? request : answered(request, name)
    const { value } = chat.encodeRequest({ ...there, messages: [...there.messages, user('Go on')] })
    expectSame(elementsOf('openai-chat', value).slice(0, 3), thoughtful['messages'])
  })
})
