import {
  type ChatEvent,
  type ChatRequest,
  dialects,
  type Message,
  type Tool,
  toolCall,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { mutated } from '../json-mutations.ts'
import { again, attempt, expectSame, law } from '../law-assertions.ts'
import { lines, SHARE, subjects } from './dialect-table.ts'
import { leavesOf, pointerTo } from './json-leaves.ts'
import { collect } from './stream-responses.ts'

const refused = (code: string, path: string): Error => expect.objectContaining({ code, path }) as Error

/** A message as `JSON.parse` returns it: the compiler does not see what is wrong. */
const raw = (fields: object): Message => ({ id: 'a', role: 'user', content: [], ...fields }) as never
const part = (value: unknown): Message => raw({ content: [value] })

/** Messages that no parser read: the error code, and its path in the message. */
const malformedMessages: readonly (readonly [name: string, message: unknown, code: string, path: string])[] =
  [
    ['an unknown role', raw({ role: 'critic' }), 'unknown-role', '/role'],
    ['a role that is no text', raw({ role: { name: 'user' } }), 'unknown-role', '/role'],
    ['no role', { id: 'a', content: [] }, 'missing-field', '/role'],
    ['text as content', raw({ content: 'Hi' }), 'invalid-type', '/content'],
    ['no content', { id: 'a', role: 'user' }, 'missing-field', '/content'],
    ['null', null, 'invalid-type', ''],
    ['text', 'Hi', 'invalid-type', ''],
    ['a part of an unknown type', part({ type: 'hologram' }), 'unknown-part-type', '/content/0/type'],
    ['a part of the wire', part({ type: 'image_url' }), 'unknown-part-type', '/content/0/type'],
    ['null as a part', part(null), 'invalid-type', '/content/0'],
    ['text as a part', part('Hi'), 'invalid-type', '/content/0'],
    ['a text part without text', part({ type: 'text' }), 'missing-field', '/content/0/text'],
    ['an image without a source', part({ type: 'image' }), 'missing-field', '/content/0/source'],
    [
      'an image with a source of the wire',
      part({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }),
      'missing-field',
      '/content/0/source/kind',
    ],
    [
      'arguments as text',
      raw({ role: 'assistant', content: [{ type: 'tool-call', id: 'c', name: 'f', arguments: '{}' }] }),
      'invalid-type',
      '/content/0/arguments',
    ],
    [
      'a result without content',
      raw({ role: 'tool', content: [{ type: 'tool-result', callId: 'c' }] }),
      'missing-field',
      '/content/0/content',
    ],
    [
      'a tool result of the user',
      part({ type: 'tool-result', callId: 'c', content: [] }),
      'part-not-allowed',
      '/content/0/type',
    ],
  ]

const malformedTools: readonly (readonly [name: string, tool: unknown, code: string, path: string])[] = [
  ['null', null, 'invalid-type', ''],
  ['text', 'weather', 'invalid-type', ''],
  ['no type', { name: 'f', input: {} }, 'missing-field', '/type'],
  ['an unknown type', { type: 'robot', name: 'f' }, 'invalid-value', '/type'],
  ['a part', toolCall({ name: 'f' }), 'invalid-value', '/type'],
  ['no schema', { type: 'function', name: 'f' }, 'missing-field', '/input'],
  ['a schema that is no object', { type: 'function', name: 'f', input: 'x' }, 'invalid-type', '/input'],
  [
    'a tool of openai-chat',
    { type: 'function', function: { name: 'f', parameters: {} } },
    'missing-field',
    '/name',
  ],
  [
    'a provider tool without options',
    { type: 'provider', provider: 'x', name: 'y' },
    'missing-field',
    '/options',
  ],
]

const malformedRequests: readonly (readonly [name: string, request: unknown, code: string, path: string])[] =
  [
    ['null', null, 'invalid-type', ''],
    ['no messages', {}, 'invalid-type', '/messages'],
    ['text as messages', { messages: 'Hi' }, 'invalid-type', '/messages'],
    ['an object as messages', { messages: {} }, 'invalid-type', '/messages'],
    ['a temperature as text', { messages: [], temperature: '1' }, 'invalid-type', '/temperature'],
    ['text as stop', { messages: [], stop: 'x' }, 'invalid-type', '/stop'],
    ['an unknown tool choice', { messages: [], toolChoice: 'any' }, 'invalid-value', '/toolChoice'],
    ['tools that are no list', { messages: [], tools: { f: {} } }, 'invalid-type', '/tools'],
  ]

describe.each(subjects)('$name rejects what no parser read', ({ dialect }) => {
  test.each(malformedMessages)('message: %s', (_name, message, code, path) => {
    const request = { model: 'm', messages: [user('Hi'), message] } as ChatRequest
    expect(() => dialect.encodeRequest(request)).toThrow(refused(code, `/messages/1${path}`))
    expect(() => dialect.encodeRequestText(request)).toThrow(refused(code, `/messages/1${path}`))
    expect(() => dialect.encodeMessage(message as Message)).toThrow(refused(code, path))
    const response = { candidates: [message] } as never
    if (code !== 'part-not-allowed') expect(() => dialect.encodeResponse(response)).toThrow(/candidates/)
  })

  test.each(malformedTools)('tool: %s', (_name, tool, code, path) => {
    const tools = [tool] as readonly Tool[]
    expect(() => dialect.encodeRequest({ model: 'm', messages: [user('Hi')], tools })).toThrow(
      refused(code, `/tools/0${path}`),
    )
    expect(() => dialect.encodeTools(tools)).toThrow(refused(code, `/0${path}`))
  })

  test.each(malformedRequests)('request: %s', (_name, request, code, path) => {
    expect(() => dialect.encodeRequest(request as ChatRequest)).toThrow(refused(code, path))
    expect(() => dialect.encodeRequestText(request as ChatRequest)).toThrow(refused(code, path))
  })

  test.each([
    [{ type: 'text-start', id: '1' }, 'invalid-value', '/type'],
    [{ type: 'text-delta', id: '1', delta: 'Hi' }, 'missing-field', '/index'],
    [{ type: 'text-delta', index: 0, delta: 'Hi' }, 'missing-field', '/text'],
    [{ type: 'text-delta', index: -1, text: 'Hi' }, 'invalid-type', '/index'],
    [{ type: 'usage', usage: { inputTokens: 'x' } }, 'invalid-type', '/usage/inputTokens'],
    [{ type: 'part-start', index: 0, part: { type: 'text', text: 1 } }, 'invalid-type', '/part/text'],
    [{ type: 'text-delta', index: 0, text: 'Hi', extra: { anthropic: 1 } }, 'invalid-type', '/extra'],
    [{ type: 'part-start', index: 0, part: { type: 'step-start' } }, 'unknown-part-type', '/part/type'],
    [{ type: 'part-end', index: 0, part: 7 }, 'invalid-type', '/part'],
    [{ choices: [] }, 'invalid-value', '/type'],
    [null, 'invalid-type', ''],
    ['data: {}', 'invalid-type', ''],
  ])('event: %j', async (event, code, path) => {
    const encoded = collect(dialect.encodeStream([{ type: 'start' }, event as ChatEvent]))
    await expect(encoded).rejects.toThrow(refused(code, path))
  })

  test('and its error says how to read it', () => {
    const encode = (message: unknown) => () =>
      dialect.encodeRequest({ model: 'm', messages: [message as Message] })
    const hint = (text: string): Error =>
      expect.objectContaining({ hint: expect.stringContaining(text) as string }) as Error
    expect(encode({ role: 'user', content: 'Hi' })).toThrow(hint('parseMessages'))
    expect(encode({ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] })).toThrow(
      hint('fromMessages'),
    )
    expect(encode({ role: 'user', parts: [{ text: 'Hi' }] })).toThrow(hint("dialects['gemini']"))
  })
})

