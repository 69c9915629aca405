import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Package {
  readonly version: string
  readonly files: readonly string[]
  readonly scripts: { readonly [name: string]: string }
  readonly publishConfig: { readonly provenance: boolean }
  readonly dependencies: object
  readonly peerDependencies: { readonly [name: string]: string }
  readonly devDependencies: object
}

const description = JSON.parse(readFileSync('package.json', 'utf8')) as Package
const read = (name: string): string => readFileSync(`docs/internals/${name}.md`, 'utf8')

/** The rows of the tables of a page, as cells. */
function readRows(page: string): readonly (readonly string[])[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

describe('the supply chain', () => {
  test('the package is published with provenance and without install scripts', () => {
    expect(description.publishConfig.provenance).toBe(true)
    expect(description.files).toContain('SECURITY.md')
    expect(Object.keys(description.scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([])
    expect(description.scripts['release:check']).toContain('npm audit signatures')
  })

  test('[S14] the MCP SDK is required in a version whose expressions are linear', () => {
    const range = description.peerDependencies['@modelcontextprotocol/sdk'] ?? ''
    const [, major = 0, minor = 0, patch = 0] = /^\^(\d+)\.(\d+)\.(\d+)$/.exec(range)?.map(Number) ?? []
    expect([major, minor >= 26 || (minor === 25 && patch >= 2)], range).toEqual([1, true])
  })

  test('the release procedure contains each check', () => {
    const page = read('releasing')
    for (const step of ['npm run release:check', 'npm audit signatures', 'provenance', 'tag', 'npm publish'])
      expect(page).toContain(step)
  })

  test('the change log is written by hand: a release does not replace it', () => {
    const { changelog } = JSON.parse(readFileSync('.changeset/config.json', 'utf8')) as { changelog: unknown }
    expect(changelog).toBe(false)
    const [, newest] = /^## (\d.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []
    expect(newest).toMatch(/^\d+\.\d+\.\d+( \(unreleased\))?$/)
    if (readdirSync('.changeset').length > 1) expect(newest).toContain('(unreleased)')
    else expect(newest).toBe(description.version)
  })

  test('every dependency has a reason, and nothing else has', () => {
    const sections = read('dependencies').split('\n## ').slice(1)
    const listed = sections.map((section) =>
      readRows(section).flatMap(([name = '', reason = '']) =>
        name.startsWith('`') && reason.length > 5 ? [name.replaceAll('`', '')] : [],
      ),
    )
    const { dependencies, peerDependencies, devDependencies } = description
    expect(listed).toEqual(
      [dependencies, peerDependencies, devDependencies].map((group) => Object.keys(group)),
    )
  })

  test('no installed dependency of the package has an install script', () => {
    for (const name of Object.keys(description.dependencies)) {
      const { scripts = {} } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
        scripts?: object
      }
      expect(Object.keys(scripts).filter((each) => /^(?:pre|post)?install$/.test(each))).toEqual([])
    }
  })
})

describe('the table of incidents', () => {
  const rows = readRows(read('incidents')).filter(([id = '']) => /^S\d+$/.test(id))

  test('lists all of them in order', () => {
    expect(rows.map(([id]) => id)).toEqual(Array.from({ length: 28 }, (_, index) => `S${index + 1}`))
  })

  test.each(rows.map(([id = '', , , shown = '']) => [id, shown] as const))(
    '%s names a test that exists',
    (_id, shown) => {
      const named = [...shown.matchAll(/`(test\/[^`]+)`: (.+?)(?=; `test|$)/g)]
      if (named.length === 0) expect(shown).toMatch(/^not applicable yet: .{10,}/)
      for (const [, file = '', title = ''] of named) {
        expect(existsSync(file)).toBe(true)
        expect(readFileSync(file, 'utf8')).toContain(title)
      }
    },
  )
})
