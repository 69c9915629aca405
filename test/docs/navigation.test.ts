import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages, root } from './pages.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('the navigation of the site contains each page once', () => {
  const navigation = JSON.parse(read('docs/navigation.json')) as {
    readonly [part: string]: { readonly [group: string]: readonly string[] }
  }
  const listed = Object.values(navigation).flatMap((groups) => Object.values(groups).flat())
  const expected = pages.map(({ path }) => path).filter((path) => path !== 'README.md')
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test('every page starts with its title', () => {
  const untitled = pages.filter(({ text }) => !/^(?:<!--.*-->\n+)?# \S/.test(text))
  expect(untitled.map(({ path }) => path)).toEqual([])
})

test('the table of entries contains the entries of the package', () => {
  const { name, exports } = JSON.parse(read('package.json')) as { name: string; exports: object }
  const rows = [...read('docs/reference/entries.md').matchAll(/^\| `([^`]+)`/gm)]
  const expected = Object.keys(exports).filter((key) => !key.endsWith('.json'))
  expect(rows.map(([, entry = '']) => entry).toSorted()).toEqual(
    expected.map((key) => join(name, key)).toSorted(),
  )
})
