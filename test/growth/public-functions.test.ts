import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listInputs } from './cases.ts'
import type { InputKind, Operation } from './operation.ts'
import { operations } from './operations.ts'
import { ALL, publicFunctions, reasons } from './public-functions.ts'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }

/** Returns the functions of all entries, each at the first entry that exports it. */
async function listFunctions(): Promise<ReadonlySet<string>> {
  const known = new Set<unknown>()
  const names = new Set<string>()
  for (const entry of Object.keys(exports).filter((name) => !name.endsWith('.json'))) {
    const listsAll = Object.values(publicFunctions[entry] ?? {}).includes(ALL)
    const loaded = (await import(/* @vite-ignore */ entry.replace('.', 'interlingua'))) as object
    for (const [name, value] of Object.entries(loaded)) {
      if (typeof value !== 'function' || known.has(value)) continue
      known.add(value)
      names.add(`${entry} ${listsAll ? ALL : name}`)
    }
  }
  return names
}

const listed = Object.entries(publicFunctions).flatMap(([entry, rows]) =>
  Object.entries(rows).flatMap(([reachedBy, names]) =>
    names.split(' ').map((name) => ({ name: `${entry} ${name}`, reachedBy })),
  ),
)

test('the growth of every public function is measured, or has a reason', async () => {
  expect(listed.map(({ name }) => name).toSorted()).toEqual([...(await listFunctions())].toSorted())
})

test('every operation that a row names is measured', () => {
  const titles = new Set(Object.values(operations).flatMap((list) => list.map(({ title }) => title)))
  const isReached = (reachedBy: string): boolean => titles.has(reachedBy) || reasons.includes(reachedBy)
  expect(listed.filter(({ reachedBy }) => !isReached(reachedBy))).toEqual([])
})

/** Returns whether a function returns a result for one of some inputs. */
async function completes(kind: InputKind, { prepare }: Operation): Promise<boolean> {
  for (const { value, dialect } of inputs.filter((each) => each.kind === kind)) {
    try {
      const work = await prepare(value, dialect)
      await work()
      return true
    } catch {
      // An input of another format.
    }
  }
  return false
}

const inputs = listInputs()

test('every operation completes for some input, so that its work is measured', async () => {
  const failing: string[] = []
  for (const [kind, list] of Object.entries(operations) as [InputKind, readonly Operation[]][])
    for (const operation of list)
      if (!(await completes(kind, operation))) failing.push(`${kind}: ${operation.title}`)
  expect(failing).toEqual([])
})
