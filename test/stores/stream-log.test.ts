import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { memoryStreamLog, type StreamLog, type StreamLogOptions } from 'interlingua/stores'
import { postgresStreamLog } from 'interlingua/stores/postgres'
import { sqliteStorage, sqliteStreamLog } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from './postgres.ts'
import { readAll, recordStream, summarizeEntries } from './stream-chunks.ts'

let folder = ''
let database: Awaited<ReturnType<typeof freshDatabase>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-streams-'))
  database = await freshDatabase()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})

const BACKENDS: Readonly<Record<string, (options?: StreamLogOptions) => Promise<StreamLog>>> = {
  memory: async (options) => memoryStreamLog(options),
  sqlite: (options) => sqliteStreamLog(join(folder, 'streams.db'), options),
  postgres: (options) => postgresStreamLog(database.url, { connections: 4, ...options }),
}

const WORDS = process.env['SOAK'] ? 400 : 12

describe.each(Object.keys(BACKENDS))('a stream log in %s', (backend) => {
  const open = (options?: StreamLogOptions): Promise<StreamLog> =>
    BACKENDS[backend]?.({ flushMs: 5, ...options }) ?? Promise.reject(new Error(backend))

  test('continues at every cut point, with several readers, while it is written and afterwards', async () => {
    const streams = await open()
    const chunks = await recordStream(WORDS)
    const writer = await streams.open('cuts')
    const results = chunks.map(async (_, cut) => {
      const prefix: string[] = []
      if (cut > 0)
        for await (const entry of streams.read(writer.id)) {
          if (entry.type === 'chunk') prefix.push(entry.data)
          if (prefix.length === cut) break
        }
      const { data, end } = summarizeEntries(await readAll(streams, writer.id, cut))
      return { data: [...prefix, ...data], end }
    })
    for (const [index, chunk] of chunks.entries()) {
      await writer.append(chunk)
      if (index % 10 === 0) await setTimeout(2)
    }
    await writer.end()
    for (const result of await Promise.all(results)) expect(result).toEqual({ data: chunks, end: 'complete' })
    for (const [cut] of chunks.entries()) {
      const { data } = summarizeEntries(await readAll(streams, writer.id, cut))
      expect(data).toEqual(chunks.slice(cut))
    }
    await streams.close()
  })

  test('keeps tenants and topics apart', async () => {
    const streams = await open()
    const writer = await streams.open('apart')
    await writer.append('secret')
    const other = streams.forTenant('other')
    expect(await other.latest('apart')).toBeUndefined()
    await expect(readAll(other, writer.id)).rejects.toMatchObject({ code: 'unknown-id' })
    await other.requestStop(writer.id)
    await other.remove('apart')
    await setTimeout(20)
    expect(writer.signal.aborted).toBe(false)
    await writer.end()
    expect(await streams.latest('apart')).toMatchObject({ id: writer.id, status: 'complete', lastEvent: 1 })
    expect(await streams.latest('another topic')).toBeUndefined()
    await streams.remove('apart')
    expect(await streams.latest('apart')).toBeUndefined()
    await streams.close()
  })

  test('has one writer for a topic: a replaced one cannot write any more', async () => {
    const streams = await open()
    const first = await streams.open('fenced')
    await first.append('a')
    await expect(streams.open('fenced')).rejects.toMatchObject({ code: 'conflict', retryable: true })
    const second = await streams.open('fenced', { replaceAfterMs: 0 })
    await second.append('b')
    await setTimeout(30)
    await first.append('late').catch(() => undefined)
    await expect(first.end()).rejects.toMatchObject({ code: 'conflict' })
    expect(first.signal.aborted).toBe(true)
    expect(summarizeEntries(await readAll(streams, first.id)).end).toBe('interrupted')
    await second.end()
    expect(summarizeEntries(await readAll(streams, second.id))).toEqual({ data: ['b'], end: 'complete' })
    expect((await streams.latest('fenced'))?.id).toBe(second.id)
    await streams.close()
  })

  test('waits for a stream that is about to end instead of replacing it', async () => {
    const streams = await open()
    const first = await streams.open('turns')
    const opening = streams.open('turns', { replaceAfterMs: 20_000 })
    await setTimeout(30)
    await first.append('a')
    await first.end()
    const second = await opening
    expect(summarizeEntries(await readAll(streams, first.id))).toEqual({ data: ['a'], end: 'complete' })
    await second.end('failed', 'provider-error')
    expect(await readAll(streams, second.id)).toEqual([
      { type: 'end', reason: 'failed', code: 'provider-error' },
    ])
    await streams.close()
  })

  test('drops the oldest chunks beyond its bounds, and reports it to readers', async () => {
    const streams = await open({ maxEvents: 20, flushMs: 1 })
    const writer = await streams.open('bounded')
    for (let index = 1; index <= 100; index++) {
      await writer.append(String(index))
      if (index % 5 === 0) await setTimeout(3)
    }
    await writer.end()
    const [first, ...rest] = await readAll(streams, writer.id)
    expect(first).toMatchObject({ type: 'truncated', firstMissing: 1 })
    const { firstEvent = 0 } = (await streams.latest('bounded')) ?? {}
    expect(firstEvent).toBeGreaterThan(80)
    expect(first).toMatchObject({ lastMissing: firstEvent - 1 })
    const kept = Array.from({ length: 101 - firstEvent }, (_, index) => String(firstEvent + index))
    expect(summarizeEntries(rest)).toEqual({ data: kept, end: 'complete' })
    expect(summarizeEntries(await readAll(streams, writer.id, 95)).data).toEqual(kept.slice(-5))
    await streams.close()
  })

  test('forgets streams after their retention', async () => {
    const streams = await open({ retentionMs: 1500, leaseMs: 500 })
    const writer = await streams.open('short')
    await writer.append('a')
    await writer.end()
    expect((await streams.latest('short'))?.status).toBe('complete')
    await expect.poll(() => streams.latest('short'), { timeout: 60_000 }).toBeUndefined()
    await expect(readAll(streams, writer.id)).rejects.toMatchObject({ code: 'unknown-id' })
    expect(await streams.prune()).toBeGreaterThan(0)
    await streams.close()
  })

  test('ends a reader at once when it leaves or aborts while the stream is silent', async () => {
    const streams = await open()
    const writer = await streams.open('silent')
    await writer.append('a')
    const left = streams.read(writer.id)
    await left.next()
    const waiting = left.next()
    await left.return?.()
    expect((await waiting).done).toBe(true)
    const controller = new AbortController()
    const aborted = streams.read(writer.id, { after: 1, signal: controller.signal })
    const next = aborted.next()
    controller.abort(new Error('gone'))
    await expect(next).rejects.toThrow('gone')
    await writer.end('aborted')
    await streams.close()
  })
})

describe('two logs of one database', () => {
  test.each(['sqlite', 'postgres'])('in %s: stop requests and ends arrive', async (backend) => {
    const [writing, reading] = [await BACKENDS[backend]?.(), await BACKENDS[backend]?.()]
    if (writing === undefined || reading === undefined) throw new Error(backend)
    const writer = await writing.open('remote')
    await writer.append('a')
    const entries = readAll(reading, writer.id)
    await reading.requestStop(writer.id)
    await new Promise((resolve) => writer.signal.addEventListener('abort', resolve))
    await writer.append('b')
    await writer.end('aborted')
    expect(summarizeEntries(await entries)).toEqual({ data: ['a', 'b'], end: 'aborted' })
    await Promise.all([writing.close(), reading.close()])
  })

  test('a stream log shares the file of a storage', async () => {
    const path = join(folder, 'shared.db')
    const storage = await sqliteStorage(path)
    const streams = await sqliteStreamLog(path)
    const { id } = await storage.createSession()
    const writer = await streams.open(id)
    await Promise.all([storage.append(id, 'Hello'), writer.append('a')])
    await writer.end()
    expect((await storage.messages(id)).size).toBe(1)
    await Promise.all([storage.close(), streams.close()])
  })
})
