import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pages, root } from './pages.ts'

// Below the repository, so that packages are found; the folder is ignored by git.
const folder = join(root, 'coverage', `readme-${process.pid}`)
const readme = pages.find(({ path }) => path === 'README.md')?.text ?? ''
const programs = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(([, code = '']) => code)

beforeEach(() => vi.stubEnv('ANTHROPIC_API_KEY', ''))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['the first program', 0, /You said: “How warm is it in Oslo\?”/],
  ['the second model', 1, /You said: “And in Rome\?”/],
  ['the translation', 2, /max_tokens.*`seed` is not supported by anthropic; it was omitted\./s],
])('%s of the README runs as printed, without a key', async (_name, index, expected) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${index}.mjs`)
  writeFileSync(file, programs[index] ?? '')
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    lines.push(formatWithOptions({ colors: false }, ...values))
  })
  await import(pathToFileURL(file).href)
  expect(lines.join('\n')).toMatch(expected)
})
