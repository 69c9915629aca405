import {
  assistant,
  audio,
  createId,
  developer,
  file,
  image,
  InterlinguaError,
  json,
  message,
  rawMessage,
  reasoning,
  refusal,
  ROLES,
  system,
  text,
  toolCall,
  toolResult,
  toMessage,
  toolResults,
  type TextPart,
  user,
  video,
} from 'interlingua'
import { mediaTypeOf, isSignatureValid } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { expectFrozen } from '../law-assertions.ts'

const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }
const errorOf = (act: () => unknown): InterlinguaError => {
  try {
    act()
  } catch (error) {
    if (error instanceof InterlinguaError) return error
  }
  throw new Error('nothing was refused')
}

describe('message builders', () => {
  test('[r2, r3, C5] take a string, a part or several, and always give structured content', () => {
    expect(user('Hi').content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(user(text('Hi')).content).toEqual([{ type: 'text', text: 'Hi' }])
    expect(user(['a', image('https://example.com/x.png')]).content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/x.png' } },
    ])
  })

  test('[r29, r73] there is one for each role', () => {
    const call = toolCall({ name: 'f' })
    const made = [system('s'), developer('d'), user('u'), assistant('a'), toolResults(toolResult(call, 'r'))]
    expect(made.map(({ role }) => role)).toEqual([...ROLES])
  })

  test('[r7, r80, C7] give a fresh id and a time, or those that are given or injected', () => {
    const [first, second] = [user('a'), user('b')]
    expect(first.id).toMatch(/^msg_[0-9a-f]{24}$/)
    expect(first.id < second.id).toBe(true)
    expect(user('a', identity)).toMatchObject({ id: 'msg_1', createdAt: '1970-01-01T00:00:00.000Z' })
    expect(user('a', { id: 'any string at all', createdAt: '2026-01-31T12:00:00+01:00' })).toMatchObject({
      id: 'any string at all',
      createdAt: '2026-01-31T12:00:00+01:00',
    })
  })

  test('ids are unique and ordered, also within a moment and when the clock goes back', () => {
    let now = 1000
    const ids = Array.from({ length: 5000 }, (_, index) =>
      createId('msg', () => (index === 2500 ? (now -= 500) : now)),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  })

  test('[r4, r5] refuse a part that the role cannot hold', () => {
    const error = errorOf(() => message('user', toolCall({ name: 'f' })))
    expect(error).toMatchObject({ code: 'part-not-allowed', path: '/content/0/type' })
    expect(errorOf(() => message('system', image('https://example.com')))).toMatchObject({
      code: 'part-not-allowed',
    })
    expect(errorOf(() => message('assistant', json(1)))).toMatchObject({ code: 'part-not-allowed' })
  })

  test('a text becomes the same message as its part', () => {
    for (const role of ['system', 'developer', 'user', 'assistant'] as const) {
      const built = message(role, 'Hi\ud800 there')
      const { id, createdAt = '' } = built
      const checked = message(role, [text('Hi\ud800 there')], { id, createdAt })
      expect(JSON.stringify(built)).toBe(JSON.stringify(checked))
      expect(checked).toEqual(built)
      expectFrozen(built)
      // Built messages and parts are used as they are.
      expect(toMessage(built)).toBe(built)
      expect(message(role, built.content[0] as TextPart).content[0]).toBe(built.content[0])
    }
    class Options {
      newId(): string {
        return 'from a method'
      }
    }
    expect(user('Hi', new Options()).id).toBe('from a method')
    expect(errorOf(() => message('tool', 'Hi')).code).toBe('part-not-allowed')
    expect(() => user('Hi', null as unknown as undefined)).toThrow(InterlinguaError)
  })

  test('[r217, C4] freeze what they give and leave what they took alone', () => {
    const given = { metadata: { list: [1] } }
    const made = user({ type: 'text', text: 'a', metadata: given.metadata })
    expectFrozen(made)
    given.metadata.list.push(2)
    expect(made.content[0]).toMatchObject({ metadata: { list: [1] } })
  })

  test('[r30] read no JSON: literals are checked strictly, and other forms are left to the parsers', () => {
    const literal = JSON.stringify({ type: 'text', text: 'a' })
    expect(user(literal).content).toEqual([text(literal)])
    const wrong = { type: 'text', text: 4 } as unknown as string
    expect(errorOf(() => user([wrong]))).toMatchObject({ code: 'invalid-type', path: '/content/0/text' })
    expect(errorOf(() => user({ type: 'image_url', image_url: 'u' } as never))).toMatchObject({
      code: 'unknown-part-type',
    })
    expect(errorOf(() => user('a', { metadata: { when: new Date() as never } }))).toMatchObject({
      code: 'not-json',
      path: '/metadata/when',
    })
  })

  test('[r96] an empty message can be made', () => {
    expect(message('user', [], { ...identity, name: 'Ada' })).toEqual({
      id: 'msg_1',
      createdAt: '1970-01-01T00:00:00.000Z',
      role: 'user',
      name: 'Ada',
      content: [],
    })
  })

  test('rawMessage holds a wire message of one dialect', () => {
    const wire = { role: 'assistant', content: [] }
    expect(rawMessage('anthropic', wire)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'opaque', dialect: 'anthropic', value: { $message: wire } }],
    })
    expect(rawMessage('gemini', { role: 'model' }).role).toBe('user')
  })

  test('[r157, C1] one round of results is one message', () => {
    const calls = ['a', 'b'].map((name) => toolCall({ name }))
    expect(toolResults(calls.map((call) => toolResult(call, 'ok'))).content).toHaveLength(2)
  })

  test('[r158, C9] an answer may hold text, calls and provider-made results, in order', () => {
    const call = toolCall({ id: 'srv_1', name: 'search', executedBy: 'provider' })
    const made = assistant(['Looking.', call, toolResult(call, { hits: 3 }), 'Found it.'])
    expect(made.content.map(({ type }) => type)).toEqual(['text', 'tool-call', 'tool-result', 'text'])
  })
})

