import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { textOf, toolResultsOf, validate } from 'interlingua'
import type { BusyOptions, ConversationStorage } from 'interlingua/stores'
import { postgresStorage } from 'interlingua/stores/postgres'
import { redisStorage } from 'interlingua/stores/redis'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'
import { freshDatabase } from './postgres.ts'
import { canStartRedis } from './redis.ts'
import { startRedis } from './redis-server.ts'

/** A process that runs conversations. */
class Child {
  readonly process: ChildProcess
  readonly #waiting = new Map<number, (ended: string) => void>()

  constructor(args: readonly string[]) {
    const script = join(import.meta.dirname, 'children/busy.js')
    this.process = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    if (this.process.stdout === null) throw new Error('The child has no output')
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const { id, ended } = JSON.parse(line) as { id: number; ended: string }
      this.#waiting.get(id)?.(ended)
    })
  }

  /** Calls a method of a conversation; resolves with the text of the result, or with an error code. */
  call(session: string, call: string, given: readonly unknown[], options?: BusyOptions): Promise<string> {
    const id = this.#waiting.size
    this.process.stdin?.write(`${JSON.stringify({ id, session, call, given, options })}\n`)
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }
}

/** Shorter than the default, for leases that expire in a test. */
const LEASE_MS = 400

/** A place where processes share a store. */
interface SharedPlace {
  readonly at: string
  readonly open: (at: string) => Promise<ConversationStorage>
  readonly remove?: () => Promise<void>
}

const backends: Readonly<Record<string, (folder: string) => Promise<SharedPlace>>> = {
  sqlite: async (folder) => ({ at: join(folder, 'a.db'), open: sqliteStorage }),
  postgres: async () => {
    const database = await freshDatabase()
    return { at: database.url, open: postgresStorage, remove: () => database.drop() }
  },
  ...(canStartRedis && {
    redis: async () => {
      const server = await startRedis()
      return { at: server.url, open: (url: string) => redisStorage({ url }), remove: () => server.stop() }
    },
  }),
}

describe.each(Object.entries(backends))('two processes at one conversation with %s', (backend, create) => {
  let folder = ''
  let place: SharedPlace
  let storage: ConversationStorage
  let holder: Child
  let other: Child

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interlingua-busy-'))
    place = await create(folder)
    storage = await place.open(place.at)
    const args = [await builtFolder(), backend, place.at, folder]
    holder = new Child(args)
    other = new Child(args)
  })
  afterAll(async () => {
    holder.process.kill('SIGKILL')
    other.process.kill('SIGKILL')
    await storage.close()
    await place.remove?.()
    await rm(folder, { recursive: true })
  })

  const countRuns = (session: string): number => {
    const file = join(folder, 'effects')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    return lines.filter((line) => line === session).length
  }

  const letToolFinish = (session: string): void => writeFileSync(join(folder, session), '')

  async function waitForTool(session: string): Promise<void> {
    while (countRuns(session) === 0) await setTimeout(5)
  }

  async function expectComplete(session: string, isInterrupted = false): Promise<void> {
    const messages = await storage.messages(session)
    expect(messages.toArray().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(textOf(messages.last() ?? expect.fail('is empty'))).toBe('Done.')
    expect([validate(messages), await storage.verify()]).toEqual([[], []])
    const [result] = messages.toArray().flatMap(toolResultsOf)
    expect([result?.isError ?? false, countRuns(session)]).toEqual([isInterrupted, 1])
    expect(await storage.lease(session)).toBeUndefined()
  }

  test('a message during a tool is refused, and the tool keeps its result', async () => {
    await storage.createSession({ id: 'send' })
    const running = holder.call('send', 'send', ['Work'])
    await waitForTool('send')
    expect(await other.call('send', 'send', ['More'])).toBe('conflict')
    expect(await other.call('send', 'resume', [])).toBe('conflict')
    letToolFinish('send')
    expect(await running).toBe('Done.')
    await expectComplete('send')
  })

  test('an approval that is sent twice at once runs the tool once', async () => {
    await storage.createSession({ id: 'approve' })
    expect(await holder.call('approve', 'send', ['Work'])).toBe('approval')
    const both = [holder, other].map((each) => each.call('approve', 'resume', [{ c1: 'approve' }]))
    await waitForTool('approve')
    expect(await Promise.race(both)).toBe('conflict')
    letToolFinish('approve')
    expect((await Promise.all(both)).toSorted()).toEqual(['Done.', 'conflict'])
    await expectComplete('approve')
  })

  test('of two processes that resume at once one continues, and the other finds nothing to do', async () => {
    await storage.createSession({ id: 'resume' })
    await storage.append('resume', 'Work')
    const both = [holder, other].map((each) => each.call('resume', 'resume', [{}], { whenBusy: 'enqueue' }))
    await waitForTool('resume')
    letToolFinish('resume')
    expect((await Promise.all(both)).toSorted()).toEqual(['Done.', 'nothing'])
    await expectComplete('resume')
  })

  test('what a process writes after it was stopped beyond its lease is refused', async () => {
    await storage.createSession({ id: 'stopped' })
    const running = holder.call('stopped', 'send', ['Work'], { leaseMs: LEASE_MS })
    await waitForTool('stopped')
    holder.process.kill('SIGSTOP')
    expect(await other.call('stopped', 'resume', [{}], { whenBusy: 'enqueue' })).toBe('Done.')
    letToolFinish('stopped')
    holder.process.kill('SIGCONT')
    expect(await running).toBe('conflict')
    await expectComplete('stopped', true)
  })

  test('a process that was stopped continues if nothing else has happened', async () => {
    await storage.createSession({ id: 'slow' })
    const running = holder.call('slow', 'send', ['Work'], { leaseMs: LEASE_MS })
    await waitForTool('slow')
    holder.process.kill('SIGSTOP')
    await setTimeout(LEASE_MS * 1.5)
    letToolFinish('slow')
    holder.process.kill('SIGCONT')
    expect(await running).toBe('Done.')
    await expectComplete('slow')
  })

  test('the conversation of a machine that has failed continues when its lease has expired', async () => {
    await storage.createSession({ id: 'machine' })
    await storage.append('machine', 'Work')
    await storage.acquireLease('machine', { token: 't', durationMs: 3_600_000, holder: 'elsewhere 1 2' })
    letToolFinish('machine')
    expect(await other.call('machine', 'resume', [])).toBe('conflict')
    await storage.renewLease('machine', { token: 't', durationMs: LEASE_MS })
    expect(await other.call('machine', 'resume', [{}], { whenBusy: 'enqueue' })).toBe('Done.')
    await expectComplete('machine')
  })

  test('the conversation of a killed process continues at once', async () => {
    await storage.createSession({ id: 'killed' })
    void holder.call('killed', 'send', ['Work'], { leaseMs: 3_600_000 })
    await waitForTool('killed')
    const ended = new Promise((resolve) => holder.process.on('close', resolve))
    holder.process.kill('SIGKILL')
    await ended
    expect(await other.call('killed', 'resume', [])).toBe('Done.')
    await expectComplete('killed', true)
  })
})
