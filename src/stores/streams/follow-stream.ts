import { InterlinguaError } from '../../errors.ts'
import { sleep } from '../../wire/cancellation.ts'
import { hasProcessEnded } from '../conversation/process-identity.ts'
import { createDamagedDataError } from '../storage-errors.ts'
import type { StreamBackend, StreamBatch, StreamRow } from './stream-backend.ts'
import type { StreamEntry } from './stream-log.ts'
import type { StreamTail } from './stream-tail.ts'

/** Shortest and longest time between two reads of a stream that another process writes. */
const MIN_POLL_MS = 25
const MAX_POLL_MS = 500

/** What a reader of streams needs. */
export interface StreamSource {
  readonly backend: StreamBackend
  /** The streams that this process writes, by id. */
  readonly tails: ReadonlyMap<string, StreamTail>
}

/** Yields the entries of a stream from a chunk on; the last one is its end. */
export async function* followStream(
  { backend, tails }: StreamSource,
  tenant: string,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEntry, void, undefined> {
  let next = after + 1
  let pollMs = MIN_POLL_MS
  let isKnown = false
  let tail: StreamTail | undefined
  for (;;) {
    tail ??= tails.get(id)
    if (tail?.tenant === tenant && next >= tail.firstEvent) {
      isKnown = true
      for (let chunk = tail.chunk(next); chunk !== undefined; chunk = tail.chunk(next)) {
        next += 1
        yield chunk
      }
      if (next < tail.firstEvent) continue
      if (tail.end !== undefined) return yield tail.end
      await tail.waitFor(next, signal)
      continue
    }
    const page = await backend.read(tenant, id, next)
    if (page === undefined) {
      if (!isKnown) throw createUnknownStreamError()
      return yield { type: 'end', reason: 'expired' }
    }
    isKnown = true
    const { row, batches } = page
    for (const batch of batches) {
      if (next < batch.firstEvent) {
        yield { type: 'truncated', firstMissing: next, lastMissing: batch.firstEvent - 1 }
        next = batch.firstEvent
      }
      for (const data of readBatch(batch).slice(next - batch.firstEvent)) {
        yield { type: 'chunk', event: next, data }
        next += 1
      }
    }
    pollMs = batches.length > 0 ? MIN_POLL_MS : Math.min(pollMs * 2, MAX_POLL_MS)
    if (next <= row.lastEvent && batches.length > 0) continue
    const status = getCurrentStatus(row)
    if (status !== 'active')
      return yield { type: 'end', reason: status, ...(row.code !== null && { code: row.code }) }
    if (tails.get(id) === undefined) await sleep(pollMs, signal)
  }
}

/** Returns the status of a stream; an active one whose writer has died is interrupted. */
export function getCurrentStatus({ status, leaseRemainingMs, holder }: StreamRow): StreamRow['status'] {
  if (status !== 'active') return status
  return leaseRemainingMs <= 0 || hasProcessEnded(holder) ? 'interrupted' : 'active'
}

function readBatch({ body }: StreamBatch): readonly string[] {
  try {
    return JSON.parse(body) as readonly string[]
  } catch (cause) {
    throw createDamagedDataError('A batch of the stream cannot be read', cause)
  }
}

function createUnknownStreamError(): InterlinguaError {
  return new InterlinguaError('unknown-id', 'There is no stream with this id, or it has expired', {
    hint: 'Read the conversation from the storage instead.',
  })
}
