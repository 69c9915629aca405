import { readFileSync } from 'node:fs'
import { dialects } from 'interlingua'
import { expect, test } from 'vitest'
import type { SettingTables } from '../../src/dialects/engine/setting-tables.ts'

type Render = (source: string, tables: object) => string

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const script = new URL('../../scripts/write-settings-page.js', import.meta.url).href
const { renderSettings } = (await import(script)) as { readonly renderSettings: Render }
/** The setting tables of the built-in dialects: each has them in the same file of its folder. */
const tables = Object.fromEntries(
  await Promise.all(
    Object.keys(dialects).map(async (name) => {
      const { settings } = (await import(`../../src/dialects/${name}/settings.ts`)) as {
        readonly settings: SettingTables
      }
      return [name, settings] as const
    }),
  ),
)

test('docs/reference/settings.md is generated from the setting tables', () => {
  const page = read('docs/reference/settings.md')
  expect(page, 'run `npm run settings`').toBe(renderSettings(read('src/canonical/model/request.ts'), tables))
})

test('every option has a meaning on the page', () => {
  const page = read('docs/reference/settings.md')
  for (const name of Object.keys(tables['anthropic']?.request ?? {})) {
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| \`.+\` \\| \\S`, 'm'))
  }
})
