import { readFileSync } from 'node:fs'
import * as entry from 'interlingua/providers'
import type { Provider } from 'interlingua/providers'
import { expect, test } from 'vitest'
import { providerTable } from '../../src/providers/provider-table.ts'

const page = readFileSync(new URL('../../docs/reference/providers.md', import.meta.url), 'utf8')

test('the table in docs/reference/providers.md is the table of providers', async () => {
  const script = new URL('../../scripts/write-providers-page.js', import.meta.url).href
  const { renderProviders, replaceTable } = (await import(script)) as {
    renderProviders: (rows: object, exported: readonly string[]) => string
    replaceTable: (page: string, table: string) => string
  }
  const table = renderProviders(providerTable, Object.keys(entry))
  expect(page, 'run `npm run providers`').toBe(replaceTable(page, table))
})

test('the first column of the table is the provider of its row', () => {
  const rows = [...page.matchAll(/^\| `([\w.'[\]-]+)` \| `([\w.-]+)` \| `[\w-]+` \|/gm)]
  expect(rows.map(([, , name]) => name)).toEqual(Object.keys(providerTable))
  for (const [, expression = '', name = ''] of rows) {
    const isMember = expression.startsWith('providers')
    const provider = (
      isMember ? Reflect.get(entry.providers, name) : Reflect.get(entry, expression)
    ) as Provider
    const created = provider('any', { baseUrl: 'https://example.com' })
    expect(created.provider).toBe(Reflect.get(providerTable, name).provider)
  }
})
