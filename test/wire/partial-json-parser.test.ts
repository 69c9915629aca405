import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPartialJsonParser, type PartialJsonParser } from '../../src/wire/partial-json-parser.ts'
import { again, expectSame, law } from '../law-assertions.ts'
import { anySizes, cut, damaged } from './chunks.ts'

const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', '0'),
)

/** An object as JSON text, with white space and with escapes of every kind. */
const anyObjectText: fc.Arbitrary<string> = fc
  .tuple(
    fc.dictionary(key, fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }), { maxKeys: 4 }),
    fc.constantFrom(undefined, 1, '\t', '\r\n '),
    fc.boolean(),
  )
  .map(([value, indent, escaped]) => {
    const text = ` ${JSON.stringify(value, null, indent)}\n`
    // Upper-case letters and non-ASCII characters occur only inside strings.
    return escaped ? text.replaceAll(/[A-Z\u0080-\uffff]/g, toEscape).replaceAll('/', '\\/') : text
  })

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function reading(pieces: readonly string[]): PartialJsonParser {
  const partial = createPartialJsonParser()
  for (const piece of pieces) partial.push(piece)
  return partial
}

const stateOf = ({ value, isComplete, isValid }: PartialJsonParser): unknown => ({
  value,
  complete: isComplete,
  valid: isValid,
})

