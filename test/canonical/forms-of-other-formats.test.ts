import { convertToModelMessages, type UIMessage } from 'ai'
import { dialects } from 'interlingua'
import { parseMessage, parseMessages, parsePart, parseRequest } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again } from '../law-assertions.ts'

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

  test('reasoning is read with its signature, and Anthropic gets it back', () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
      { type: 'redacted_thinking', data: 'Eroo' },
      { type: 'text', text: 'Yes.' },
    ]
    const messages = parseMessages([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: blocks },
    ])
    const { value } = dialects.anthropic.encodeRequest({ model: 'm', maxOutputTokens: 9, messages })
    expect(value.messages[1]?.content).toEqual(blocks)
    expect(parseMessage({ role: 'assistant', content: [{ type: 'thinking', text: 'Hm.' }] }).content).toEqual(
      [{ type: 'reasoning', text: 'Hm.' }],
    )
  })

  test('a system text beside the messages is kept', () => {
    const body = { system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] }
    expect(parseMessages(body).map(({ role }) => role)).toEqual(['system', 'user'])
  })
})

describe('the format of media', () => {
  test.each([
    [
      { type: 'image_url', image_url: { url: 'https://example.com/a', format: 'image/png' } },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a' }, mediaType: 'image/png' },
    ],
    [
      { type: 'file', file: { file_id: 'file-1', format: 'application/pdf' } },
      {
        type: 'file',
        source: { kind: 'id', id: 'file-1', provider: 'openai' },
        mediaType: 'application/pdf',
      },
    ],
    [
      { type: 'input_audio', input_audio: { url: 'https://example.com/a', format: 'mp3' } },
      { type: 'audio', source: { kind: 'url', url: 'https://example.com/a' }, mediaType: 'audio/mpeg' },
    ],
    [
      { type: 'video', file_id: 'file-1', format: 'mp4' },
      { type: 'video', source: { kind: 'id', id: 'file-1', provider: 'openai' }, mediaType: 'video/mp4' },
    ],
    [
      { type: 'image_url', image_url: 'iVBORw0KGgo=' },
      { type: 'image', source: { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' } },
    ],
    [
      { type: 'file', data: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
      {
        type: 'file',
        source: { kind: 'url', url: 'https://example.com/a.pdf' },
        mediaType: 'application/pdf',
      },
    ],
  ])('%j is read', (given, expected) => {
    expect(again(parsePart(given))).toEqual(expected)
  })
})
