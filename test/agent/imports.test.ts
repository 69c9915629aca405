import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')

/** Returns the files that a file imports at run time: imports of types alone are erased. */
function runtimeImportsOf(file: string): readonly string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type\b)([^'"]*?)from '(\.[^']+)'/gm,
  )
  return [...statements].flatMap(([, names = '', path = '']) =>
    names.split(',').every((name) => /^[\s{]*(?:type\s|\}?\s*$)/.test(name))
      ? []
      : [join(dirname(file), path)],
  )
}

function filesReachedFrom(entry: string): ReadonlySet<string> {
  const reached = new Set([join(source, entry)])
  for (const file of reached) for (const imported of runtimeImportsOf(file)) reached.add(imported)
  return reached
}

test('an agent does not load the catalog of losses', () => {
  const files = [...filesReachedFrom('agent/index.ts')].map((file) => relative(source, file))
  expect(files).toContain('canonical/collections/messages.ts')
  expect(files).toContain('canonical/losses/ui-sanitize-agent-loss-rules.ts')
  const catalog = /^(?:canonical\/losses\/(?:catalog|(?!ui-)[a-z-]+-rules)\.ts|dialects\/|client\/)/
  expect(files.filter((file) => catalog.test(file))).toEqual([])
})
