import { readdirSync, readFileSync } from 'node:fs'
import { formatWithOptions } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'

const folder = new URL('../examples/', import.meta.url)
const examples = readdirSync(folder).filter((name) => name.endsWith('.js'))

afterEach(() => vi.restoreAllMocks())

describe('examples', () => {
  test.each(examples)('%s prints what it says it prints', async (name) => {
    const expected = /\/\* prints:\n([\s\S]*?)\n\*\//.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1]
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      lines.push(formatWithOptions({ colors: false }, ...values))
    })
    await import(new URL(name, folder).href)
    expect(lines.join('\n')).toBe(expected)
  })
})
