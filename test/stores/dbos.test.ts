import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { textOf, toolResultsOf, validate } from 'interlingua'
import { postgresStorage } from 'interlingua/stores/postgres'
import { expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'
import { freshDatabase } from './postgres.ts'

test('another worker completes the runs of a killed one, and no finished tool runs twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-dbos-'))
  const database = await freshDatabase()
  try {
    const effects = join(folder, 'effects')
    const args = [join(import.meta.dirname, 'children/worker.js'), await builtFolder(), database.url, effects]
    const noted = (): string[] =>
      existsSync(effects) ? readFileSync(effects, 'utf8').split('\n').slice(0, -1) : []
    const first = spawn(process.execPath, [...args, 'start'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let wrong = ''
    let ended = false
    first.stderr.setEncoding('utf8').on('data', (text: string) => (wrong += text))
    const end = new Promise<void>((resolve) =>
      first.on('close', () => {
        ended = true
        resolve()
      }),
    )
    while (!noted().includes('careful') || !noted().includes('repeatable')) {
      if (ended) throw new Error(`The worker ended unexpectedly: ${wrong}`)
      await setTimeout(20)
    }
    first.kill('SIGKILL')
    await end
    const { stdout } = await promisify(execFile)(process.execPath, [...args, 'second'])
    expect(stdout.trim().split('\n').at(-1)).toBe('All is done.')
    expect(noted().toSorted()).toEqual(
      ['asked 0', 'asked 1', 'asked 2', 'careful', 'quick', 'repeatable', 'repeatable'].toSorted(),
    )
    const storage = await postgresStorage(database.url)
    const line = await storage.messages('session')
    expect(Array.from(line, (message) => textOf(message)).at(-1)).toBe('All is done.')
    expect(line.size).toBe(6)
    expect(validate(line)).toEqual([])
    const results = [...line].flatMap((message) => toolResultsOf(message))
    expect(results.map(({ callId, isError }) => [callId, isError ?? false])).toEqual([
      ['c1', false],
      ['c2', true],
      ['c3', false],
    ])
    expect(await storage.verify()).toEqual([])
    await storage.close()
  } finally {
    await database.drop()
    await rm(folder, { recursive: true })
  }
}, 180_000)
