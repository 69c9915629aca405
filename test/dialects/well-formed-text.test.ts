import { assistant, type ChatRequest, dialects, type Loss, Messages, user } from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getStreamCodec } from '../../src/dialects/engine/define-dialect.ts'
import { isObject } from '../../src/wire/json.ts'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { attempt, expectSame, law } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'

const HALF = '\uD83D'

/** The number of cases of each law. */
const CASES = process.env['SOAK'] ? 200 : 40

/** `JSON.stringify` writes a lone surrogate as an escape, and never escapes a pair. */
const hasLoneSurrogate = (value: unknown): boolean => /\\ud[89a-f]/i.test(JSON.stringify(value))

/** Adds half of a character to every text of a value that is written by people or models. */
function damage(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return /^(text|title|description|name)$/.test(key) ? value + HALF : value
  if (Array.isArray(value)) return value.map((item) => damage(item, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, damage(item, name)]))
}

describe.each(subjects)('$name: text on the wire is well-formed', ({ name }) => {
  const dialect = dialects[name]

  test('requests, as bodies and as text, with a note for each text', () => {
    law(
      fc.tuple(anyRequest, fc.boolean()),
      ([request, isGrowing]) => {
        const { messages, ...rest } = damage({ ...request, messages: [...request.messages] }) as ChatRequest
        const damaged = { ...rest, messages: isGrowing ? Messages.from(messages) : messages }
        const encoded = attempt(() => dialect.encodeRequest(damaged))
        if (encoded === undefined) return
        expect(hasLoneSurrogate(encoded.value)).toBe(false)
        const again = [damaged, damaged].map((each) => dialect.encodeRequestText(each))
        for (const { value, losses } of again) {
          expectSame(JSON.parse(value), JSON.parse(JSON.stringify(encoded.value)))
          expectSame(losses.length, encoded.losses.length)
        }
        const notes = encoded.losses.filter(({ rule }) => rule === 'lone-surrogate')
        expect(notes.length > 0).toBe(hasLoneSurrogate(damaged))
      },
      CASES,
    )
  })

  test('responses', () => {
    law(
      anyResponse,
      (response) => {
        const encoded = attempt(() => dialect.encodeResponse(damage(response) as typeof response))
        expect(hasLoneSurrogate(encoded?.value ?? '')).toBe(false)
      },
      CASES,
    )
  })

  test('a message, with the path of its text', () => {
    const { value, losses } = dialect.encodeMessage(user(`Hi ${HALF} \u{1F600}`))
    expect(JSON.stringify(value)).toContain('Hi \uFFFD \u{1F600}')
    expect(losses).toEqual([
      expect.objectContaining({ rule: 'lone-surrogate', severity: 'note', path: '/content/0/text' }),
    ])
  })

  const { framing } = getStreamCodec(dialects[name])
  // A binary frame has a length: no parser looks for the end of its lines.
  if (!framing.isBinary)
    test('a frame of a stream has no line separator that some parsers split at', () => {
      const frame = framing.write({ text: 'a\u2028b\u2029c' })
      expect(frame).toContain(String.raw`a\u2028b\u2029c`)
    })
})

test.each(Object.values(dialects))(
  '$name: a lone surrogate in the residue of usage is reported once',
  async (dialect) => {
    const extra = { 'openai-chat': { note: 'x\uD800' } }
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2, extra }
    const listReports = (losses: readonly Loss[]): readonly string[] =>
      losses.filter(({ rule }) => rule === 'lone-surrogate').map(({ path }) => path)
    const answer = { ...assistant('Hi', { id: 'a' }), usage, finish: { reason: 'stop' as const } }
    const { losses } = dialect.encodeResponse({ model: 'm', usage, candidates: [answer] })
    expect(listReports(losses)).toEqual(['/usage/extra/openai-chat/note'])
    const stream = dialect.encodeStream([
      { type: 'start' },
      { type: 'text-delta', index: 0, text: 'Hi' },
      { type: 'usage', usage },
      { type: 'usage', usage },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
    for await (const _bytes of stream);
    expect(listReports(await stream.losses)).toEqual(['/usage/extra/openai-chat/note'])
  },
)