describe.each(subjects)('$name, given plain JSON', ({ dialect }) => {
  test.each([
    {},
    { id: 7 },
    { createdAt: 1_700_000_000, usage: { prompt: 3 }, metadata: 'x', parentId: null },
  ])('encodes a message whose fields that are never sent are %j', (unsent) => {
    const bare = { role: 'user', content: [{ type: 'text', text: 'Hello there' }], ...unsent } as never
    const { value, losses } = dialect.encodeRequest({ model: 'm', maxOutputTokens: 9, messages: [bare] })
    expect(JSON.stringify(value)).toContain('Hello there')
    expect(losses.filter(({ severity }) => severity === 'loss')).toEqual([])
  })

  test('checks what is added to a message that it encoded before', () => {
    const message = raw({ content: [{ type: 'text', text: 'Hi' }] })
    const request = { model: 'm', messages: [message] }
    const first = dialect.encodeRequest(request)
    expectSame(dialect.encodeRequest(request), first)
    ;(message.content as unknown[]).push({ type: 'hologram' })
    expect(() => dialect.encodeRequest(request)).toThrow(
      refused('unknown-part-type', '/messages/0/content/1/type'),
    )
  })

  test('reports unknown keys of messages, parts, tools and requests', () => {
    const request = {
      model: 'm',
      messages: [raw({ content: [{ type: 'text', text: 'Hi', tone: 'kind' }], mood: 'good' })],
      tools: [{ type: 'function', name: 'f', input: {}, price: 3 }],
      speed: 'fast',
    } as unknown as ChatRequest
    const paths = dialect.encodeRequest(request).losses.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        '/extra/unknown/speed',
        '/tools/0/extra/unknown/price',
        '/messages/0/extra/unknown/mood',
        '/messages/0/content/0/extra/unknown/tone',
      ]),
    )
  })

  test('encodes, or rejects with a typed error', () => {
    law(
      mutated(anyRequest),
      (request) => attempt(() => JSON.stringify(dialect.encodeRequest(request as ChatRequest).value)),
      SHARE,
    )
    law(mutated(anyResponse), (response) => attempt(() => dialect.encodeResponse(response as never)), SHARE)
  })
})

