import type { NewStream, StreamBackend, StreamBatch, StreamRow, StreamTimes } from './stream-backend.ts'
import { createStreamLog, type StreamLogOptions } from './create-stream-log.ts'
import type { StreamLog } from './stream-log.ts'

/** Most batches that one read returns. */
const PAGE_SIZE = 64

/** A stream with absolute times. */
interface MemoryStream {
  row: StreamRow
  /** In order; those before the first chunk that is kept are dropped from time to time. */
  batches: StreamBatch[]
  leaseExpiresAtMs: number
  expiresAtMs: number
}

/**
 * Creates a stream log in memory: clients can continue a stream as long as this process runs.
 *
 * @example
 * const streams = memoryStreamLog({ retentionMs: 600_000 })
 */
export function memoryStreamLog(options?: StreamLogOptions): StreamLog {
  return createStreamLog(createInMemoryStreamBackend(), options)
}

/** Creates a backend in memory. */
export function createInMemoryStreamBackend(): StreamBackend {
  const streams = new Map<string, MemoryStream>()
  /** The newest stream of each topic. */
  const newest = new Map<string, string>()

  function find(id: string, tenant?: string): MemoryStream | undefined {
    const stream = streams.get(id)
    if (stream === undefined || (tenant !== undefined && stream.row.tenant !== tenant)) return undefined
    return stream.expiresAtMs > Date.now() ? stream : undefined
  }

  function findLatest(tenant: string, topic: string): MemoryStream | undefined {
    const id = newest.get(toTopicKey(tenant, topic))
    return id === undefined ? undefined : find(id)
  }

  function toRow({ row, leaseExpiresAtMs }: MemoryStream): StreamRow {
    return { ...row, leaseRemainingMs: leaseExpiresAtMs - Date.now() }
  }

  function createStream(stream: NewStream, { leaseMs, retentionMs }: StreamTimes): MemoryStream {
    const state = { status: 'active', firstEvent: 1, lastEvent: 0, code: null } as const
    return {
      row: { ...stream, ...state, isStopRequested: false, leaseRemainingMs: leaseMs },
      batches: [],
      leaseExpiresAtMs: Date.now() + leaseMs,
      expiresAtMs: Date.now() + retentionMs,
    }
  }

  function removeStream({ id, tenant, topic }: StreamRow): void {
    streams.delete(id)
    const key = toTopicKey(tenant, topic)
    if (newest.get(key) === id) newest.delete(key)
  }

  return {
    async open(stream, times, replaced) {
      const before = findLatest(stream.tenant, stream.topic)
      if (before?.row.status === 'active') {
        if (before.row.id !== replaced && before.leaseExpiresAtMs > Date.now()) return toRow(before)
        before.row = { ...before.row, status: 'interrupted' }
      }
      streams.set(stream.id, createStream(stream, times))
      newest.set(toTopicKey(stream.tenant, stream.topic), stream.id)
      return undefined
    },
    async latest(tenant, topic) {
      const stream = findLatest(tenant, topic)
      return stream && toRow(stream)
    },
    async read(tenant, id, firstEvent) {
      const stream = find(id, tenant)
      if (stream === undefined) return undefined
      const start = findBatch(stream.batches, Math.max(firstEvent, stream.row.firstEvent))
      return { row: toRow(stream), batches: stream.batches.slice(start, start + PAGE_SIZE) }
    },
    async update(id, { tenant, batch, leaseMs, retentionMs, ...changes }) {
      const stream = find(id, tenant)
      if (stream === undefined || !canUpdate(stream.row, changes)) return undefined
      stream.row = { ...stream.row, ...changes }
      stream.leaseExpiresAtMs = Date.now() + leaseMs
      stream.expiresAtMs = Date.now() + retentionMs
      if (batch !== undefined && stream.batches.at(-1)?.lastEvent !== batch.lastEvent)
        stream.batches.push(batch)
      const start = findBatch(stream.batches, changes.firstEvent)
      if (start * 2 > stream.batches.length) stream.batches = stream.batches.slice(start)
      return { isStopRequested: stream.row.isStopRequested }
    },
    async requestStop(tenant, id) {
      const stream = find(id, tenant)
      if (stream !== undefined) stream.row = { ...stream.row, isStopRequested: true }
    },
    async remove(tenant, topic) {
      for (const { row } of streams.values())
        if (row.tenant === tenant && row.topic === topic) removeStream(row)
    },
    async removeExpired() {
      const expired = [...streams.values()].filter(({ expiresAtMs }) => expiresAtMs <= Date.now())
      for (const { row } of expired) removeStream(row)
      return expired.length
    },
    async close() {
      streams.clear()
      newest.clear()
    },
  }
}

/** Tests whether a stream is active, or in the state in which the same update left it. */
function canUpdate(row: StreamRow, { status, lastEvent }: Pick<StreamRow, 'status' | 'lastEvent'>): boolean {
  return row.status === 'active' || (row.status === status && row.lastEvent === lastEvent)
}

function toTopicKey(tenant: string, topic: string): string {
  return JSON.stringify([tenant, topic])
}

/** Returns the index of the batch with a chunk, or of the first one after it. */
function findBatch(batches: readonly StreamBatch[], event: number): number {
  let [low, high] = [0, batches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((batches[middle]?.lastEvent ?? 0) < event) low = middle + 1
    else high = middle
  }
  return low
}