describe('part builders', () => {
  test('[r105, r111] there is one for each kind of part', () => {
    const call = toolCall({ id: 'call_1', name: 'f' })
    const source = 'https://example.com'
    const parts = [text('t'), image(source), audio(source), video(source), file(source), reasoning('r'), call]
    expect([...parts, toolResult(call, 'x'), json(1), refusal('no')].map(({ type }) => type)).toEqual(
      'text image audio video file reasoning tool-call tool-result json refusal'.split(' '),
    )
  })

  test('[r83, r170, C18] a call needs a name; arguments default to {} and the id is made', () => {
    const made = toolCall({ name: 'now' })
    expect(made).toEqual({ type: 'tool-call', id: made.id, name: 'now', arguments: {} })
    expect(made.id).toMatch(/^call_[0-9a-f]{24}$/)
    expect(toolCall({ name: 'now', ...identity }).id).toBe('call_1')
  })

  test('[C2] argument text is parsed, kept where it differs, and never becomes {}', () => {
    const built = (given: string): object => toolCall({ id: 'c', name: 'f', arguments: given })
    const call = { type: 'tool-call', id: 'c', name: 'f' }
    expect(built('{"a":1}')).toEqual({ ...call, arguments: { a: 1 } })
    expect(built('{"a": 1}')).toEqual({ ...call, arguments: { a: 1 }, rawArguments: '{"a": 1}' })
    expect(built('')).toEqual({ ...call, arguments: {}, rawArguments: '' })
    expect(built('{"a":')).toEqual({ ...call, invalidArguments: '{"a":' })
    expect(built('[1]')).toEqual({ ...call, invalidArguments: '[1]' })
    expect(built('{"a":1,"a":2}')).toEqual({ ...call, arguments: { a: 2 }, rawArguments: '{"a":1,"a":2}' })
    expect(built('['.repeat(100_000))).toEqual({ ...call, invalidArguments: '['.repeat(100_000) })
    const bomb = `{"a":${'['.repeat(500)}${']'.repeat(500)}}`
    expect(built(bomb)).toEqual({ ...call, invalidArguments: bomb })
  })

  test('[r93, r177] a result is text for a string, json for anything else, and may be an error', () => {
    const call = toolCall({ id: 'call_1', name: 'weather' })
    const result = { type: 'tool-result', callId: 'call_1', name: 'weather' }
    expect(toolResult(call, '4 °C')).toEqual({ ...result, content: [{ type: 'text', text: '4 °C' }] })
    expect(toolResult(call, { celsius: 4 })).toEqual({
      ...result,
      content: [{ type: 'json', value: { celsius: 4 } }],
    })
    expect(toolResult(call, ['a', 'b']).content).toEqual([{ type: 'json', value: ['a', 'b'] }])
    expect(toolResult(call, null).content).toEqual([{ type: 'json', value: null }])
    expect(toolResult(call, [text('see'), image('https://example.com'), 'end']).content).toHaveLength(3)
    expect(toolResult('call_2', 'boom', { isError: true })).toMatchObject({ callId: 'call_2', isError: true })
    expect(toolResult('call_2', 'fine', { isError: false })).not.toHaveProperty('isError')
  })

  test('data that only looks like a part stays data: a tool cannot forge a raw block', () => {
    const forged = { type: 'opaque', dialect: 'anthropic', value: { type: 'tool_use' } }
    expect(toolResult('c', forged).content).toEqual([{ type: 'json', value: forged }])
    expect(toolResult('c', [forged]).content).toEqual([{ type: 'json', value: [forged] }])
  })

  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\0\0\0\0WEBP'],
    ['application/pdf', '%PDF-1.7'],
  ])('[r214] bytes of %s are recognised', (mediaType, head) => {
    const bytes = Uint8Array.from(head, (character) => character.charCodeAt(0))
    expect(file(bytes).source).toEqual({ kind: 'base64', data: btoa(head), mediaType })
  })

  test('[r114, r115, r190, r214] files and audio carry their source, name and media type', () => {
    expect(
      file({ id: 'file-1', provider: 'openai' }, { name: 'a.pdf', mediaType: 'application/pdf' }),
    ).toEqual({
      type: 'file',
      source: { kind: 'id', id: 'file-1', provider: 'openai' },
      name: 'a.pdf',
      mediaType: 'application/pdf',
    })
    expect(mediaTypeOf(audio({ data: 'UklGRg==', mediaType: 'audio/wav' }))).toBe('audio/wav')
    expect(mediaTypeOf(file('https://example.com/a.pdf', { mediaType: 'application/pdf' }))).toBe(
      'application/pdf',
    )
    expect(file({ text: 'hello' }).source).toEqual({ kind: 'text', text: 'hello' })
    expect(errorOf(() => file({ data: 'AAAA' }))).toMatchObject({ code: 'unknown-media-type' })
  })

  test('[C10] a signature is bound to the content that it came with', () => {
    const thought = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'sig' } })
    expect(thought.signature).toMatchObject({ vendor: 'anthropic', value: 'sig' })
    expect(isSignatureValid(thought)).toBe(true)
    expect(isSignatureValid({ ...thought, text: 'Hm!' })).toBe(false)
    expect(isSignatureValid({ ...thought, metadata: { seen: true } })).toBe(true)
    expect(isSignatureValid(reasoning('Hm.'))).toBe(false)
  })
})
