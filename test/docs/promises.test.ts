import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './pages.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The promises of the page, each with the tests that it names. */
const promises = read('docs/internals/promises.md')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n')[0] ?? '',
    tests: [...section.matchAll(/^- (Law|Recorded): `([^`]+)`: `([^`]+)`$/gm)].map(
      ([, kind, file = '', name = '']) => ({ kind, file, name }),
    ),
  }))

test('there are eight promises', () => {
  expect(promises).toHaveLength(8)
})

test.each(promises)('$title is shown by a law and by recorded traffic, which exist', ({ tests }) => {
  const missing = tests.filter(({ file, name }) => !read(file).includes(name))
  expect(missing).toEqual([])
  expect(new Set(tests.map(({ kind }) => kind))).toEqual(new Set(['Law', 'Recorded']))
})
