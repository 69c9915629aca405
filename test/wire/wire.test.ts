import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase64, parseBase64DataUrl, toBase64 } from '../../src/wire/base64.ts'
import { digestJson, digestText } from '../../src/wire/digest.ts'
import { freezeCopy, isBranded, brand, freezeOwned } from '../../src/wire/frozen-json.ts'
import { memoizeFrozen } from '../../src/wire/memoize.ts'
import { isEqualJson, type Json, stableStringify, stringifyText } from '../../src/wire/json.ts'
import { sniffMediaType } from '../../src/wire/media-type.ts'
import { child, toPointer, parsePointer, parsePointerFragment } from '../../src/wire/json-pointer.ts'
import { anyJson } from '../arbitraries.ts'
import { attempt, expectFrozen, expectSame, law } from '../law-assertions.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('json', () => {
  test('equality is the same as Node’s deep equality', () => {
    law(fc.tuple(anyJson, anyJson), ([a, b]) => expect(isEqualJson(a, b)).toBe(isSame(a, b)))
    law(anyJson, (value) => expect(isEqualJson(value, JSON.parse(JSON.stringify(value)))).toBe(true))
  })

  test('stable text does not depend on the order of keys', () => {
    expect(stableStringify({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    )
    law(anyJson, (value) => expectSame(JSON.parse(stableStringify(value)), value))
    law(fc.dictionary(fc.string(), fc.nat()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed())
      expect(stableStringify(turned)).toBe(stableStringify(value))
    })
  })
})

describe('text', () => {
  test('is the JSON of any text', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const text = `a${String.fromCharCode(code)}b`
      if (stringifyText(text) !== JSON.stringify(text)) throw new Error(`differs at ${code}`)
    }
    law(fc.string({ unit: 'binary' }), (text) => expect(stringifyText(text)).toBe(JSON.stringify(text)))
  })
})

describe('frozen copies', () => {
  test('are equal, deeply frozen, and leave the original alone', () => {
    law(anyJson, (value) => {
      const copy = freezeCopy(value)
      expectSame(copy, value)
      expectFrozen(copy)
      if (typeof value === 'object' && value !== null) expect(Object.isFrozen(value)).toBe(false)
    })
  })

  test('are shared by later copies, but are not branded', () => {
    const copy = freezeCopy({ role: 'user', list: [{ a: 1 }] })
    expect(freezeCopy({ copy }).copy).toBe(copy)
    expect(isBranded(copy)).toBe(false)
    let made = 0
    const remembered = memoizeFrozen(() => `made ${++made}`)
    expect([remembered(copy), remembered(copy)]).toEqual(['made 1', 'made 1'])
    const foreign = Object.freeze({ a: 1 })
    expect([remembered(foreign), remembered(foreign)]).toEqual(['made 2', 'made 3'])
  })

  test('an owned object is frozen in place, and foreign values inside it are copied', () => {
    law(anyJson, (value) => {
      const unit = freezeOwned({ type: 'opaque', value, gone: undefined })
      expectSame(unit, { type: 'opaque', value })
      expectFrozen(unit)
      expect(isBranded(unit)).toBe(true)
      if (typeof value === 'object' && value !== null) expect(Object.isFrozen(value)).toBe(false)
      expect(freezeOwned(unit)).toBe(unit)
    })
    const built = { type: 'text', text: 'Hi' }
    expect(freezeOwned(built)).toBe(built)
    expect(() => freezeOwned({ value: [Number.NaN] })).toThrowError(
      expect.objectContaining({ path: '/value/0' }),
    )
  })

  test('share what is already frozen, and omit undefined as JSON does', () => {
    const inner = brand({ a: 1 })
    const outer = freezeCopy({ inner, gone: undefined })
    expect(outer.inner).toBe(inner)
    expect(Object.keys(outer)).toEqual(['inner'])
  })

  test('are branded only on request, and no copy inherits the brand', () => {
    const sealed = brand({ a: 1 })
    expect([isBranded(sealed), isBranded({ ...sealed }), isBranded(structuredClone(sealed))]).toEqual([
      true,
      false,
      false,
    ])
    expect(JSON.stringify(sealed)).toBe('{"a":1}')
    expectSame(sealed, { a: 1 })
  })

  test('reject what is not JSON, with its path', () => {
    class Point {
      x = 1
    }
    const hostile: [unknown, string][] = [
      [{ a: [1n] }, '/a/0'],
      [{ a: () => 1 }, '/a'],
      [{ a: Symbol('x') }, '/a'],
      [{ a: { b: Number.POSITIVE_INFINITY } }, '/a/b'],
      [{ a: new Map() }, '/a'],
      [new Point(), ''],
      [[undefined], '/0'],
    ]
    for (const [value, path] of hostile) {
      expect(() => freezeCopy(value)).toThrowError(expect.objectContaining({ code: 'not-json', path }))
    }
    expect(freezeCopy(Object.assign(Object.create(null), { a: -0 }))).toEqual({ a: 0 })
  })

  test('handle any JavaScript value: a copy or a typed error', () => {
    law(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
      }),
      (value) => {
        attempt(() => freezeCopy(value))
      },
    )
  })
})

