import { validate } from 'interlingua'
import { parseMessage, parseMessages } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again } from '../law-assertions.ts'

const message = (value: unknown): unknown =>
  again(parseMessage(value, { newId: (prefix) => `${prefix}_new` }))
const text = (value: string): object => ({ type: 'text', text: value })

describe('parseMessage', () => {
  const shapes: readonly [string, unknown, unknown][] = [
    [
      '[r102, r203] role and content',
      { role: 'system', content: 'Hi' },
      { role: 'system', content: [text('Hi')] },
    ],
    ['[r95] a missing role', { content: 'Hi' }, { role: 'user', content: [text('Hi')] }],
    ['[r95] an empty role', { role: '', content: 'Hi' }, { role: 'user', content: [text('Hi')] }],
    ['[r102] a list of strings', ['a', 'b'], { role: 'user', content: [text('a'), text('b')] }],
    ['[r106] nothing', { role: 'user', content: null }, { role: 'user', content: [] }],
    ['values that are no content', { role: 'user', name: 'bob' }, { role: 'user', name: 'bob', content: [] }],
    ['[r106] one part', { role: 'user', content: text('Hi') }, { role: 'user', content: [text('Hi')] }],
    [
      '[r106] a message for content',
      { role: 'user', content: { role: 'assistant', content: 'Hi' } },
      { role: 'user', content: [text('Hi')] },
    ],
    [
      '[r102, r151] ids and times',
      { id: 'a', parent_id: 'b', created_at: '2026-02-01T12:00:00+00:00', role: 'user', content: 'x' },
      { id: 'a', parentId: 'b', createdAt: '2026-02-01T12:00:00+00:00', role: 'user', content: [text('x')] },
    ],
    [
      'a time as a number of seconds',
      { role: 'user', content: 'x', created_at: 1_700_000_000 },
      { role: 'user', content: [text('x')], createdAt: '2023-11-14T22:13:20.000Z' },
    ],
    [
      '[r21, r102, C11] metadata under its other names',
      { role: 'user', content: 'x', _metadata: { a: 1 } },
      { role: 'user', content: [text('x')], metadata: { a: 1 } },
    ],
    [
      '[r18, C11] extras and unknown keys',
      { role: 'user', content: 'x', extras: { a: 1 }, stray: true },
      { role: 'user', content: [text('x')], extra: { unknown: { a: 1, stray: true } } },
    ],
    [
      '[r200] extra by slot',
      { role: 'user', content: 'x', extra: { gemini: { a: 1 } } },
      { role: 'user', content: [text('x')], extra: { gemini: { a: 1 } } },
    ],
    [
      'an extra that is no set of slots',
      { role: 'user', content: 'x', extra: [1] },
      { role: 'user', content: [text('x')], extra: { unknown: { extra: [1] } } },
    ],
    [
      '[r14, r102, C9] tool_calls beside text',
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      {
        role: 'assistant',
        content: [text('Looking.'), { type: 'tool-call', id: 'c', name: 'f', arguments: {} }],
      },
    ],
    [
      'content null beside tool_calls',
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f' } }], refusal: null },
      { role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'f', arguments: {} }] },
    ],
    [
      'a legacy function_call',
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'assistant', content: [{ type: 'tool-call', id: 'call_new', name: 'f', arguments: {} }] },
    ],
    [
      '[r189] reasoning and refusal, as text or as parts',
      { role: 'model', content: 'x', reasoning: 'Hm.', refusal: [{ type: 'text', text: 'No.' }] },
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Hm.' }, text('x'), { type: 'refusal', text: 'No.' }],
      },
    ],
    [
      '[r28, r102] a tool message',
      { role: 'tool', content: 'x', tool_call_id: 'c', tool_name: 'f' },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c', name: 'f', content: [text('x')] }] },
    ],
    [
      '[r194] a tool message by call_id',
      { role: 'tool', content: 'x', call_id: 'c' },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c', content: [text('x')] }] },
    ],
    [
      'a tool message that keeps all below content',
      { role: 'tool', content: { content: 'x', tool_name: 'f', tool_call_id: 'c' } },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c', name: 'f', content: [text('x')] }] },
    ],
    [
      'a tool_result object',
      {
        role: 'tool',
        content: '',
        tool_result: { content: 'x', call_id: 'c', tool_name: 'f', is_error: true },
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', callId: 'c', name: 'f', content: [text('x')], isError: true }],
        extra: { unknown: { content: '' } },
      },
    ],
    [
      '[C19] a tool message that answers nobody, as text',
      { role: 'tool', content: 'x' },
      { role: 'user', content: [text('x')], extra: { unknown: { role: 'tool' } } },
    ],
    [
      '[C19] an empty call id, as text',
      { role: 'tool', content: 'x', tool_call_id: '' },
      { role: 'user', content: [text('x')], extra: { unknown: { role: 'tool' } } },
    ],
    [
      '[r206, C3] attachments of a user after the text',
      {
        role: 'user',
        content: 'See:',
        attachments: [{ type: 'image', content: 'file-1', content_type: 'id' }],
      },
      {
        role: 'user',
        content: [text('See:'), { type: 'image', source: { kind: 'id', id: 'file-1', provider: 'openai' } }],
      },
    ],
    [
      '[r202, r206, C3, C11] attachments after the text, usage and meta',
      {
        role: 'assistant',
        content: 'See:',
        attachments: [
          {
            type: 'image',
            content: 'https://example.com/a.png',
            content_type: 'url',
            media_type: 'image/png',
          },
          { type: 'document', content: 'JVBERi0=', content_type: 'base64', media_type: 'application/pdf' },
          { type: 'image', content: 'file-1', content_type: 'id' },
        ],
        usage: { prompt_tokens: 2, completion_tokens: 3 },
        meta: { a: 1 },
      },
      {
        role: 'assistant',
        content: [
          text('See:'),
          {
            type: 'image',
            source: { kind: 'url', url: 'https://example.com/a.png' },
            mediaType: 'image/png',
          },
          { type: 'file', source: { kind: 'base64', data: 'JVBERi0=', mediaType: 'application/pdf' } },
          { type: 'image', source: { kind: 'id', id: 'file-1', provider: 'openai' } },
        ],
        usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5 },
        metadata: { a: 1 },
      },
    ],
  ]

  test.each(shapes)('reads %s', (_name, given, expected) => {
    expect(message(given)).toEqual({ id: 'msg_new', ...(expected as object) })
  })

  test('[r119] text, image, audio and file in one message survive', () => {
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'https://example.com/chart.png', detail: 'high' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      { type: 'file', file: { file_id: 'file-abc', file_name: 'report.pdf' } },
    ]
    const read = parseMessage({ role: 'user', content })
    expect(read.content.map(({ type }) => type)).toEqual(['text', 'image', 'audio', 'file'])
    expect(again(parseMessage(again(read)))).toEqual(again(read))
  })

  test('[C1] one message per result is read, too, and is a conversation without problems', () => {
    const messages = parseMessages([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'a', function: { name: 'f' } },
          { id: 'b', function: { name: 'f' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'assistant', content: 'Done.' },
    ])
    expect(validate(messages)).toEqual([])
  })

  test('[r156] calls, one message of results and an answer are a conversation without problems', () => {
    const call = { type: 'tool-call', id: 'a', name: 'f', arguments: {} }
    const result = { type: 'tool-result', callId: 'a', content: [] }
    const roles = [
      ['user', 'Hi'],
      ['assistant', [call]],
      ['tool', [result]],
      ['assistant', 'Done.'],
    ]
    expect(validate(parseMessages(roles.map(([role, content]) => ({ role, content }))))).toEqual([])
  })
})
