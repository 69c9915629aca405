import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FREE_TEXT_JSON_END,
  encodeFreeTextPiece,
  FreeTextReader,
} from '../../../src/dialects/shared/free-text-json.ts'
import { law } from '../../law-assertions.ts'

/** Texts with quotes, escapes, and halves of characters. */
const anyPiece = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '}', 'é', '\ud83d', '\ude00') })

const pieces = fc.array(anyPiece, { minLength: 1, maxLength: 5 })

test('a free text is returned piece by piece, unchanged', () => {
  law(pieces, (texts) => {
    const free = new FreeTextReader()
    const received = texts.map((text, number) => free.push(encodeFreeTextPiece(text, number > 0)))
    expect(received).toEqual(texts)
    expect(free.push(FREE_TEXT_JSON_END)).toBe('')
  })
})

test('it is the same text however the JSON around it is spelled and cut', () => {
  law(fc.tuple(pieces, fc.constantFrom('', ' ', '\n  '), fc.nat(7)), ([texts, space, size]) => {
    const text = texts.join('')
    const json = `${space}{${space}"code"${space}:${space}${JSON.stringify(text)}${space}}`
    const free = new FreeTextReader('code')
    let received = ''
    for (let at = 0; at < json.length; at += size + 1) received += free.push(json.slice(at, at + size + 1))
    expect(received).toBe(text)
  })
})

test('what has no such text is none', () => {
  const free = new FreeTextReader()
  expect(['{"other":"x",', ' '.repeat(500), '"input":"y"}'].map((json) => free.push(json))).toEqual([
    '',
    '',
    '',
  ])
})