describe('pointer', () => {
  test('escapes what RFC 6901 escapes', () => {
    expect(toPointer(undefined)).toBe('')
    expect(toPointer(child(child(child(undefined, 'a/b'), 0), '~'))).toBe('/a~1b/0/~0')
  })

  test('is parsed into the keys that it was made of', () => {
    expect(parsePointer('')).toEqual([])
    expect(parsePointer('/a~1b/0/~01/%20')).toEqual(['a/b', '0', '~1', '%20'])
    expect(parsePointerFragment('#/a~1b/%7E1/%20/c%2Fd')).toEqual(['a/b', '/', ' ', 'c/d'])
    expect(parsePointerFragment('#/100%')).toBeUndefined()
  })
})

describe('digest', () => {
  test('is SHA-256', () => {
    expect(digestText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(digestText('äöü')).toMatch(/^[0-9a-f]{64}$/)
    expect(digestJson({ a: 1, b: 2 })).toBe(digestJson({ b: 2, a: 1 }))
    expect(digestJson({ a: 1 })).not.toBe(digestJson({ a: '1' }))
  })
})

describe('base64', () => {
  test('is reversible for any number of bytes', () => {
    law(fc.uint8Array({ maxLength: 70 }), (value) =>
      expectSame(fromBase64(toBase64(value)), Uint8Array.from(value)),
    )
    const large = new Uint8Array(200_000).fill(7)
    expect(fromBase64(toBase64(large))).toEqual(large)
    expect(fromBase64('not base64!')).toBeUndefined()
    expect(fromBase64('-_-_')).toEqual(fromBase64('+/+/'))
  })

  test('data URLs are split only if they are plain base64', () => {
    expect(parseBase64DataUrl('data:image/png;base64,AA==')).toEqual({ mediaType: 'image/png', data: 'AA==' })
    for (const url of [
      'data:text/plain,hi',
      'data:text/plain;charset=utf-8;base64,AA==',
      'https://example.com',
      'data:;base64,AA',
    ]) {
      expect(parseBase64DataUrl(url)).toBeUndefined()
    }
  })
})

describe('sniffing', () => {
  const heads: readonly [string, string][] = [
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['RIFF\0\0\0\0AVI LIST', 'video/x-msvideo'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
    ['\0\0\0\x20ftypqt  ', 'video/quicktime'],
    ['\x1a\x45\xdf\xa3', 'video/webm'],
    ['ID3\x04', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio/mpeg'],
    ['\xff\xf1P', 'audio/aac'],
    ['fLaC', 'audio/flac'],
    ['OggS', 'audio/ogg'],
    ['%PDF-1.7', 'application/pdf'],
  ]

  test.each(heads)('%j is detected from its first bytes', (head, mediaType) => {
    expect(sniffMediaType(bytes(head))).toBe(mediaType)
  })

  test('an unknown format is not guessed', () => {
    for (const head of ['', 'hello', 'RIFF\0\0\0\0XXXX', '\x89PN'])
      expect(sniffMediaType(bytes(head))).toBeUndefined()
  })
})

function isSame(a: Json, b: Json): boolean {
  try {
    expectSame(a, b)
    return true
  } catch {
    return false
  }
}
