import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'

const HOLDER = join(import.meta.dirname, 'children/lock-holder.js')

let built = ''
let folder = ''
let file = ''
let running: ChildProcessWithoutNullStreams[] = []

beforeAll(async () => {
  built = await builtFolder()
})
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'interlingua-lock-')))
  file = join(folder, 'chat.jsonl')
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running = []
  await rm(folder, { recursive: true })
})

/** Starts a process that locks the file; returns it with what it printed: `locked`, or the code of an error. */
async function start(
  command: readonly string[] = [],
  ...mode: readonly string[]
): Promise<{ readonly child: ChildProcessWithoutNullStreams; readonly printed: string }> {
  const [program = '', ...words] = [...command, process.execPath, HOLDER, built, file, ...mode]
  const child = spawn(program, words)
  running.push(child)
  const printed = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.stderr.setEncoding('utf8').once('data', (text: string) => reject(new Error(text)))
  })
  return { child, printed }
}

async function end(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

/** Another container: its own process ids and host name. */
const CONTAINER = [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--uts',
  'sh',
  '-c',
  'hostname other; exec "$0" "$@"',
]
const supportsContainers = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0

describe.each([['SQLite'], ['flock', 'no-sqlite']])('the lock by %s', (_name, ...mode) => {
  test('is freed when the process that holds it is killed, not when it is stopped', async () => {
    const first = await start([], ...mode)
    expect(first.printed).toBe('locked')
    first.child.kill('SIGSTOP')
    expect((await start([], ...mode)).printed).toBe('conflict')
    await end(first.child, 'SIGKILL')
    expect((await start([], ...mode)).printed).toBe('locked')
  })

  test.runIf(supportsContainers && (mode.length === 0 || process.env['SOAK']))(
    'excludes containers, and outlives none',
    async () => {
      const inside = await start(CONTAINER, ...mode)
      expect(inside.printed).toBe('locked')
      expect((await start([], ...mode)).printed).toBe('conflict')
      expect((await start(CONTAINER, ...mode)).printed).toBe('conflict')
      await end(inside.child, 'SIGKILL')
      // The processes of a killed container end shortly after it.
      await expect
        .poll(async () => (await start(CONTAINER, ...mode)).printed, { timeout: 10_000 })
        .toBe('locked')
    },
  )
})

test('processes with and without SQLite exclude each other', async () => {
  const without = await start([], 'no-sqlite')
  expect(without.printed).toBe('locked')
  expect((await start()).printed).toBe('conflict')
  await end(without.child, 'SIGKILL')
  const holder = await start()
  expect(holder.printed).toBe('locked')
  expect((await start([], 'no-sqlite')).printed).toBe('missing-package')
})

test('without SQLite and `flock`, nothing is locked', async () => {
  const { printed } = await start(['/usr/bin/env', 'PATH=/nowhere'], 'no-sqlite')
  expect(printed).toBe('missing-package')
})

test('one process opens a file once; of several attempts at a time, one succeeds', async () => {
  const all = await Promise.allSettled([jsonlStorage(file), jsonlStorage(file), jsonlStorage(file)])
  const opened = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(opened).toHaveLength(1)
  await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'conflict' })
  expect((await start()).printed).toBe('conflict')
  await opened[0]?.close()
  const { child } = await start()
  await expect(jsonlStorage(file)).rejects.toMatchObject({ code: 'conflict' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.end()
  await ended
  await (await jsonlStorage(file)).close()
})

test('only the owner may read the files', async () => {
  await (await jsonlStorage(file)).close()
  for (const path of [file, `${file}.lock`]) expect((await stat(path)).mode & 0o777).toBe(0o600)
})
