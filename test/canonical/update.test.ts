import {
  addContent,
  assistant,
  updateMessage,
  updatePart,
  image,
  InterlinguaError,
  json,
  text,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  user,
  withArguments,
  withRole,
} from 'interlingua'
import {
  getExtra,
  hasExtra,
  isEmptyPart,
  isSignatureValid,
  withExtra,
  withoutExtra,
} from 'interlingua/content'
import { describe, expect, test } from 'vitest'

const options = { id: 'msg_1', createdAt: '2026-01-01T00:00:00Z' }
const hello = user('Hello', options)

describe('editing a message', () => {
  test('[r150] replaces content, name, parent and metadata in a new message', () => {
    const edited = updateMessage(hello, { content: 'Hi', name: 'Ada', parentId: 'msg_0', metadata: { a: 1 } })
    expect(edited).toEqual({
      ...options,
      role: 'user',
      content: [{ type: 'text', text: 'Hi' }],
      name: 'Ada',
      parentId: 'msg_0',
      metadata: { a: 1 },
    })
    expect(updateMessage(edited, { name: undefined })).not.toHaveProperty('name')
    expect(hello.content).toEqual([{ type: 'text', text: 'Hello' }])
  })

  test('keeps the id and the time, or the lack of a time, whatever the changes contain', () => {
    const later = { id: 'msg_2', createdAt: '2027-01-01T00:00:00Z', name: 'Ada' } as { name: string }
    expect(updateMessage(hello, later)).toMatchObject({ ...options, name: 'Ada' })
    const { createdAt: _createdAt, ...timeless } = hello
    expect(updateMessage(timeless, later)).not.toHaveProperty('createdAt')
    expect(withRole(timeless, 'developer')).not.toHaveProperty('createdAt')
  })

  test('replaces the arguments of a call by an object, or by text that may be invalid', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
    const { arguments: _arguments, ...rest } = call
    expect(withArguments(call, { city: 'Rome' })).toEqual({ ...rest, arguments: { city: 'Rome' } })
    const invalid = withArguments(call, '{"city":')
    expect(invalid).toEqual({ ...rest, invalidArguments: '{"city":' })
    expect(withArguments(invalid, '{"city":"Rome"}')).toEqual({ ...rest, arguments: { city: 'Rome' } })
  })

  test('[r150] adds content, calls and results', () => {
    expect(addContent(hello, ' there', image('https://example.com')).content).toHaveLength(3)
    expect(addContent(assistant('x'), toolCall({ name: 'f' })).content[1]).toMatchObject({
      type: 'tool-call',
    })
    expect(
      updateMessage(toolResults(toolResult('a', 'x')), { content: [toolResult('b', 'y')] }).content,
    ).toHaveLength(1)
  })

  test('[r97] changes the role, and drops what only an answer has', () => {
    const answer = assistant('x', { ...options, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } })
    expect(withRole(answer, 'developer')).toEqual({
      ...options,
      role: 'developer',
      content: [{ type: 'text', text: 'x' }],
    })
    expect(() => withRole(assistant(toolCall({ name: 'f' })), 'user')).toThrowError(InterlinguaError)
    expect(withRole(hello, 'user')).toBe(hello)
  })

  test('[r21, r116] metadata is extended, merged and reduced as a plain object, on messages and on parts', () => {
    const marked = updateMessage(hello, { metadata: { a: 1, b: 2 } })
    const { b: _b, ...rest } = marked.metadata ?? {}
    expect(updateMessage(marked, { metadata: { ...rest, c: 3 } }).metadata).toEqual({ a: 1, c: 3 })
    expect(updatePart(text('x'), { metadata: { page: 1 } })).toEqual({
      type: 'text',
      text: 'x',
      metadata: { page: 1 },
    })
    expect(marked).not.toHaveProperty('extra')
  })
})

describe('editing a part', () => {
  test('[r112] gives a copy with a field changed; the type and the rest stay', () => {
    const part = image('https://example.com/a.png', { detail: 'low' })
    expect(updatePart(part, { detail: 'high' })).toEqual({ ...part, detail: 'high' })
    expect(updatePart(part, { detail: undefined })).toEqual({ type: 'image', source: part.source })
    expect(part.detail).toBe('low')
    expect(() => updatePart(json(1), { value: undefined })).toThrowError(InterlinguaError)
  })

  test('[r104] part lists are added to, have the last replaced and are rid of empties as plain arrays', () => {
    const parts = [text('a'), text('')]
    expect([...parts, text('b')].filter((part) => !isEmptyPart(part))).toEqual([text('a'), text('b')])
    expect(textOf(parts.with(-1, text('c')), '\n')).toBe('a\nc')
    expect(textOf([...parts, text('b')], '\n')).toBe('a\nb')
  })

  test('leaves a signature that no longer holds', () => {
    const signed = text('a', { signature: { vendor: 'google', value: 's' } })
    expect(isSignatureValid(updatePart(signed, { text: 'b' }))).toBe(false)
    expect(isSignatureValid(updatePart(signed, { metadata: {} }))).toBe(true)
  })
})

describe('extra', () => {
  test('[r15, r16, r200] is read, set and removed by slot and key', () => {
    const message = withExtra(hello, 'anthropic', { container: 'c_1', flag: null })
    expect(getExtra(message, 'anthropic', 'container')).toBe('c_1')
    expect(getExtra(message, 'openai-chat', 'container', 'none')).toBe('none')
    expect(withExtra(message, 'anthropic', { container: 'c_2' }).extra).toEqual({
      anthropic: { container: 'c_2', flag: null },
    })
    expect(withoutExtra(message, 'anthropic', 'container').extra).toEqual({ anthropic: { flag: null } })
    expect(withoutExtra(message, 'anthropic')).not.toHaveProperty('extra')
  })

  test('[r17] has a key when it is there, be its value null, and never by inheritance', () => {
    const message = withExtra(hello, 'anthropic', { flag: null })
    expect(hasExtra(message, 'anthropic', 'flag')).toBe(true)
    expect(hasExtra(message, 'anthropic', 'toString')).toBe(false)
    expect(hasExtra(message, '__proto__', 'toString')).toBe(false)
    const hostile = withExtra(hello, '__proto__', { polluted: true })
    expect(getExtra(hostile, '__proto__', 'polluted')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('[r19] is stored only when it holds something', () => {
    expect(JSON.stringify(hello)).not.toContain('extra')
    expect(withoutExtra(hello, 'unknown')).toEqual(hello)
  })
})
