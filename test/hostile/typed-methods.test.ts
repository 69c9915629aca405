import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, memoryStorage } from 'interlingua/stores'
import { folder, functionRows } from './function-rows.ts'
import type { FunctionRow } from './row-values.ts'
import {
  type Callable,
  type CreateArguments,
  findUntypedErrors,
  settle,
  toCallable,
} from './hostile-calls.ts'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = Object.entries(functionRows).flatMap(([entry, functions]) =>
  Object.entries(functions).map(([name, row]) => ({ entry, name, row })),
)

const load = async (entry: string, name: string): Promise<Callable> => {
  const module = (await import(/* @vite-ignore */ entry.replace('.', 'interlingua'))) as object
  return toCallable(module[name as never])
}

async function close(result: unknown): Promise<void> {
  const { close: closeResult } = (result ?? {}) as { readonly close?: () => Promise<void> }
  await closeResult?.call(result)
}

interface Method {
  readonly name: string
  readonly given: CreateArguments
  readonly call: Callable
}

/** Returns the methods of a result with the arguments of their calls. */
async function listMethods(result: object, { describeResult }: FunctionRow): Promise<readonly Method[]> {
  const calls = (await describeResult?.(result as never)) ?? {}
  return Object.entries(calls).flatMap(([name, given]) => {
    if (given === undefined) return []
    const method = name === '' ? result : (result as never)[name]
    expect(method, name).toBeTypeOf('function')
    const call: Callable = (...args): unknown => Reflect.apply(method as never, result, args)
    return [{ name, given, call }]
  })
}

describe('hostile values in the arguments of functions and of the methods of their results', () => {
  const { stackTraceLimit } = Error
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit
  })

  test.each(rows)('$entry $name: only errors of the library', async ({ entry, name, row }) => {
    const call = await load(entry, name)
    await settle(call(...row.given()), 5_000)
    const untyped = await findUntypedErrors(call, row.given, close, row.adapt)

    expect(untyped).toEqual([])
  })

  const withMethods = rows.filter(
    ({ row }) => row.describeResult !== undefined && (process.env['SOAK'] || row.isSoakOnly !== true),
  )
  test.each(withMethods)('$entry $name: methods', async ({ entry, name, row }) => {
    const result = (await settle((await load(entry, name))(...row.given()), 5_000)) as object
    const untyped: string[] = []
    for (const method of await listMethods(result, row)) {
      await settle(method.call(...method.given()), 5_000)
      for (const each of await findUntypedErrors(method.call, method.given))
        untyped.push(`${method.name}: ${each}`)
    }
    await close(result)

    expect(untyped).toEqual([])
  })
})

/** Entries whose functions need a row: their results have methods, which the law calls, too. */
const ENTRIES_WITH_ROWS = /^\.\/(?:stores|memory|handlers|adapters|agent\/mcp|testing)(?:\/|$)/

/** Functions that need no row, with the reason. */
const WITHOUT_ROW: { readonly [name: string]: string } = {
  './stores RunTakenOverError': 'an error class',
  './stores/postgres postgresStorage': 'needs a server',
  './stores/postgres postgresStreamLog': 'needs a server',
  './stores/redis redisStorage': 'needs a server',
  './stores/dbos dbosRunner': 'needs a server',
  './stores/dbos durableWorker': 'needs a server',
  './stores/testing storageConformanceTests': 'runs the checks of a test runner',
  './memory createMemoryStore': 'what `inProcessMemory` calls',
  './memory/postgres postgresMemory': 'needs a server',
  './memory/testing memoryConformanceTests': 'runs the checks of a test runner',
}

test('every function of the entries with rows has one', async () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }
  const missing: string[] = []
  for (const entry of Object.keys(exports).filter((name) => ENTRIES_WITH_ROWS.test(name))) {
    const module = (await import(/* @vite-ignore */ entry.replace('.', 'interlingua'))) as object
    for (const [name, value] of Object.entries(module) as [string, unknown][])
      if (typeof value === 'function' && functionRows[entry]?.[name] === undefined)
        missing.push(`${entry} ${name}`)
  }
  expect(missing.toSorted()).toEqual(Object.keys(WITHOUT_ROW).toSorted())
})

test('a time beyond the year 9999 is refused: as text, it would be before all others', async () => {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  const far = new Date(8.64e15)
  await expect(storage.updateSession('s', { expiresAt: far })).rejects.toMatchObject({
    code: 'invalid-value',
    path: '/expiresAt',
  })
  await storage.prune()
  expect(await storage.session('s')).toBeDefined()
})

test('options of a run are no fields of the message that `edit` writes', async () => {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  await storage.append('s', user('One', { id: 'm1' }))
  const agent = new Agent({ model: scripted(() => 'Hello') })
  const conversation = new Conversation({ agent, storage, session: 's' })
  const { text } = await conversation.edit('m1', 'Two', { signal: new AbortController().signal })
  expect(text).toBe('Hello')
  expect((await storage.messages('s')).toText({ separator: ' ' })).toContain('Two')
})

test('a misspelled option of a storage is refused', async () => {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  const misspelled = storage.append('s', 'Hi', { expectedhead: 'other' } as never)
  await expect(misspelled).rejects.toMatchObject({ code: 'unexpected-field', hint: 'Use `expectedHead`.' })
})
