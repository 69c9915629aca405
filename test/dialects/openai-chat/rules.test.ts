import {
  assistant,
  developer,
  dialects,
  file,
  image,
  type JsonObject,
  type Message,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  toolCallsOf,
  textOf,
  updateMessage,
  updatePart,
  user,
} from 'interlingua'
import { parseResponse } from 'interlingua/parse'
import { describe, expect, test } from 'vitest'
import { again } from '../../law-assertions.ts'

const chat = dialects['openai-chat']

/** Returns the encoded messages, and the losses. */
function sent(...messages: readonly Message[]): {
  readonly wire: unknown
  readonly rules: readonly string[]
} {
  const { value, losses } = chat.encodeRequest({ model: 'm', messages })
  return { wire: value.messages, rules: losses.map(({ rule, path }) => `${rule} ${path}`) }
}

/** Returns the wire form of a single message. */
const piece = (message: Message): unknown => chat.encodeMessage(message).value

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const other = toolCall({ id: 'call_2', name: 'weather', arguments: {} })
const wireCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
}
const wireOther = { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{}' } }
const result = (id: string, content: string): JsonObject => ({ role: 'tool', tool_call_id: id, content })

describe('messages', () => {
  test('[r27] [r37] calls are in tool_calls, with their arguments as JSON text', () => {
    expect(piece(assistant([call, other]))).toEqual([
      { role: 'assistant', content: null, tool_calls: [wireCall, wireOther] },
    ])
    expect(piece(assistant([text('Let me see'), call]))).toEqual([
      { role: 'assistant', content: 'Let me see', tool_calls: [wireCall] },
    ])
  })

  test('[r37] [C2] the received text of arguments is sent, unless they were edited', () => {
    const spaced = { ...wireCall, function: { name: 'weather', arguments: '{ "city": "London" }' } }
    const body = { model: 'm', messages: [{ role: 'assistant', content: null, tool_calls: [spaced] }] }
    const request = chat.decodeRequest(body).value
    expect(chat.encodeRequest(request).value).toEqual(body)
    const edited = [...request.messages].map((message) =>
      updateMessage(message, {
        content: toolCallsOf(message).map((each) => updatePart(each, { arguments: { city: 'Rome' } })),
      }),
    )
    const [turn] = chat.encodeRequest({ ...request, messages: edited }).value.messages
    const rome = { ...wireCall, function: { name: 'weather', arguments: '{"city":"Rome"}' } }
    expect(turn).toEqual({ role: 'assistant', content: null, tool_calls: [rome] })
  })

  test('[r38] [r172] a tool result is a separate message, also if it is the only one', () => {
    expect(piece(toolResults([toolResult(call, 'Snow')]))).toEqual([result('call_1', 'Snow')])
  })

  test('[r172] [r209] [C1] one tool message becomes one message per result', () => {
    const round = toolResults([toolResult(call, 'Snow'), toolResult(other, { celsius: 4 })])
    expect(piece(round)).toEqual([result('call_1', 'Snow'), result('call_2', '{"celsius":4}')])
  })

  test('[r39] [r193] all five roles pass one to one', () => {
    const turns = [
      system('Be brief.'),
      developer('Be kind.'),
      user('Hi'),
      assistant([call]),
      toolResults([toolResult(call, 'Snow')]),
    ]
    const { wire, rules } = sent(...turns)
    const roles = (wire as readonly { readonly role: string }[]).map(({ role }) => role)
    expect(roles).toEqual(['system', 'developer', 'user', 'assistant', 'tool'])
    expect(rules).toEqual([])
    const back = chat.decodeRequest({ messages: wire }).value.messages
    expect([...back].map(({ role }) => role)).toEqual(turns.map(({ role }) => role))
  })

  const contents: readonly (readonly [string, Parameters<typeof user>[0], unknown])[] = [
    ['one plain text is a string', 'Hi', 'Hi'],
    ['several texts are a list', [text('a'), text('b')], [text('a'), text('b')]],
    [
      'what is not plain is a list',
      [text('a', { cache: {} })],
      [{ type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }],
    ],
  ]
  test.each(contents)('[r109] %s', (_, content, wire) => {
    expect(sent(user(content)).wire).toEqual([{ role: 'user', content: wire }])
  })

  test('[r109] empty content is an empty string if the message may be empty', () => {
    const empty = { id: 'msg_1', role: 'tool', content: [{ ...toolResult(call, ''), content: [] }] } as const
    expect(piece(empty)).toEqual([result('call_1', '')])
    expect(sent(user('Hi'), { id: 'msg_1', role: 'user', content: [] })).toEqual({
      wire: [{ role: 'user', content: 'Hi' }],
      rules: ['empty-message /messages/1'],
    })
  })
})

describe('media', () => {
  const png = { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } as const
  const pdf = { kind: 'base64', data: 'JVBE', mediaType: 'application/pdf' } as const
  const part = (message: Message): unknown => {
    const [first] = sent(message).wire as readonly { readonly content: readonly unknown[] }[]
    return first?.content[0]
  }

  test('[r26] [r207] an image is sent by its URL, or as a data URI', () => {
    expect(part(user([image('https://example.org/a.png')]))).toEqual({
      type: 'image_url',
      image_url: { url: 'https://example.org/a.png' },
    })
    expect(part(user([{ type: 'image', source: png, detail: 'low' }]))).toEqual({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' },
    })
  })

  test('[r26] [r115] audio is sent as base64 with its format', () => {
    const source = { kind: 'base64', data: 'UklGRg==', mediaType: 'audio/wav' } as const
    expect(part(user([{ type: 'audio', source }]))).toEqual({
      type: 'input_audio',
      input_audio: { data: 'UklGRg==', format: 'wav' },
    })
  })

  test('[r208] [C24] a document is sent as a file with name and data URI, or by its id', () => {
    expect(part(user([file({ ...pdf }, { name: 'a.pdf' })]))).toEqual({
      type: 'file',
      file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
    })
    const held = { type: 'file', source: { kind: 'id', id: 'file-1', provider: 'openai' } } as const
    expect(part(user([held]))).toEqual({ type: 'file', file: { file_id: 'file-1' } })
  })

  test('[C26] an image by file id is described, its id is never sent as a URL', () => {
    for (const provider of ['openai', 'anthropic']) {
      const { wire, rules } = sent(user([{ type: 'image', source: { kind: 'id', id: 'file-1', provider } }]))
      expect(rules).toEqual(['foreign-file /messages/0/content/0'])
      expect(wire).toEqual([{ role: 'user', content: `[image, ${provider} file file-1]` }])
    }
  })
})

test('[r40] a tool is a function with name, description and parameters', () => {
  const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const tools = [{ type: 'function', name: 'weather', description: 'Weather now', input }] as const
  expect(chat.encodeRequest({ model: 'm', messages: [], tools }).value.tools).toEqual([
    { type: 'function', function: { name: 'weather', description: 'Weather now', parameters: input } },
  ])
})

describe('[r41] a response without', () => {
  const lacking: readonly (readonly [string, JsonObject])[] = [
    ['anything', {}],
    ['choices', { id: 'r', choices: [] }],
    ['a message', { choices: [{ index: 0 }] }],
    ['content, calls and usage', { choices: [{ message: { role: 'assistant' } }] }],
    ['content but null', { choices: [{ message: { role: 'assistant', content: null, tool_calls: null } }] }],
    ['a finish reason', { choices: [{ message: { content: 'Hi' }, finish_reason: null }], usage: null }],
  ]
  test.each(lacking)('%s is still valid', (_, body) => {
    const { value } = chat.decodeResponse(body)
    expect(() => parseResponse(again(value))).not.toThrow()
    expect(value.usage).toBeUndefined()
    for (const answer of value.candidates) {
      expect([textOf(answer), toolCallsOf(answer), answer.finish]).toEqual([
        body['choices'] && JSON.stringify(body).includes('Hi') ? 'Hi' : '',
        [],
        undefined,
      ])
    }
    expect(chat.encodeResponse(value).value).toEqual(body)
  })
})
