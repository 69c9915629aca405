// @ts-check
// Builds the documentation site: `npm run docs`. The package must be built: the reference is made of its declarations.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { collectPages } from './collect-pages.js'
import { findDeadLinks } from './find-dead-links.js'
import { readEntries } from './read-exports.js'
import { API_FOLDER, readDescriptions, readNavigation } from './read-navigation.js'
import { writeReference } from './write-reference.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = import.meta.dirname
const pages = join(folder, 'pages')

rmSync(pages, { recursive: true, force: true })
collectPages(
  root,
  Object.values(readNavigation(root)).flatMap((part) => Object.values(part).flat()),
  pages,
)
cpSync(join(root, 'docs/images'), join(pages, 'docs/images'), { recursive: true })
for (const [name, text] of writeReference(readEntries(root), readDescriptions(root))) {
  const path = join(pages, API_FOLDER, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
await build(folder)
const dead = findDeadLinks(join(folder, 'site'))
for (const link of dead) console.error(`dead link: ${link}`)
console.log('site: tools/docs-site/site/index.html')
// The last line has the form of all checks.
console.log(`${dead.length > 0 ? 0 : 1} passed, ${dead.length} failed`)
process.exitCode = dead.length > 0 ? 1 : 0