describe.each(lines)('$name', ({ subject, codec }) => {
  test('is encoded from plain JSON as from the decoded value', () => {
    for (const { body } of subject.valid[codec.direction]) {
      const decoded =
        codec.direction === 'request'
          ? subject.dialect.decodeRequest(body).value
          : subject.dialect.decodeResponse(body).value
      expectSame(codec.encode(subject, again(decoded)).value, codec.encode(subject, decoded).value)
    }
  })
})

test('the caller keeps his values: encoding neither freezes nor changes them', () => {
  const message = raw({ content: [{ type: 'text', text: 'Hi' }] })
  const request = { model: 'm', messages: [message], tools: [] }
  dialects.anthropic.encodeRequest(request)
  expect(Object.isFrozen(message)).toBe(false)
  expect(request).toEqual({ model: 'm', messages: [{ ...message }], tools: [] })
})

describe.each(lines)('$name: a body with a value that is not JSON', ({ subject, codec }) => {
  const bodies = subject.fixtures[codec.direction].slice(0, 5)

  test.each(bodies)('is refused with its path: $name', ({ body }) => {
    for (const { at } of leavesOf(body))
      for (const value of [new Date(0), Number.NaN]) {
        const changed = again(body) as object
        const holder = at.slice(0, -1).reduce((each, key) => Reflect.get(each, key) as object, changed)
        Reflect.set(holder, at.at(-1) ?? '', value)
        const decode = (): unknown => codec.decode(subject, changed)
        expect(decode).toThrow(refused('not-json', pointerTo(at)))
      }
  })
})
