/**
 * Compares the files of `golden/v1` with what the present code builds. A difference is a change of output for users: review
 * it, then write the files with `npm run golden`. The order of keys has no meaning, so a file that differs only in that order
 * stays as it is.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { buildFiles, readFiles, root } from './corpus-files.ts'

const built = await buildFiles()

const isSameJson = (a: string, b: string | undefined): boolean =>
  b !== undefined && isDeepStrictEqual(JSON.parse(a), JSON.parse(b))

if (process.env['UPDATE_CORPUS']) {
  const before = readFiles()
  for (const file of before.keys()) if (!built.has(file)) rmSync(join(root, file))
  for (const [file, text] of built) {
    if (isSameJson(text, before.get(file))) continue
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

const stored = readFiles()

test('the corpus has a file for each case and no other', () => {
  expect([...stored.keys()].toSorted(), 'run `npm run golden`').toEqual([...built.keys()].toSorted())
})

test.each([...built])('%s is up to date', (file, text) => {
  const found = stored.get(file)
  // The texts show a difference better than the values.
  if (!isSameJson(text, found)) expect(found, 'run `npm run golden`').toBe(text)
})

test('the corpus is built in the same way each time', async () => {
  expect(await buildFiles()).toEqual(built)
})

test('the corpus stays small', () => {
  const size = [...stored.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(size).toBeLessThan(2_300_000)
})
