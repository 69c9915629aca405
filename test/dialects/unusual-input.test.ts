import {
  type DialectName,
  dialects,
  type ImagePart,
  type JsonObject,
  toolCall,
  translateRequest,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { decodeDataUrl } from '../../src/wire/base64.ts'
import { again, expectSame } from '../law-assertions.ts'
import { identity } from './stream-responses.ts'
import { lines, subjects } from './dialect-table.ts'
import { bare } from './json-leaves.ts'

/** Returns a body with undefined values, as programs create it; its JSON text has no such keys. */
function withNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNothing)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, withNothing(each)])
  return Object.fromEntries([...entries, ['nothing', undefined], ['role', undefined], ...entries])
}

describe.each(lines)('$name, created by a program', ({ subject, codec }) => {
  test.each(subject.valid[codec.direction])('$name may contain undefined values', ({ body }) => {
    const decode = (wire: unknown): unknown =>
      codec.direction === 'request'
        ? subject.dialect.decodeRequest(wire, identity).value
        : subject.dialect.decodeResponse(wire, identity).value
    const value = decode(withNothing(body))
    expectSame(bare(again(value)), bare(again(decode(body))))
    expectSame(again(codec.encode(subject, value).value), body)
  })
})

const image = (url: string): ImagePart => ({ type: 'image', source: { kind: 'url', url } })

describe('data URLs of other forms', () => {
  test.each([
    ['data:image/png;charset=utf-8;base64,AAAA', 'image/png', 'AAAA'],
    ['data:image/png;name="a.png"; base64,AAAA', 'image/png', 'AAAA'],
    ['DATA:IMAGE/PNG;BASE64,AAAA', 'image/png', 'AAAA'],
    ['data:,a%20b', 'text/plain', 'YSBi'],
    ['data:image/svg+xml;utf8,<svg/>', 'image/svg+xml', 'PHN2Zy8+'],
  ])('%s contains bytes', (url, mediaType, data) => {
    expect(decodeDataUrl(url)).toEqual({ mediaType, data })
  })

  test.each(['https://example.org/a.png', 'data:image/png', 'data:,%', ''])('%j contains none', (url) => {
    expect(decodeDataUrl(url)).toBeUndefined()
  })

  test.each(['anthropic', 'gemini', 'ollama'] as const)('%s, which fetches URLs, gets the bytes', (name) => {
    const url = 'data:image/png;charset=utf-8;base64,AAAA'
    const { value } = dialects[name].encodeRequest({ model: 'm', messages: [user(image(url))] })
    const text = JSON.stringify(value)
    expect(text).toContain('"AAAA"')
    expect(text).not.toContain('data:')
  })

  test.each(subjects.map(({ name }) => name))(
    '%s: the bytes of unsupported media are not sent as text',
    (name) => {
      const bytes = 'A'.repeat(1000)
      const video = {
        type: 'video',
        source: { kind: 'url', url: `data:video/x;a=b;base64,${bytes}` },
      } as const
      const { value } = dialects[name].encodeRequest({ model: 'm', messages: [user(video)] })
      if (!name.startsWith('gemini')) expect(JSON.stringify(value)).not.toContain(bytes)
    },
  )
})

describe('numbers with more digits than a JavaScript number keeps', () => {
  const exact = '{"id":12345678901234567890,"note":"12345678901234567891"}'
  const call = (text: string): JsonObject => ({
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'Done' },
    ],
  })
  const lost = (text: string, to: DialectName): readonly string[] =>
    translateRequest(call(text), { from: 'openai-chat', to })
      .losses.filter(({ rule }) => rule === 'rounded-number')
      .map(({ path }) => path)

  test.each(['anthropic', 'gemini', 'ollama'] as const)('are rounded by %s, which is reported', (to) => {
    expect(lost(exact, to)).toEqual(['/messages/1/content/0/arguments'])
    expect(lost('{ "id": 9007199254740993 }', to)).toHaveLength(1)
    expect(lost('{ "id": 9007199254740992, "share": 0.30000000000000004 }', to)).toEqual([])
    expect(lost('{ "note": "12345678901234567890" }', to)).toEqual([])
  })

  test('are exact if arguments are text', () => {
    const { value } = translateRequest(call(exact), { from: 'openai-chat', to: 'openai-responses' })
    expect(JSON.stringify(value)).toContain('12345678901234567890')
  })

  test('are reported for the arguments that are sent: edited ones have none', () => {
    const edited = { ...toolCall({ id: 'c', name: 'f', arguments: exact }), arguments: { id: 1 } }
    const { losses } = dialects.anthropic.encodeMessage({ id: 'm', role: 'assistant', content: [edited] })
    expect(losses).toEqual([])
  })
})
