import { convertToModelMessages, type UIMessage } from 'ai'
import { InterlinguaError, toMessages, type MessageInput } from 'interlingua'
import { parseMessage, parseMessages, parseRequest } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again } from '../law-assertions.ts'

/** Messages of formats that are not read: the name and the hint of the error. */
const foreign: readonly (readonly [name: string, message: object, hint: string])[] = [
  [
    'a UIMessage of the AI SDK',
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    'convertToModelMessages',
  ],
  ['a UIMessage of the AI SDK', { id: '1', role: 'assistant', parts: [] }, 'convertToModelMessages'],
  [
    'a UIMessage of the AI SDK',
    { id: '1', role: 'assistant', content: 'x', toolInvocations: [{ state: 'call' }] },
    'convertToModelMessages',
  ],
  ['a Gemini message', { role: 'user', parts: [{ text: 'Hi' }] }, "dialects['gemini'].decodeRequest"],
  ['a Gemini message', { role: 'model', parts: [{ functionCall: { name: 'f' } }] }, "dialects['gemini']"],
  ['a Gemini message', { contents: [{ parts: [{ text: 'Hi' }] }] }, "dialects['gemini'].decodeRequest"],
  ['a Gemini response', { candidates: [{ content: { parts: [] } }] }, "dialects['gemini'].decodeResponse"],
  ['a LangChain message', { lc: 1, type: 'constructor', id: [], kwargs: { content: 'Hi' } }, 'LangChain'],
  ['a LangChain message', { type: 'human', data: { content: 'Hi' } }, 'convert_to_openai_messages'],
  ['a LangChain message', { type: 'ai', content: 'Hi', additional_kwargs: {}, id: 'a' }, 'LangChain'],
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
    'tool_use',
  ],
  [
    'a Pydantic AI message',
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Hi' }] },
    'role',
  ],
  ['an A2A message', { messageId: 'm', role: 'user', parts: [{ text: 'Hi' }] }, 'role'],
  ['a ShareGPT message', { from: 'human', value: 'Hi' }, 'role'],
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

const newId = (): ((prefix: string) => string) => {
  let count = 0
  return (prefix) => `${prefix}_${++count}`
}
const parse = (messages: unknown): unknown => again(parseMessages(messages, { newId: newId() }))

describe('a user message with tool results', () => {
  const result = { type: 'tool_result', tool_use_id: 'c', content: '4 °C' }
  const read = { type: 'tool-result', callId: 'c', content: [{ type: 'text', text: '4 °C' }] }
  const hi = { type: 'text', text: 'Hi' }

  test('[C1] becomes a tool message', () => {
    expect(parse([{ id: 'a', role: 'user', content: [result] }])).toEqual([
      { id: 'a', role: 'tool', content: [read] },
    ])
    expect(parseMessage({ role: 'user', content: [result] }).role).toBe('tool')
  })

  test('[C1] becomes a tool message and a user message, which keeps the other fields', () => {
    const given = {
      id: 'a',
      role: 'user',
      content: [hi, result, { ...result, tool_use_id: 'd' }],
      name: 'bob',
    }
    const expected = [
      { id: 'msg_1', role: 'tool', content: [read, { ...read, callId: 'd' }] },
      { id: 'a', role: 'user', content: [hi], name: 'bob' },
    ]
    expect(parse([given])).toEqual(expected)
    expect(parse(given)).toEqual(expected)
    expect(again(parseRequest({ messages: [given] }, { newId: newId() }).messages)).toEqual(expected)
  })

  test('keeps the chain of parents', () => {
    const given = { id: 'b', parent_id: 'a', role: 'user', content: [result, hi] }
    expect(parse([given])).toMatchObject([
      { id: 'msg_1', parentId: 'a' },
      { id: 'b', parentId: 'msg_1' },
    ])
  })

  test('is refused where only one message can be returned', () => {
    const refused = {
      code: 'invalid-value',
      path: '/content',
      hint: expect.stringContaining('parseMessages') as string,
    }
    expect(() => parseMessage({ role: 'user', content: [hi, result] })).toThrow(
      expect.objectContaining(refused) as Error,
    )
  })

  test('has the paths of the input in its errors', () => {
    const broken = { role: 'user', content: [hi, { type: 'tool_result', content: 'x' }] }
    expect(() => parseMessages([broken])).toThrow(
      expect.objectContaining({ path: '/0/content/1/callId' }) as Error,
    )
  })
})

describe('model messages of the AI SDK', () => {
  test('convertToModelMessages and parseMessages read what useChat sends', async () => {
    const ui: UIMessage[] = [
      {
        id: '1',
        role: 'user',
        parts: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
        ],
      },
      {
        id: '2',
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          {
            type: 'tool-zoom',
            toolCallId: 'c',
            state: 'output-available',
            input: { by: 2 },
            output: { ok: true },
          },
          { type: 'text', text: 'A cat.' },
        ],
      },
    ]
    expect(parse(await convertToModelMessages(ui))).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', id: 'c', name: 'zoom', arguments: { by: 2 } },
          { type: 'text', text: 'A cat.' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            callId: 'c',
            name: 'zoom',
            content: [{ type: 'json', value: { ok: true } }],
          },
        ],
      },
    ])
  })

  test.each([
    [{ type: 'text', value: 'x' }, { content: [{ type: 'text', text: 'x' }] }],
    [{ type: 'json', value: [1] }, { content: [{ type: 'json', value: [1] }] }],
    [
      { type: 'error-text', value: 'x' },
      { content: [{ type: 'text', text: 'x' }], isError: true },
    ],
    [
      { type: 'error-json', value: { a: 1 } },
      { content: [{ type: 'json', value: { a: 1 } }], isError: true },
    ],
    [
      { type: 'execution-denied', reason: 'No.' },
      { content: [{ type: 'text', text: 'No.' }], isError: true },
    ],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'x' },
          { type: 'media', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
        ],
      },
      { content: [{ type: 'text', text: 'x' }, { type: 'image' }] },
    ],
    // Data that only looks similar stays data.
    [{ type: 'text', words: 'x' }, { content: [{ type: 'json', value: { type: 'text', words: 'x' } }] }],
    [{ celsius: 4 }, { content: [{ type: 'json', value: { celsius: 4 } }] }],
  ])('the output %j of a tool is unwrapped', (output, expected) => {
    const message = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output }],
    }
    expect(parseMessage(message).content[0]).toMatchObject({ callId: 'c', name: 'f', ...expected })
  })
})

describe('messages of Ollama and Anthropic', () => {
  test('images beside the content are image parts', () => {
    expect(parseMessage({ role: 'user', content: 'Look', images: ['iVBORw0KGgo='] }).content).toMatchObject([
      { type: 'text', text: 'Look' },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png' } },
    ])
  })

  test.each([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    ],
    [
      { type: 'document', title: 'Report', source: { type: 'file', file_id: 'file_1' } },
      { type: 'file', name: 'Report', source: { kind: 'id', id: 'file_1', provider: 'anthropic' } },
    ],
    [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Once' } },
      { type: 'file', source: { kind: 'text', text: 'Once' } },
    ],
  ])('the source of %j is read', (given, expected) => {
    expect(again(parseMessage({ role: 'user', content: [given] }).content)).toEqual([expected])
  })

  test('a system text beside the messages is kept', () => {
    const body = { system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] }
    expect(parseMessages(body).map(({ role }) => role)).toEqual(['system', 'user'])
  })
})
