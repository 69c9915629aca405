import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { pages, root } from './pages.ts'

// Below the repository, so that packages are found; the folder is ignored by git.
const folder = join(root, 'coverage', `migrating-${process.pid}`)

afterEach(() => vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The programs of the pages, each followed by what it prints. */
const programs = pages
  .filter(({ path }) => path.startsWith('docs/guide/migrating/'))
  .map(({ path, text }) => {
    const [, code = '', printed] = /^```js\n([^]*?)^```\n\n```text\n([^]*?)^```/m.exec(text) ?? []
    return { path, code, printed }
  })

test('there are some', () => expect(programs.length).toBeGreaterThan(4))

test.each(programs)('$path prints what it says it prints', async ({ path, code, printed }) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${path.replaceAll(/\W+/g, '-')}.mjs`)
  writeFileSync(file, code)
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    lines.push(formatWithOptions({ colors: false }, ...values))
  })
  await import(pathToFileURL(file).href)
  expect(`${lines.join('\n')}\n`).toBe(printed)
})
