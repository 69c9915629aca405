import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseParser, parseSse, type SseEvent, formatSseEvent } from '../../src/wire/sse.ts'
import { attempt, law } from '../law-assertions.ts'
import { anySizes, bytesOf, collect, cut, outcome, parseAll, sourceOf } from './chunks.ts'

const anyLine = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 10 }).map((text) => `data: ${text}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'data',
      'data:',
      'data: ',
      'data:  two spaces',
      'data:{"a":1}',
      'data: [DONE]',
      'Data: no',
      ' data: no',
      'data : no',
      'dat',
      'event: ping',
      'event:',
      'event',
      'event:  x ',
      ':',
      ': comment',
      ':data: no',
      'id: 1',
      'id',
      'id: a\0b',
      'retry: 10',
      'retry: 1.5',
      'retry: x',
      'retry',
      'unknown: field',
      'nothing',
      '\ufeffdata: no',
    ),
  },
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
)
const lineEnd = fc.constantFrom('\n', '\n', '\r', '\r\n')

/** Lines with and without a known field, all kinds of terminators, possibly without the last one. */
const hostileStream = fc
  .tuple(fc.array(fc.tuple(anyLine, lineEnd), { maxLength: 25 }), fc.option(anyLine, { nil: '' }))
  .map(([lines, last]) => lines.flat().join('') + last)

const oneLine = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\r\n\0]/.test(text))
const anyData = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', ' ', ':', 'data:', '\ufeff')).map((all) => all.join('')),
)
const anyEvent: fc.Arbitrary<SseEvent> = fc.record(
  {
    event: oneLine.filter((text) => text !== ''),
    data: anyData,
    id: oneLine,
    retry: fc.nat(),
  },
  { requiredKeys: ['data'], noNullPrototype: true },
)

/** Normalizes line breaks: SSE has only one. */
const readBack = (event: SseEvent): SseEvent => ({ ...event, data: event.data.replaceAll(/\r\n?/g, '\n') })

/** Removes the keys whose value is undefined. */
const defined = (event: object): unknown => JSON.parse(JSON.stringify(event))

describe('reading events', () => {
  test('returns the same events however bytes or text are split', async () => {
    law(fc.tuple(hostileStream, anySizes), ([text, sizes]) => {
      const whole = parseAll(createSseParser, [text])
      expect(parseAll(createSseParser, cut(bytesOf(text), sizes))).toEqual(whole)
      expect(parseAll(createSseParser, cut(text, sizes))).toEqual(whole)
    })
    const text = 'event: a\r\ndata: ü\r\n\r\n: ping\r\n\r\ndata: 2\r\n\r\n'
    for (const size of [1, 7, 100]) {
      const events = await collect(parseSse(sourceOf(cut(bytesOf(text), [size]))))
      expect(events).toEqual([{ event: 'a', data: 'ü' }, { data: '2' }])
    }
  })

  test('agrees with eventsource-parser if the last event is complete', () => {
    law(hostileStream, (text) => {
      const stream = `${text.replace(/^\ufeff/, '')}\n\n`
      const theirs: unknown[] = []
      const parser = createParser({ onEvent: (event) => theirs.push(defined(event)) })
      parser.feed(stream)
      const ours = parseAll(createSseParser, [stream]).map(({ event, data, id }) =>
        defined({ event, data, id }),
      )
      expect(ours).toEqual(theirs)
    })
  })

  test.each<[string, string, readonly SseEvent[]]>([
    ['several data lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ data: 'YHOO\n+2\n10' }]],
    [
      'ids, comments, one space',
      ': test\n\ndata: first\nid: 1\n\ndata:second\nid\n\ndata:  third\n\n',
      [{ data: 'first', id: '1' }, { data: 'second', id: '' }, { data: ' third' }],
    ],
    ['data without a value', 'data\n\ndata\ndata\n\ndata:', [{ data: '' }, { data: '\n' }]],
    ['an event without data', 'event: lost\n\ndata: x\n\n', [{ data: 'x' }]],
    ['an empty name', 'event: a\nevent:\ndata: x\n\n', [{ data: 'x' }]],
    ['retry', 'retry: 10\ndata: x\n\nretry: 1x\ndata: y\n\n', [{ data: 'x', retry: 10 }, { data: 'y' }]],
    ['a last event without a blank line', 'data: a\n\ndata: [DONE]\n', [{ data: 'a' }, { data: '[DONE]' }]],
    ['a last line without an end', 'event: b\ndata: [DONE]', [{ event: 'b', data: '[DONE]' }]],
    ['a last event without data', 'data: a\n\nevent: b\ndata', [{ data: 'a' }]],
    ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['nothing', '', []],
  ])('%s', (_, text, events) => {
    expect(parseAll(createSseParser, [text])).toEqual(events)
  })

  test('does not wait for the byte after the end of an event', () => {
    const found: SseEvent[] = []
    const parser = createSseParser((event) => found.push(event))
    parser.push('data: a\r\n\r')
    expect(found).toEqual([{ data: 'a' }])
    parser.push('\ndata: b\n\n')
    expect(found).toEqual([{ data: 'a' }, { data: 'b' }])
  })
})

describe('limits on events', () => {
  test('count all lines of an event, without comments, however the stream is split', () => {
    const limits = { maxEventChars: 12 }
    expect(outcome(createSseParser, ['data: 12345\n\n'], limits).code).toBe(undefined)
    expect(outcome(createSseParser, ['data: a\n\ndata: 123456\n\n'], limits)).toEqual({
      found: [{ data: 'a' }],
      code: 'event-too-large',
    })
    expect(outcome(createSseParser, [': a comment is no part of it\ndata: a\n\n'], limits).code).toBe(
      undefined,
    )
    law(fc.tuple(hostileStream, anySizes), ([text, sizes]) => {
      const whole = outcome(createSseParser, [text], {
        maxEventChars: 20,
        maxLineChars: 15,
        maxTotalChars: 100,
      })
      expect(
        outcome(createSseParser, cut(text, sizes), {
          maxEventChars: 20,
          maxLineChars: 15,
          maxTotalChars: 100,
        }),
      ).toEqual(whole)
    })
  })
})

describe('writing events', () => {
  test('is reversed by reading', () => {
    law(fc.tuple(fc.array(anyEvent), anySizes), ([events, sizes]) => {
      const stream = events.map(formatSseEvent).join('')
      expect(parseAll(createSseParser, cut(bytesOf(stream), sizes))).toEqual(events.map(readBack))
    })
  })

  test('[S27] yields one event whatever it contains, or throws: nothing can be injected', () => {
    const retry = fc.oneof(fc.nat(), fc.double())
    const hostile = fc.record({ event: fc.string(), data: fc.string(), id: fc.string(), retry })
    const breaks = fc.constantFrom('a\ndata: b', 'a\r\rdata: b', '\n\n', 'x\0')
    law(fc.tuple(hostile, fc.option(breaks), fc.option(breaks)), ([event, name, data]) => {
      const framed = attempt(() =>
        formatSseEvent({ ...event, ...(name !== null && { event: name }), ...(data !== null && { data }) }),
      )
      if (framed !== undefined) expect(parseAll(createSseParser, [framed])).toHaveLength(1)
      if (name !== null) expect(framed).toBe(undefined)
    })
  })

  test('has the expected form', () => {
    expect(formatSseEvent({ data: '{}' })).toBe('data: {}\n\n')
    expect(formatSseEvent({ event: 'ping', data: 'a\r\nb' })).toBe('event: ping\ndata: a\ndata: b\n\n')
    expect(formatSseEvent({ data: '', event: '' })).toBe('data: \n\n')
    expect(() => formatSseEvent({ event: 'a\nb', data: '' })).toThrowError(
      expect.objectContaining({ code: 'invalid-value', path: '/event' }),
    )
    expect(() => formatSseEvent({ data: '', retry: 1.5 })).toThrowError(
      expect.objectContaining({ path: '/retry' }),
    )
  })
})
