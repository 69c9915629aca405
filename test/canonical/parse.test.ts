import {
  isMessage,
  parseMessage,
  parseMessages,
  parsePart,
  parseRequest,
  parseToolCall,
} from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again, expectFrozen } from '../law-assertions.ts'

const identity = { newId: (prefix: string) => `${prefix}_new` }
const part = (value: unknown): unknown => again(parsePart(value, identity))
const message = (value: unknown): unknown => again(parseMessage(value, identity))
const call = (value: unknown): unknown => again(parseToolCall(value, identity))

const url = 'https://example.com/chart.png'
const dataUri = 'data:application/pdf;base64,JVBERi0xLjQ='

describe('parsePart', () => {
  const shapes: readonly [string, unknown, unknown][] = [
    ['[r26, r118] text', { type: 'text', text: 'Hi' }, { type: 'text', text: 'Hi' }],
    ['[r111] a string', 'Hi', { type: 'text', text: 'Hi' }],
    ['[r111] an object without a type', { text: 'Hi' }, { type: 'text', text: 'Hi' }],
    [
      '[r26, r78, r118, C3] a nested image URL with its detail',
      { type: 'image_url', image_url: { url, detail: 'high' } },
      { type: 'image', source: { kind: 'url', url }, detail: 'high' },
    ],
    [
      '[r117, C3] a flat image URL',
      { type: 'image_url', url, detail: 'high' },
      { type: 'image', source: { kind: 'url', url }, detail: 'high' },
    ],
    [
      '[r117] an image URL as a string',
      { type: 'image_url', image_url: url },
      { type: 'image', source: { kind: 'url', url } },
    ],
    [
      '[r117] a nested URL wins over a flat one, which is kept as unknown',
      { type: 'image_url', url: 'https://example.com/flat', image_url: { url } },
      {
        type: 'image',
        source: { kind: 'url', url },
        extra: { unknown: { url: 'https://example.com/flat' } },
      },
    ],
    [
      '[r118] an image as a data URI',
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } },
      { type: 'image', source: { kind: 'base64', data: '/9j/4AAQ', mediaType: 'image/jpeg' } },
    ],
    [
      '[r26, r78, r115, r118] nested audio',
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      { type: 'audio', source: { kind: 'base64', data: 'UklGRg==', mediaType: 'audio/wav' } },
    ],
    [
      '[r115, r117, r118] flat audio',
      { type: 'input_audio', data: 'SUQz', format: 'mp3' },
      { type: 'audio', source: { kind: 'base64', data: 'SUQz', mediaType: 'audio/mpeg' } },
    ],
    [
      '[r78, r118, C24] an inline file by file_name',
      { type: 'file', file: { file_data: dataUri, file_name: 'a.pdf' } },
      {
        type: 'file',
        source: { kind: 'base64', data: 'JVBERi0xLjQ=', mediaType: 'application/pdf' },
        name: 'a.pdf',
      },
    ],
    [
      '[r114, r118, C24] a file by id and filename',
      { type: 'file', file: { file_id: 'file-1', filename: 'a.pdf' } },
      { type: 'file', source: { kind: 'id', id: 'file-1', provider: 'openai' }, name: 'a.pdf' },
    ],
    [
      '[r117] a flat file',
      { type: 'file', file_id: 'file-1', file_data: '', filename: 'a.pdf' },
      { type: 'file', source: { kind: 'id', id: 'file-1', provider: 'openai' }, name: 'a.pdf' },
    ],
    [
      '[r190] flat media with a format that is a media type',
      { type: 'image', data: 'AAAA', format: 'image/webp', name: 'x' },
      { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/webp' }, name: 'x' },
    ],
    [
      '[r110] optional fields that are null are absent',
      { type: 'image_url', image_url: { url }, detail: null, metadata: null, cache: null },
      { type: 'image', source: { kind: 'url', url } },
    ],
    [
      '[C30] cache_control',
      { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'x', cache: { ttl: 'long' } },
    ],
    [
      'unknown keys, nested ones below their own key',
      { type: 'image_url', image_url: { url, hue: 3 }, alt: 'x' },
      {
        type: 'image',
        source: { kind: 'url', url },
        extra: { unknown: { alt: 'x', image_url: { hue: 3 } } },
      },
    ],
    ['[r201] a refusal', { type: 'refusal', refusal: 'No.' }, { type: 'refusal', text: 'No.' }],
    [
      '[r28] a tool result under other names',
      { type: 'tool_result', tool_call_id: 'c', tool_name: 'f', content: 'x', is_error: true },
      { type: 'tool-result', callId: 'c', name: 'f', content: [{ type: 'text', text: 'x' }], isError: true },
    ],
    [
      'a tool result whose data has a type of its own',
      { type: 'tool_result', call_id: 'c', content: [{ type: 'Feature', geometry: null }] },
      {
        type: 'tool-result',
        callId: 'c',
        content: [{ type: 'json', value: [{ type: 'Feature', geometry: null }] }],
      },
    ],
  ]

  test.each(shapes)('reads %s', (_name, given, expected) => {
    expect(part(given)).toEqual(expected)
  })
})

