import {
  assistant,
  type ChatRequest,
  dialects,
  type Message,
  reasoning,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { send } from './send.ts'

const { anthropic } = dialects

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const again = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const thoughts = attachSignature(reasoning('A call is needed'), { vendor: 'anthropic', value: 'dG9rZW4=' })
const answerTo = (each: typeof call): Message => toolResults([toolResult(each, 'Snow')])

/** A conversation with or without an open tool loop at its end. */
interface Loop {
  readonly name: string
  readonly messages: readonly Message[]
  /** True if Claude may use a thinking budget. */
  readonly thinks: boolean
}

const loops: readonly Loop[] = [
  { name: 'started by another vendor', messages: [assistant([call]), answerTo(call)], thinks: false },
  {
    name: 'started by another vendor with reasoning',
    messages: [assistant([reasoning('Hm'), call]), answerTo(call)],
    thinks: false,
  },
  { name: 'begun by Claude', messages: [assistant([thoughts, call]), answerTo(call)], thinks: true },
  {
    name: 'started by Claude, with a second call without reasoning',
    messages: [assistant([thoughts, call]), answerTo(call), assistant([again]), answerTo(again)],
    thinks: true,
  },
  {
    name: 'started by another vendor and continued by Claude',
    messages: [assistant([call]), answerTo(call), assistant([thoughts, again]), answerTo(again)],
    thinks: false,
  },
  {
    name: 'with edited reasoning',
    messages: [assistant([{ ...thoughts, text: 'No call is needed' }, call]), answerTo(call)],
    thinks: false,
  },
  {
    name: 'followed by a message that Claude does not get',
    messages: [
      assistant([call]),
      answerTo(call),
      assistant([{ type: 'opaque', dialect: 'elsewhere', value: { type: 'note' } }]),
    ],
    thinks: false,
  },
  {
    name: 'followed by a prompt and a message that Claude does not get',
    messages: [
      assistant([call]),
      answerTo(call),
      user('Continue'),
      assistant([{ type: 'reasoning', text: '', redacted: true }]),
    ],
    thinks: false,
  },
  {
    name: 'begun by Claude with a message of reasoning after an earlier loop',
    messages: [
      assistant([again]),
      answerTo(again),
      user('And Oslo?'),
      assistant([thoughts]),
      assistant([call]),
      answerTo(call),
    ],
    thinks: true,
  },
  {
    name: 'that is over',
    messages: [assistant([call]), answerTo(call), assistant('Snow'), user('And tomorrow?')],
    thinks: true,
  },
]

describe.each(loops)('a loop $name', ({ messages, thinks }) => {
  const request = (model: string): ChatRequest => ({
    model,
    maxOutputTokens: 4096,
    messages: [user('Weather?'), ...messages],
    reasoning: { enabled: true, budgetTokens: 2000 },
  })

  test.each(['claude-sonnet-4-5', 'anthropic.claude-opus-4-1-20250805-v1:0'])('continues on %s', (model) => {
    const { body, losses } = send(request(model), 'anthropic')
    const type = thinks ? 'enabled' : 'disabled'
    expect(body).toMatchObject({ thinking: { type } })
    expect(losses.some(({ rule }) => rule === 'model-thinking')).toBe(!thinks)
  })

  test('continues on a model with adaptive thinking', () => {
    const { body } = send(request('claude-sonnet-4-6'), 'anthropic')
    expect(body).toMatchObject({ thinking: { type: thinks ? 'enabled' : 'adaptive' } })
  })
})

describe('the last message of a conversation with Claude', () => {
  test('has no trailing white space, whatever its source', () => {
    const messages = [user('Count'), assistant(['One, two,', ' three, \n'])]
    const { body, losses } = send({ model: 'm', maxOutputTokens: 9, messages }, 'anthropic')
    expect(body['messages']).toMatchObject([{}, { content: [{ text: 'One, two,' }, { text: ' three,' }] }])
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['trailing-space /messages/1'])
    const longer = { model: 'm', maxOutputTokens: 9, messages: [...messages, user('Go on')] }
    expect(JSON.stringify(send(longer, 'anthropic').body)).toContain(' three, \\n')
  })

  test('is sent back as it was received', () => {
    for (const content of ['One, ', [{ type: 'text', text: 'One, ' }]]) {
      const said = [
        { role: 'user', content: 'Count' },
        { role: 'assistant', content },
      ]
      const body = { model: 'm', max_tokens: 9, messages: said }
      expectSame(anthropic.encodeRequest(anthropic.decodeRequest(body).value), { value: body, losses: [] })
    }
  })
})

describe('a failed tool result without text', () => {
  const silent: Message = {
    id: 'msg_1',
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'call_1', content: [], isError: true }],
  }

  test('gets a text for Claude', () => {
    const messages = [user('Weather?'), assistant([call]), silent]
    const { body, losses } = send({ model: 'm', maxOutputTokens: 9, messages }, 'anthropic')
    expect(JSON.stringify(body)).toContain('The tool failed')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'empty-error-result /messages/2/content/0',
    ])
  })

  test('is sent back as it was received', () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }
    const turns = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
    ]
    const body = { model: 'm', max_tokens: 9, messages: turns }
    expectSame(anthropic.encodeRequest(anthropic.decodeRequest(body).value), { value: body, losses: [] })
  })
})
