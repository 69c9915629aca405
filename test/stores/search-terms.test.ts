import fc from 'fast-check'
import { user } from 'interlingua'
import { expect, test } from 'vitest'
import { InterlinguaError } from '../../src/errors.ts'
import { matchTerms } from '../../src/stores/search/match-terms.ts'
import { getSearchableText } from '../../src/stores/search/searchable-text.ts'
import { parseSearchQuery } from '../../src/stores/search/parse-search-query.ts'
import { SearchTokens, toSearchDocument, toTokenConditions } from '../../src/stores/search/search-document.ts'
import { toMessageRow } from '../../src/stores/rows/row-hash.ts'

const numRuns = process.env['SOAK'] ? 5_000 : 150
const names = new SearchTokens('acme')

/** Characters of several scripts, letters that change with their case or form, marks, punctuation and operators. */
const PIECES = [
  ...Array.from('aBcéßİŉǅﬁＡ１٣_-.*"\' \n日本語カーの한글ไทยกำ𝒳😀\u0301\u3099\u200d\ufeff'),
  'getUserName',
  'HTTPServer',
  'x'.repeat(70),
]
const texts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 24 }).map((all) => all.join(''))

/** Tests whether the index finds a text, and whether the text matches. */
function search(
  text: string,
  query: string,
): { readonly isCandidate: boolean; readonly isMatch: boolean } | undefined {
  try {
    const parsed = parseSearchQuery(query)
    const row = toMessageRow(
      user(text),
      { session: 's', section: 'messages', writtenAt: '2026-01-01' },
      undefined,
    )
    const tokens = toSearchDocument(row, names)?.tokens ?? []
    const { required, prefixes, excluded } = toTokenConditions(parsed, names, {})
    const isCandidate =
      required.every((token) => tokens.includes(token)) &&
      prefixes.every((prefix) => tokens.some((token) => token.startsWith(prefix))) &&
      !excluded.some((token) => tokens.includes(token))
    const match = matchTerms(getSearchableText(user(text)), parsed)
    for (const [start, end] of match?.snippet.matches ?? [])
      expect(match?.snippet.text.slice(start, end).trim()).not.toBe('')
    return { isCandidate, isMatch: match !== undefined }
  } catch (error) {
    expect(error).toBeInstanceOf(InterlinguaError)
    return undefined
  }
}

test('the index finds every text that matches a query', () => {
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat(), (text, other, from, length) => {
      const characters = Array.from(text)
      const start = from % characters.length
      const part = characters.slice(start, start + 1 + (length % 6)).join('')
      for (const query of [part, `${part}*`, `"${part}"`, `${part} -${other}`, other]) {
        const found = search(text, query)
        if (found?.isMatch === true) expect({ query, ...found }).toMatchObject({ isCandidate: true })
      }
    }),
    { numRuns },
  )
})

test('every text finds itself, as words, as a phrase and in another case and form', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = text.replaceAll(/["*-]/g, ' ')
      for (const query of [words, `"${words}"`, `"${words.normalize('NFD')}"`]) {
        const found = search(text.replaceAll(/["*-]/g, ' '), query)
        if (found !== undefined)
          expect({ query, ...found }).toMatchObject({ isCandidate: true, isMatch: true })
      }
    }),
    { numRuns },
  )
})

test('every token consists of letters, digits and marks, so that it needs no quoting', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary', maxLength: 40 })), (text) => {
      const placement = { session: "s' or 1=1", section: 'messages', writtenAt: '2026-01-01' }
      for (const token of toSearchDocument(toMessageRow(user(text), placement, undefined), names)?.tokens ??
        [])
        expect(token).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
    }),
    { numRuns },
  )
})