/** Returns the brackets that would close a text, and whether it ends inside a string. */
function openEnds(text: string): { readonly inString: boolean; readonly closing: string } {
  let inString = false
  const closing: string[] = []
  for (const [token] of text.matchAll(/\\.|["{}[\]]/gs)) {
    if (token === '"') inString = !inString
    else if (!inString && (token === '{' || token === '[')) closing.unshift(token === '{' ? '}' : ']')
    else if (!inString && (token === '}' || token === ']')) closing.shift()
  }
  return { inString, closing: closing.join('') }
}

/** Parses in the slowest way: the longest prefix of the text that can be closed. */
function slowReading(text: string): unknown {
  const { inString } = openEnds(text)
  const sure = inString ? text : text.replace(/(?<=[\s:,[])-?\d[-+.\deE]*$/, '')
  for (let end = sure.length; end > 0; end--) {
    const ends = openEnds(sure.slice(0, end))
    try {
      return withoutHalves(JSON.parse(sure.slice(0, end) + (ends.inString ? '"' : '') + ends.closing))
    } catch {}
  }
  return undefined
}

/** Removes half a surrogate pair from the end of each string. */
function withoutHalves(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.replace(/[\ud800-\udbff]$/, '') : each,
  )
}

/**
 * Returns true if `after` is `before` grown: only one string, list or object may have changed, and only by
 * growing.
 */
function isGrown(before: unknown, after: unknown): boolean {
  if (typeof before === 'string') return String(after).startsWith(before)
  if (typeof before !== 'object' || before === null) return after === before
  const now = new Map<string, unknown>(Object.entries(after as object))
  const open = Object.entries(before).filter(([name, value]) => !isSame(value, now.get(name)))
  return open.length <= 1 && open.every(([name, value]) => isGrown(value, now.get(name)))
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

describe('partial JSON', () => {
  test('ends with the result of JSON.parse, however it was split', () => {
    law(fc.tuple(anyObjectText, anySizes), ([text, sizes]) => {
      const partial = reading(cut(text, sizes))
      expect([partial.isValid, partial.isComplete]).toEqual([true, true])
      expectSame(partial.value, JSON.parse(text))
    })
  })

  test('of any prefix is the longest prefix that can be closed', () => {
    law(fc.tuple(anyObjectText, fc.nat(), anySizes), ([text, where, sizes]) => {
      const prefix = text.slice(0, where % (text.length + 1))
      const partial = reading(cut(prefix, sizes))
      expect(partial.isValid).toBe(true)
      expectSame(partial.value && again(partial.value), slowReading(prefix))
    })
  })

  test('exists for every prefix and only grows: strings get longer, complete members stay', () => {
    law(fc.tuple(anyObjectText, anySizes), ([text, sizes]) => {
      const partial = createPartialJsonParser()
      const wrong: unknown[] = []
      let before: unknown
      for (const piece of cut(text, sizes)) {
        partial.push(piece)
        const now = partial.value && again(partial.value)
        if (!partial.isValid || (before !== undefined && !isGrown(before, now))) wrong.push([before, now])
        before = now
      }
      expect(wrong).toEqual([])
    })
  })

  test('does not depend on the split nor on earlier reads, even for invalid text', () => {
    law(fc.tuple(damaged(anyObjectText), anySizes), ([text, sizes]) => {
      const watched = createPartialJsonParser()
      for (const piece of cut(text, sizes)) {
        watched.push(piece)
        void watched.value
      }
      const whole = stateOf(reading([text]))
      expectSame(stateOf(watched), whole)
      expectSame(stateOf(reading(cut(text, sizes))), whole)
      const parsed = parsedObject(text)
      expect(watched.isComplete).toBe(parsed !== undefined)
      if (parsed !== undefined) expectSame(watched.value, parsed)
    })
  })

  test('never throws, and stays invalid', () => {
    law(fc.array(fc.string()), (pieces) => {
      const partial = createPartialJsonParser()
      let valid = true
      for (const piece of pieces) {
        partial.push(piece)
        if (!valid) expect(partial.isValid).toBe(false)
        valid = partial.isValid
        void partial.value
      }
    })
    const broken = { complete: false, valid: false }
    expectSame(stateOf(reading(['{"a":1]', '}'])), { value: { a: 1 }, ...broken })
    expectSame(stateOf(reading(['{"a":1x'])), { value: {}, ...broken })
  })

  test.each<[string, unknown]>([
    ['', undefined],
    [' {', {}],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a":"', { a: '' }],
    ['{"a":"b\\', { a: 'b' }],
    ['{"a":"b\\u00', { a: 'b' }],
    ['{"a":"\\ud83d', { a: '' }],
    ['{"a":"\\ud83d\\ude00', { a: '😀' }],
    ['{"a":12', {}],
    ['{"a":12 ', { a: 12 }],
    ['{"a":-0,', { a: -0 }],
    ['{"a":1e400,', { a: Number.POSITIVE_INFINITY }],
    ['{"a":tru', {}],
    ['{"a":true', { a: true }],
    ['{"a":[', { a: [] }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":[null,{"b":[', { a: [null, { b: [] }] }],
    ['{"a":1,"a":"x', { a: 'x' }],
    ['{"a":{"b":1},"a":2', { a: { b: 1 } }],
  ])('%s', (text, value) => {
    const partial = reading([text])
    expectSame(stateOf(partial), { value, complete: false, valid: true })
  })

  test.each([
    '[',
    '"',
    '1',
    'x',
    '{]',
    '{,',
    '{"a"}',
    '{"a" 1',
    '{"a":,',
    '{"a":}',
    '{"a":1,}',
    '{"a":[1,]',
    '{"a":[}',
  ])('is no object: %s', (text) => expect(reading([text]).isValid).toBe(false))

  test.each([
    '00',
    '01',
    '-a',
    '1.,',
    '1e,',
    '+1',
    '.5',
    '--',
    '1a',
    '1.2.',
    'truth',
    'nul,',
    'x',
    '"\n',
    '"\\x',
    '"\\u00g',
  ])('is no value: %s', (text) => expect(reading([`{"a":${text}`]).isValid).toBe(false))

  test('accepts only white space after the end', () => {
    expect(reading(['{}', ' \n']).isComplete).toBe(true)
    expectSame(stateOf(reading(['{}', ' x'])), { value: {}, complete: false, valid: false })
  })

  test('[S12] keeps keys that would change the prototype as data', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":{"__proto__":"x'
    const { value } = reading([text])
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expectSame(value, JSON.parse(`${text}"}}`))
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
  })

  test('supports 200 levels and no more', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expectSame(reading([nested(200)]).value, JSON.parse(nested(200)))
    expect(reading([nested(201)]).isValid).toBe(false)
  })

  test('is one object that grows', () => {
    const partial = reading(['{"a":"x'])
    const { value } = partial
    partial.push('y"')
    expect(partial.value).toBe(value)
    expect(value).toEqual({ a: 'xy' })
  })
})

function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

test('keys whose value is null can be omitted; null items of lists stay', () => {
  const partial = createPartialJsonParser({ omitNulls: true })
  const seen = Array.from('{"a":null,"b":[null,{"c":null,"d":1}],"e":2}').map((piece) => {
    partial.push(piece)
    return JSON.stringify(partial.value)
  })
  expect(seen.at(-1)).toBe('{"b":[null,{"d":1}],"e":2}')
  expect(partial.isComplete).toBe(true)
})
