/** Checks the table of `npm run test:rules`, which runs in the soak alone: each text is still in its file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface RuleMutation {
  readonly rules: readonly string[]
  readonly test: string
  readonly file: string
  readonly text: string
  readonly replacement: string
}

const root = join(import.meta.dirname, '..')
const load = (script: string): Promise<unknown> => import(join(root, 'scripts', script))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

// The scripts are plain JavaScript outside of this project's types, so their shapes are stated here.
const { mutations } = (await load('rule-mutations/all-mutations.js')) as {
  mutations: readonly RuleMutation[]
}
const { mutate } = (await load('rule-mutations/mutation.js')) as {
  mutate: (source: string, mutation: RuleMutation) => string
}
const { coverage, findTitles } = (await load('rule-coverage.js')) as {
  coverage: (input: object) => { rows: { rule: { id: string }; tests: readonly object[] }[] }
  findTitles: (file: string, source: string) => readonly object[]
}

const rules = JSON.parse(read('docs/internals/rules.json')) as readonly object[]

test.each(mutations)('$file contains once: $text', (mutation) => {
  const source = read(mutation.file)
  expect(mutate(source, mutation)).not.toBe(source)
})

/** Incidents are no rules: docs/internals/incidents.md lists them. */
const isIncident = (id: string): boolean => id.startsWith('S')

test('each incident has a test with its tag in the file', () => {
  const without = mutations.flatMap(({ rules: ids, test: file }) =>
    ids.filter(isIncident).filter((id) => !new RegExp(`'\\[(?:S\\d+, )*${id}[\\],]`).test(read(file))),
  )
  expect(without).toEqual([])
})

test('each rule exists, and its test file has a test of it', () => {
  const without = mutations.flatMap((mutation) => {
    const { rows } = coverage({ rules, tests: findTitles(mutation.test, read(mutation.test)) })
    const shown = new Set(rows.filter(({ tests }) => tests.length > 0).map(({ rule }) => rule.id))
    return mutation.rules
      .filter((rule) => !isIncident(rule) && !shown.has(rule))
      .map((rule) => `${rule} in ${mutation.test}`)
  })
  expect(without).toEqual([])
})

test('no rule is broken twice for the same test file', () => {
  // An incident may have several protections.
  const keys = mutations.flatMap(({ rules: ids, test: file }) =>
    ids.filter((id) => !isIncident(id)).map((rule) => `${rule} ${file}`),
  )
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test('at least 100 rules are broken', () => {
  expect(new Set(mutations.flatMap((mutation) => mutation.rules)).size).toBeGreaterThanOrEqual(100)
})
