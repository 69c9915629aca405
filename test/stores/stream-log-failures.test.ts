import { setTimeout } from 'node:timers/promises'
import { InterlinguaError } from 'interlingua'
import {
  createKeyring,
  createStreamLog,
  memoryStreamLog,
  type StreamBackend,
  type StreamEntry,
  type StreamLog,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createInMemoryStreamBackend } from '../../src/stores/streams/memory-stream-log.ts'
import { readAll, summarizeEntries } from './stream-chunks.ts'

describe('a stream log on a failing backend', () => {
  const flaky = (change: (backend: StreamBackend) => Partial<StreamBackend>): StreamBackend => {
    const backend = createInMemoryStreamBackend()
    return { ...backend, ...change(backend) }
  }

  test('readers of a writer on another machine that stops responding get the end `interrupted`', async () => {
    const backend = createInMemoryStreamBackend()
    const times = { leaseMs: 1500, retentionMs: 600_000 }
    await backend.open({ id: 's', tenant: 'default', topic: 't', holder: 'elsewhere', dataKey: null }, times)
    await backend.update('s', {
      ...times,
      tenant: 'default',
      batch: { firstEvent: 1, lastEvent: 1, body: '["a"]' },
      firstEvent: 1,
      lastEvent: 1,
      status: 'active',
      code: null,
    })
    const streams = createStreamLog(backend)
    expect((await streams.latest('t'))?.status).toBe('active')
    expect(summarizeEntries(await readAll(streams, 's'))).toEqual({ data: ['a'], end: 'interrupted' })
    const next = await streams.open('t')
    expect((await streams.latest('t'))?.id).toBe(next.id)
    await streams.close()
  })

  test('repeats a write whose outcome is unknown, and stores each chunk once', async () => {
    let calls = 0
    const backend = flaky((inner) => ({
      update: async (...args) => {
        const result = await inner.update(...args)
        if (calls++ % 2 === 0) throw new InterlinguaError('storage-unavailable', 'lost', { retryable: true })
        return result
      },
    }))
    const streams = createStreamLog(backend, { flushMs: 1 })
    const writer = await streams.open('t')
    await writer.append('a')
    await expect.poll(() => calls, { timeout: 60_000 }).toBeGreaterThan(1)
    await writer.append('b')
    await writer.end()
    expect(summarizeEntries(await readAll(streams, writer.id))).toEqual({ data: ['a', 'b'], end: 'complete' })
  })

  test('an error that cannot be repeated ends the stream for its readers', async () => {
    const backend = flaky(() => ({ update: () => Promise.reject(new Error('disk')) }))
    const streams = createStreamLog(backend, { flushMs: 1 })
    const writer = await streams.open('t')
    const entries = readAll(streams, writer.id)
    await writer.append('a')
    expect(summarizeEntries(await entries)).toEqual({ data: ['a'], end: 'interrupted' })
    await expect(writer.append('b')).rejects.toThrow('disk')
    await expect(writer.end()).rejects.toThrow('disk')
  })

  test('writes many chunks together, and waits for a slow storage', async () => {
    let writes = 0
    let bytes = 0
    const backend = flaky((inner) => ({
      update: async (...args) => {
        writes += 1
        bytes = Math.max(bytes, args[1].batch?.body.length ?? 0)
        await setTimeout(1)
        return inner.update(...args)
      },
    }))
    const streams = createStreamLog(backend, { maxBytes: 64 * 1024 * 1024 })
    const writer = await streams.open('t')
    for (let index = 0; index < 20_000; index++) await writer.append('x'.repeat(200))
    await writer.end()
    expect(writes).toBeLessThan(1_000)
    expect(bytes).toBeLessThan(3 * 1024 * 1024)
    const entries: StreamEntry[] = await readAll(streams, writer.id)
    expect(entries).toHaveLength(20_001)
  })

  test.each([
    ['a limit of zero', () => memoryStreamLog({ maxEvents: 0 })],
    ['a tenant that is not a name', () => memoryStreamLog({ tenant: '' })],
    ['a negative event', () => memoryStreamLog().read('s', { after: -1 })],
  ])('%s is refused', (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'invalid-value' }))
  })
})

describe('an encrypted stream log', () => {
  const createKeys = (byte: number) =>
    createKeyring({ default: { current: 'k', keys: { k: new Uint8Array(32).fill(byte) } } })

  test('stores no chunk in clear, and needs its key to be read', async () => {
    const backend = createInMemoryStreamBackend()
    const log = (byte?: number): StreamLog =>
      createStreamLog(backend, byte === undefined ? {} : { encryption: { keys: createKeys(byte) } })
    const writer = await log(1).open('t')
    await writer.append('Secret')
    await writer.append('words')
    await writer.end()
    expect(JSON.stringify(await backend.read('default', writer.id, 1))).not.toMatch(/secret|words/i)
    expect(summarizeEntries(await readAll(log(1), writer.id)).data).toEqual(['Secret', 'words'])
    await expect(readAll(log(2), writer.id)).rejects.toMatchObject({ code: 'wrong-key' })
    await expect(readAll(log(), writer.id)).rejects.toMatchObject({ code: 'missing-key' })
    const clear = await log().open('t')
    await clear.append('a')
    await clear.end()
    await expect(readAll(log(1), clear.id)).rejects.toMatchObject({ code: 'wrong-kind' })
  })
})
