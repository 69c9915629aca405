import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { StreamEntry, StreamLog } from 'interlingua/stores'
import { postgresStreamLog } from 'interlingua/stores/postgres'
import { sqliteStreamLog } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFolder } from './built-package.ts'
import { freshDatabase } from './postgres.ts'
import { readAll, recordStream, summarizeEntries } from './stream-chunks.ts'

/** A process that writes and reads streams. */
class Child {
  readonly process: ChildProcess
  readonly #waiting = new Map<number, (outcome: unknown) => void>()

  constructor(args: readonly string[]) {
    const script = join(import.meta.dirname, 'children/streams.js')
    this.process = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    if (this.process.stdout === null) throw new Error('The child has no output')
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const { id, outcome } = JSON.parse(line) as { id: number; outcome: unknown }
      this.#waiting.get(id)?.(outcome)
    })
  }

  read(stream: string, after: number): Promise<StreamEntry[]> {
    return this.#send({ read: { stream, after } }) as Promise<StreamEntry[]>
  }

  write(topic: string, chunks: readonly string[]): Promise<string> {
    return this.#send({ write: { topic, chunks } }) as Promise<string>
  }

  #send(line: object): Promise<unknown> {
    const id = this.#waiting.size
    this.process.stdin?.write(`${JSON.stringify({ id, ...line })}\n`)
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }
}

describe.each(['sqlite', 'postgres'])('streams of two processes with %s', (backend) => {
  let folder = ''
  let database: Awaited<ReturnType<typeof freshDatabase>> | undefined
  let streams: StreamLog
  let child: Child

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interlingua-streams-'))
    database = backend === 'postgres' ? await freshDatabase() : undefined
    const at = database?.url ?? join(folder, 'streams.db')
    streams = await (backend === 'postgres' ? postgresStreamLog(at) : sqliteStreamLog(at))
    child = new Child([await builtFolder(), backend, at])
  })
  afterAll(async () => {
    child.process.kill('SIGKILL')
    await streams.close()
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  test('another process continues a stream at every cut point while it is written', async () => {
    const chunks = await recordStream(process.env['SOAK'] ? 200 : 12)
    const writer = await streams.open('cuts')
    const prefixes = chunks.map(async (_, cut) => {
      const prefix: string[] = []
      for await (const entry of streams.read(writer.id)) {
        if (prefix.length === cut) break
        if (entry.type === 'chunk') prefix.push(entry.data)
      }
      const { data, end } = summarizeEntries(await child.read(writer.id, cut))
      return { data: [...prefix, ...data], end }
    })
    for (const [index, chunk] of chunks.entries()) {
      await writer.append(chunk)
      if (index % 10 === 0) await setTimeout(40)
    }
    await writer.end()
    for (const result of await Promise.all(prefixes))
      expect(result).toEqual({ data: chunks, end: 'complete' })
  })

  test('a killed writer leaves a stream that ends for its readers as `interrupted`', async () => {
    const chunks = await recordStream(5)
    const id = await child.write('killed', chunks)
    const readers = [0, 3, chunks.length].map((after) => readAll(streams, id, after))
    await setTimeout(200)
    child.process.kill('SIGKILL')
    for (const [index, entries] of (await Promise.all(readers)).entries()) {
      const { data, end } = summarizeEntries(entries)
      expect({ data, end }).toEqual({ data: chunks.slice([0, 3, chunks.length][index]), end: 'interrupted' })
    }
    // The topic is free at once: the process has ended on this machine.
    const next = await streams.open('killed')
    await next.end()
  })
})
