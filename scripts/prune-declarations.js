// @ts-check
// Removes the declaration files that no entry reaches: `tsc` writes one for each file of `src`, and programs cannot import them.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createReader, findReachedFiles, listEntries } from './declarations/read-declarations.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const entries = listEntries(root).map(({ file }) => file)
const reached = findReachedFiles(createReader(), entries)
for (const name of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const file = join(root, 'dist', name)
  if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
}
