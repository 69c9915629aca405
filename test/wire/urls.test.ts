import { image, sanitize, user } from 'interlingua'
import { expect, test } from 'vitest'
import { tryParseUrl } from '../../src/wire/urls.ts'

test.each([
  ['https://example.com/a', undefined, 'https://example.com/a'],
  ['b?c', 'https://example.com/a/', 'https://example.com/a/b?c'],
  ['b', undefined, undefined],
  ['https://', undefined, undefined],
])('%j with the base %j is %j', (text, base, expected) => {
  expect(tryParseUrl(text, base)?.href).toBe(expected)
})

// `URL.canParse` of Node 20 returns false for them when the compiler has optimized the function that calls it.
test('addresses with characters such as ü stay valid when they are read often', () => {
  const url = 'https://münchen.example/straße.png'
  const counts = { parsed: 0, built: 0, kept: 0 }
  for (let round = 0; round < 8_000; round++) {
    if (tryParseUrl(url) !== undefined) counts.parsed++
    const message = user(image(url))
    counts.built++
    if (sanitize([message]).losses.length === 0) counts.kept++
  }
  expect(counts).toEqual({ parsed: 8_000, built: 8_000, kept: 8_000 })
})
