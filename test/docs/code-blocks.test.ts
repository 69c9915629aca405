import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pages, root } from './pages.ts'

// Below the repository, so that packages are found; the folder is ignored by git.
const folder = join(root, 'coverage', `code-blocks-${process.pid}`)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes each JavaScript block of a page as a module of its own. */
function writeBlocks(): number {
  let count = 0
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of pages) {
    for (const [, code = ''] of text.matchAll(/^```js\n([^]*?)^```/gm)) {
      count += 1
      const name = `${path.replaceAll(/\W+/g, '-')}-${count}.mjs`
      writeFileSync(join(folder, name), `// @ts-check\n${code}\nexport {}\n`)
    }
  }
  const compilerOptions = {
    allowJs: true,
    checkJs: true,
    declaration: false,
    isolatedDeclarations: false,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*.mjs'] }),
  )
  return count
}

test('every code block of the documentation compiles against the package', async () => {
  expect(writeBlocks()).toBeGreaterThan(20)
  const output = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: root }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  expect(output).toBe('')
})
