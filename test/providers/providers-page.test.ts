import { readFileSync } from 'node:fs'
import * as entry from 'interlingua/providers'
import { expect, test } from 'vitest'
import { providerTable } from '../../src/providers/provider-table.ts'

const page = readFileSync(new URL('../../docs/reference/providers.md', import.meta.url), 'utf8')

test('the table in docs/reference/providers.md is the table of providers', () => {
  const lines = [...page.matchAll(/^\| `(\w+)` +\| `([\w-]+)` +\| `([\w-]+)` +\| (.+?) +\|(.+)\|$/gm)]
  const documented = lines.map(([, constructor, name, dialect, key = '', services = '']) => ({
    name,
    dialect,
    keys: [...key.matchAll(/`(\w+)`/g)].map(([, variable]) => variable),
    optional: key.startsWith('none'),
    services: services.split('|').map((each) => each.trim() === 'yes'),
    exported: Reflect.get(entry, constructor ?? ''),
  }))
  const meant = Object.entries(providerTable).map(([name, row]) => ({
    name,
    dialect: row.dialect,
    keys: row.keyVariables,
    optional: row.isKeyOptional === true,
    services: [row.embedding, row.listStyle, row.countStyle].map((service) => service !== undefined),
    exported: Reflect.get(entry.providers, name),
  }))
  expect(documented).toEqual(meant)
})
