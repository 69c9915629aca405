import { InterlinguaError, toMessages, type MessageInput } from 'interlingua'
import { fromConversations, fromMessages } from 'interlingua/formats'
import { parseMessage, parseMessages, parseRequest } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'

/** Messages of formats that are not read: the name and the hint of the error. */
const foreign: readonly (readonly [name: string, message: object, hint: string])[] = [
  [
    'a UIMessage of the AI SDK',
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    'fromMessages',
  ],
  ['a UIMessage of the AI SDK', { id: '1', role: 'assistant', parts: [] }, 'fromMessages'],
  [
    'a UIMessage of the AI SDK',
    {
      id: '1',
      role: 'assistant',
      content: 'x',
      toolInvocations: [{ state: 'call', toolCallId: 'c', toolName: 'f', args: {} }],
    },
    'fromMessages',
  ],
  ['a Gemini message', { role: 'user', parts: [{ text: 'Hi' }] }, "dialects['gemini'].decodeRequest"],
  ['a Gemini message', { role: 'model', parts: [{ functionCall: { name: 'f' } }] }, "dialects['gemini']"],
  ['a Gemini message', { contents: [{ parts: [{ text: 'Hi' }] }] }, "dialects['gemini'].decodeRequest"],
  ['a Gemini response', { candidates: [{ content: { parts: [] } }] }, "dialects['gemini'].decodeResponse"],
  [
    'a LangChain message',
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'Hi' },
    },
    'fromMessages',
  ],
  ['a LangChain message', { type: 'human', data: { content: 'Hi' } }, 'fromMessages'],
  ['a LangChain message', { type: 'ai', content: 'Hi', additional_kwargs: {}, id: 'a' }, 'fromMessages'],
  [
    'an item of the Responses API',
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    "dialects['openai-responses'].decodeRequest",
  ],
  ['an item of the Responses API', { type: 'reasoning', summary: [] }, 'decodeRequest({ input'],
  ['a Responses API response', { output: [{ type: 'message', content: [] }] }, 'decodeResponse'],
  ['a Chat Completions response', { choices: [{ message: { content: 'Hi' } }] }, 'decodeResponse'],
  [
    'a message of Amazon Bedrock Converse',
    { role: 'assistant', content: [{ text: 'Hi' }, { toolUse: { toolUseId: 't', name: 'f', input: {} } }] },
    'fromMessages',
  ],
  [
    'a Pydantic AI message',
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Hi' }] },
    'fromMessages',
  ],
  ['an A2A message', { messageId: 'm', role: 'user', parts: [{ text: 'Hi' }] }, 'role'],
  ['a ShareGPT message', { from: 'human', value: 'Hi' }, 'fromConversations'],
  ['an object without content', { role: 'user', text: 'Hi' }, 'role'],
  ['an object without content', { speaker: 'me', utterance: 'Hi' }, 'role'],
]

describe('a message of another format', () => {
  test.each(foreign)('is not emptied but refused: %s %j', (name, message, hint) => {
    const refused = (path: string): Error =>
      expect.objectContaining({
        code: 'unknown-message-format',
        path,
        found: expect.stringContaining(name) as string,
        hint: expect.stringContaining(hint) as string,
      }) as Error
    expect(() => parseMessage(message)).toThrow(refused(''))
    expect(() => parseMessages([{ role: 'user', content: 'Hi' }, message])).toThrow(refused('/1'))
    expect(() => parseMessages(message)).toThrow(refused(''))
    expect(() => parseRequest({ messages: [message] })).toThrow(refused('/messages/0'))
    if ('role' in message) expect(() => toMessages(message as MessageInput)).toThrow(refused(''))
  })

  test.each(foreign.filter(([, , hint]) => hint === 'fromMessages'))(
    'is read by the function that the hint names: %s %j',
    (_, message) => expect(fromMessages([message]).value).toHaveLength(1),
  )

  test('is read by fromConversations if the hint names it', () => {
    const [conversation] = fromConversations([{ conversations: [{ from: 'human', value: 'Hi' }] }])
    expect([...(conversation?.value.messages ?? [])]).toHaveLength(1)
  })

  test('an error never quotes its text', () => {
    for (const [, message] of foreign) {
      try {
        parseMessage(message)
      } catch (error) {
        expect(error).toBeInstanceOf(InterlinguaError)
        expect(JSON.stringify([String(error), (error as InterlinguaError).hint])).not.toContain('Hi"')
      }
    }
  })

  test('parseRequest names the format of a body without messages', () => {
    expect(() => parseRequest({ contents: [{ parts: [{ text: 'Hi' }] }] })).toThrow(
      expect.objectContaining({ code: 'unknown-message-format' }) as Error,
    )
  })

  test.each([{}, { role: 'user' }, { role: 'user', name: 'bob' }, { role: 'user', content: null, x: 1 }])(
    'is not meant by %j, which has no content to lose',
    (message) => {
      expect(parseMessage(message).content).toEqual([])
    },
  )

  test('is not meant by one part alone', () => {
    expect(parseMessage({ type: 'text', text: 'Hi' })).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: 'Hi' }],
    })
  })
})
