import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Message, textOf, toolResultsOf, validate } from 'interlingua'
import { postgresStorage } from 'interlingua/stores/postgres'
import { expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'
import { freshDatabase } from './postgres.ts'

const SOAK = process.env['SOAK'] !== undefined

/** Runs in total, workers that start at once on an empty database, and workers that are killed and stopped. */
const [RUNS, STARTING, WORKERS] = SOAK ? [200, 6, 3] : [2, 2, 2]
/** Share of disturbances that kill a worker: starting another one takes seconds. */
const KILLS = SOAK ? 0.3 : 0
const RUNS_PER_SESSION = 2
const MAX_CONCURRENT_RUNS = 12

/** Workers in processes of their own. A killed one is replaced. */
class Workers {
  readonly #args: readonly string[]
  readonly all: ChildProcess[] = []
  readonly disturbances = { kills: 0, stops: 0 }
  errors = ''

  constructor(args: readonly string[]) {
    this.#args = args
  }

  /** Starts a worker; resolves when it is ready, and rejects if it ends before. */
  async start(index: number): Promise<void> {
    const script = join(import.meta.dirname, 'children/durable.js')
    const child = spawn(process.execPath, [script, ...this.#args], { stdio: 'pipe' })
    this.all[index] = child
    child.stderr?.on('data', (text: Buffer) => (this.errors += text.toString('utf8')))
    child.stdin?.on('error', () => undefined)
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve())
      child.once('exit', () => reject(new Error(`The worker ended: ${this.errors}`)))
    })
  }

  /** Sends a line to a random worker. */
  send(line: string): void {
    this.all[Math.floor(Math.random() * WORKERS)]?.stdin?.write(`${line}\n`)
  }

  /** Stops a random worker for a while, or kills it and starts another. */
  async disturb(): Promise<void> {
    const index = Math.floor(Math.random() * WORKERS)
    const child = this.all[index]
    if (Math.random() < KILLS) {
      child?.kill('SIGKILL')
      this.disturbances.kills += 1
      await this.start(index)
      return
    }
    child?.kill('SIGSTOP')
    this.disturbances.stops += 1
    await setTimeout(SOAK ? 500 + Math.random() * 5_000 : 2_500)
    child?.kill('SIGCONT')
  }
}

test('no run is lost, doubled or ended in error by workers that are killed or stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-chaos-'))
  const database = await freshDatabase()
  const effects = join(folder, 'effects')
  const workers = new Workers([await builtFolder(), database.url, effects])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const storage = await postgresStorage(database.url)
  try {
    await Promise.all(Array.from({ length: STARTING }, (_, index) => workers.start(index)))
    for (const extra of workers.all.splice(WORKERS)) extra.kill('SIGKILL')
    const names = Array.from({ length: RUNS }, (_, index) => `run${index}`)
    const sessionOf = (index: number): string => `session${Math.floor(index / RUNS_PER_SESSION)}`
    for (const session of new Set(names.map((_, index) => sessionOf(index))))
      await storage.createSession({ id: session })

    const countByStatus = async (): Promise<ReadonlyMap<string, number>> => {
      const text = `select status, count(*)::int as count from dbos.workflow_status group by status`
      const { rows } = await client.query<{ status: string; count: number }>(text)
      return new Map(rows.map(({ status, count }) => [status, count]))
    }
    const listUnstarted = async (): Promise<readonly number[]> => {
      const { rows } = await client.query<{ id: string }>(
        'select workflow_uuid as id from dbos.workflow_status',
      )
      const started = new Set(rows.map(({ id }) => id))
      return names.flatMap((name, index) => (started.has(name) ? [] : [index]))
    }
    let isDone = false
    const disturbing = (async () => {
      while (!isDone) await workers.disturb()
    })()
    while (!isDone) {
      // A worker may die before it has started a run; the id makes the repetition safe.
      const byStatus = await countByStatus()
      const ended = (byStatus.get('SUCCESS') ?? 0) + (byStatus.get('ERROR') ?? 0)
      const unstarted = await listUnstarted()
      const free = MAX_CONCURRENT_RUNS - (RUNS - unstarted.length - ended)
      for (const index of unstarted.slice(0, Math.max(0, free)))
        workers.send(`${sessionOf(index)} ${names[index] ?? ''}`)
      isDone = ended >= RUNS
      await setTimeout(500)
    }
    await disturbing

    expect(Object.fromEntries(await countByStatus())).toEqual({ SUCCESS: RUNS })
    const ran = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : []
    const countRuns = (call: string): number => ran.filter((line) => line.startsWith(`${call} `)).length
    for (const session of new Set(names.map((_, index) => sessionOf(index)))) {
      const messages = (await storage.messages(session)).toArray()
      const own = names.filter((_, index) => sessionOf(index) === session)
      expect(textsOfUsers(messages).toSorted()).toEqual(own.toSorted())
      const roles = 'user assistant tool assistant tool assistant'.split(' ')
      expect(messages.map(({ role }) => role)).toEqual(own.flatMap(() => roles))
      expect(validate(messages)).toEqual([])
      for (const { callId, name, isError } of messages.flatMap(toolResultsOf)) {
        const count = countRuns(callId)
        if (name === 'careful')
          expect([callId, count]).toEqual([callId, isError === true ? Math.min(count, 1) : 1])
        else expect([callId, isError ?? false, count > 0]).toEqual([callId, false, true])
      }
    }
    expect(await storage.verify()).toEqual([])
    if (SOAK) console.log(`${RUNS} runs, ${WORKERS} workers: ${JSON.stringify(workers.disturbances)}`)
  } finally {
    for (const child of workers.all) child.kill('SIGKILL')
    await client.end()
    await storage.close()
    await database.drop()
    await rm(folder, { recursive: true })
  }
}, 900_000)

function textsOfUsers(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').map((message) => textOf(message))
}
