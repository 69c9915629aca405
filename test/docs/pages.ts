import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '../..')

/** A Markdown page, with its path from the root of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

const documented = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)

/** Every page that users and contributors read. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...documented.toSorted(),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