describe('parseToolCall', () => {
  const shapes: readonly [string, unknown, unknown][] = [
    [
      '[r27, r84] a nested function with its arguments as text',
      { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 'c', name: 'f', arguments: { a: 1 } },
    ],
    [
      '[r84] a flat one with an object',
      { id: 'c', name: 'f', args: { a: 1 } },
      { id: 'c', name: 'f', arguments: { a: 1 } },
    ],
    ['[r191] call_id', { call_id: 'c', name: 'f', arguments: '{}' }, { id: 'c', name: 'f', arguments: {} }],
    ['[r170, r215] no arguments', { id: 'c', name: 'f' }, { id: 'c', name: 'f', arguments: {} }],
    [
      'an empty list for no arguments',
      { id: 'c', name: 'f', input: [] },
      { id: 'c', name: 'f', arguments: {} },
    ],
    ['[C18] no id', { name: 'f' }, { id: 'call_new', name: 'f', arguments: {} }],
    ['[C18] an empty id', { id: '', name: 'f' }, { id: 'call_new', name: 'f', arguments: {} }],
    [
      '[r82] a foreign id, exactly',
      { id: 'Functions.f:0|x/y', name: 'f' },
      { id: 'Functions.f:0|x/y', name: 'f', arguments: {} },
    ],
    [
      '[C2] arguments that are not JSON',
      { id: 'c', function: { name: 'f', arguments: '{"a":' } },
      { id: 'c', name: 'f', invalidArguments: '{"a":' },
    ],
    ['[r88] a call as JSON text', '{"id":"c","name":"f"}', { id: 'c', name: 'f', arguments: {} }],
    [
      'unknown keys',
      { id: 'c', index: 0, function: { name: 'f', strict: true } },
      { id: 'c', name: 'f', arguments: {}, extra: { unknown: { index: 0, function: { strict: true } } } },
    ],
  ]

  test.each(shapes)('reads %s', (_name, given, expected) => {
    expect(call(given)).toEqual({ type: 'tool-call', ...(expected as object) })
  })

  test('[S5] keys that would reach a prototype are data', () => {
    const given = JSON.parse(
      '{"id":"__proto__","name":"constructor","arguments":"{\\"__proto__\\":{\\"polluted\\":true}}"}',
    )
    const read = parseToolCall(given)
    expect(Object.hasOwn(read.arguments ?? {}, '__proto__')).toBe(true)
    const { metadata } = parseMessage(
      JSON.parse('{"role":"user","content":"Hi","metadata":{"__proto__":{"polluted":true}}}'),
    )
    expect(Object.hasOwn(metadata ?? {}, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('parseRequest', () => {
  test('[r69] reads typed settings under their usual names and keeps what it has no field for', () => {
    const read = parseRequest(
      {
        model: 'm',
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hi', id: 'msg_1' }],
        tools: [
          {
            type: 'function',
            function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true },
          },
          { name: 'g', input_schema: { type: 'object' } },
          { type: 'function', function: { name: 'h' } },
          { type: 'provider', provider: 'openai', name: 'web_search', options: {} },
        ],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
        max_tokens: 100,
        top_p: 0.5,
        stop: 'END',
        n: 2,
        logprobs: true,
        top_logprobs: 3,
        prediction: true,
      },
      identity,
    )
    expect(again(read)).toEqual({
      model: 'm',
      messages: [
        { id: 'msg_new', role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { id: 'msg_1', role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [
        { type: 'function', name: 'f', description: 'd', input: { type: 'object' }, strict: true },
        { type: 'function', name: 'g', input: { type: 'object' } },
        { type: 'function', name: 'h', input: { type: 'object', properties: {} } },
        { type: 'provider', provider: 'openai', name: 'web_search', options: {} },
      ],
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      maxOutputTokens: 100,
      topP: 0.5,
      stop: ['END'],
      candidateCount: 2,
      logprobs: { top: 3 },
      extra: { unknown: { prediction: true } },
    })
    expectFrozen(read)
  })

  test('reads tool choices as others write them', () => {
    const choice = (tool_choice: unknown): unknown => again(parseRequest({ messages: [], tool_choice }))
    const chosen = (value: unknown): unknown => (choice(value) as { toolChoice: unknown }).toolChoice
    expect(chosen('any')).toBe('required')
    expect(chosen({ type: 'any' })).toBe('required')
    expect(chosen({ type: 'tool', name: 'f' })).toEqual({ name: 'f' })
    expect(
      chosen({
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      }),
    ).toEqual({ allowed: ['f'], mode: 'required' })
    expect(choice({ name: 'f', reason: 'x' })).toMatchObject({
      extra: { unknown: { tool_choice: { reason: 'x' } } },
    })
  })
})

describe('parseMessages', () => {
  test('[r101] reads a list, an empty list, an object with messages, and a single message', () => {
    expect(parseMessages([])).toEqual([])
    expect(parseMessages(['a', { role: 'assistant', content: 'b' }]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
    ])
    expect(parseMessages({ messages: ['a', 'b'] })).toHaveLength(2)
    expect(parseMessages('a')).toHaveLength(1)
    expect(parseMessages(['a', 'b']).every((each) => isMessage(again(each)))).toBe(true)
  })

  test('[r99] reads a string, a JSON object, a list of parts and a part alike', () => {
    const expected = [{ type: 'text', text: 'Hi' }]
    for (const given of [
      'Hi',
      { content: 'Hi' },
      ['Hi'],
      [{ type: 'text', text: 'Hi' }],
      { content: { type: 'text', text: 'Hi' } },
    ]) {
      expect(message(given)).toEqual({ id: 'msg_new', role: 'user', content: expected })
    }
  })
})
