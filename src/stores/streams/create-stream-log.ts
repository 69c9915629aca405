import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { sleep } from '../../wire/cancellation.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { forwardIterable } from '../../wire/iterable-source.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { checkCount, checkIdentifier, throwInvalidValue } from '../check-arguments.ts'
import { describeProcess, hasProcessEnded } from '../conversation/process-identity.ts'
import { checkKeyring, type EncryptionOptions } from '../encryption/keyring.ts'
import { createConflictError, createStorageClosedError } from '../storage-errors.ts'
import type { StreamBackend, StreamRow } from './stream-backend.ts'
import { encryptStreamBackend, refuseEncryptedStreams } from './encrypt-stream-backend.ts'
import type {
  OpenStreamOptions,
  ReadStreamOptions,
  StreamEntry,
  StreamInfo,
  StreamLog,
  StreamLogWriter,
} from './stream-log.ts'
import { getCurrentStatus, followStream } from './follow-stream.ts'
import { StreamTail } from './stream-tail.ts'
import { BatchingStreamLogWriter, type StreamLogWriterOptions } from './batching-stream-log-writer.ts'

/** Options of every stream log. */
export interface StreamLogOptions extends Partial<StreamLogWriterOptions> {
  /** Tenant that owns the streams. Default: `default`. */
  readonly tenant?: string
  /** Encrypts the chunks with keys of the tenants, as the option of a storage does. Default: not encrypted. */
  readonly encryption?: EncryptionOptions
  /** Most chunks that are kept of one stream; then the oldest are dropped. Default: 100,000. */
  readonly maxEvents?: number
  /** Most bytes that are kept of one stream; then the oldest chunks are dropped. Default: 16 MiB. */
  readonly maxBytes?: number
  /** Milliseconds for which a stream is kept after its last write. Default: one hour. */
  readonly retentionMs?: number
  /** Milliseconds after which a stream whose writer does not respond has the end `interrupted`. Default: 10,000. */
  readonly leaseMs?: number
  /** Milliseconds for which chunks are collected before they are written together. Default: 30. */
  readonly flushMs?: number
  /** Bytes of chunks that are written without waiting for more. Default: 16 KiB. */
  readonly flushBytes?: number
}

const DEFAULT_OPTIONS: StreamLogWriterOptions = {
  maxEvents: 100_000,
  maxBytes: 16 * 1024 * 1024,
  retentionMs: 3_600_000,
  leaseMs: 10_000,
  flushMs: 30,
  flushBytes: 16 * 1024,
}

/** The names of the options of every stream log. */
export const STREAM_LOG_OPTION_NAMES: OptionNames<StreamLogOptions> = {
  tenant: true,
  encryption: { keys: true },
  maxEvents: true,
  maxBytes: true,
  retentionMs: true,
  leaseMs: true,
  flushMs: true,
  flushBytes: true,
}

const BACKEND_METHODS: readonly (keyof StreamBackend)[] = [
  'open',
  'latest',
  'read',
  'update',
  'requestStop',
  'remove',
  'removeExpired',
  'close',
]

/** Time between two attempts to replace a stream that is about to end. */
const REPLACE_POLL_MS = 20

/** Shortest time between two removals of expired streams by `open`. */
const PRUNE_INTERVAL_MS = 60_000

/** What the logs of all tenants share. */
interface SharedState {
  readonly backend: StreamBackend
  readonly options: StreamLogWriterOptions
  readonly tails: Map<string, StreamTail>
  readonly writers: Map<string, BatchingStreamLogWriter>
  prunedAtMs: number
  isClosed: boolean
}

/**
 * Creates a stream log on top of a backend.
 *
 * @example
 * const streams = createStreamLog(myBackend, { tenant: 'acme' })
 */
export function createStreamLog(backend: StreamBackend, streamOptions: StreamLogOptions = {}): StreamLog {
  return withTypedErrors(() => {
    checkOptions('the stream log', streamOptions, STREAM_LOG_OPTION_NAMES)
    checkMethods(backend, 'backend', 'a stream backend', BACKEND_METHODS)
    const { tenant = 'default', encryption, ...given } = streamOptions
    const stated = Object.entries(given).filter(([, value]) => value !== undefined)
    const options: StreamLogWriterOptions = { ...DEFAULT_OPTIONS, ...Object.fromEntries(stated) }
    for (const name of Object.keys(DEFAULT_OPTIONS) as (keyof StreamLogWriterOptions)[])
      checkCount(options[name], name)
    const shared = {
      backend:
        encryption === undefined
          ? refuseEncryptedStreams(backend)
          : encryptStreamBackend(backend, checkKeyring(encryption.keys)),
      options,
      tails: new Map<string, StreamTail>(),
      writers: new Map<string, BatchingStreamLogWriter>(),
      prunedAtMs: -PRUNE_INTERVAL_MS,
      isClosed: false,
    }
    return bindTenant(shared, tenant)
  }, [backend, streamOptions])
}

function bindTenant(shared: SharedState, tenant: string): StreamLog {
  checkIdentifier(tenant, 'tenant')
  const { backend, tails, writers } = shared
  return Object.freeze({
    tenant,
    forTenant: (other: string) => bindTenant(shared, other),
    open: (topic: string, options?: OpenStreamOptions) => openStream(shared, tenant, topic, options),
    latest: async (topic: string) => {
      const row = await backend.latest(tenant, checkIdentifier(topic, 'topic'))
      return row && toStreamInfo(row)
    },
    read: (stream: string, options?: ReadStreamOptions) => readStream(shared, tenant, stream, options),
    requestStop: async (stream: string) => {
      checkIdentifier(stream, 'stream')
      if (tails.get(stream)?.tenant === tenant) writers.get(stream)?.stop()
      else await backend.requestStop(tenant, stream)
    },
    remove: (topic: string) => backend.remove(tenant, checkIdentifier(topic, 'topic')),
    prune: () => backend.removeExpired(),
    close: async () => {
      if (shared.isClosed) return
      shared.isClosed = true
      await Promise.allSettled([...writers.values()].map((writer) => writer.end('aborted')))
      await backend.close()
    },
  })
}

async function openStream(
  shared: SharedState,
  tenant: string,
  topic: string,
  openOptions: OpenStreamOptions = {},
): Promise<StreamLogWriter> {
  checkOptions('open()', openOptions, { replaceAfterMs: true })
  const { replaceAfterMs } = openOptions
  const { backend, options, tails, writers } = shared
  if (shared.isClosed) throw createStorageClosedError()
  checkIdentifier(topic, 'topic')
  if (replaceAfterMs !== undefined && !(typeof replaceAfterMs === 'number' && replaceAfterMs >= 0))
    throwInvalidValue('replaceAfterMs', 'another value', 'a number of milliseconds, or 0')
  if (performance.now() - shared.prunedAtMs > PRUNE_INTERVAL_MS) {
    shared.prunedAtMs = performance.now()
    await backend.removeExpired()
  }
  const stream = { id: createId('stream'), tenant, topic, holder: describeProcess(), dataKey: null }
  const endMs = performance.now() + (replaceAfterMs ?? 0)
  for (let replaced: string | undefined; ;) {
    const active: StreamRow | undefined = await backend.open(stream, options, replaced)
    if (active === undefined) break
    const isLate = replaceAfterMs !== undefined && performance.now() >= endMs
    if (isLate || hasProcessEnded(active.holder)) replaced = active.id
    else if (replaceAfterMs === undefined) throw createActiveStreamError()
    else await sleep(REPLACE_POLL_MS)
  }
  const tail = new StreamTail(tenant)
  const writer = new BatchingStreamLogWriter(stream.id, backend, tail, options, () => {
    tails.delete(stream.id)
    writers.delete(stream.id)
  })
  tails.set(stream.id, tail)
  writers.set(stream.id, writer)
  return writer
}

function readStream(
  shared: SharedState,
  tenant: string,
  stream: string,
  readOptions: ReadStreamOptions = {},
): AsyncIterableIterator<StreamEntry> {
  checkOptions('read()', readOptions, { after: true, signal: true })
  const { after = 0, signal } = readOptions
  checkIdentifier(stream, 'stream')
  if (!Number.isSafeInteger(after) || after < 0)
    throwInvalidValue('after', 'another value', 'the number of a chunk, or 0')
  // A generator cannot be stopped while it waits: leaving the loop wakes it.
  const controller = new AbortController()
  const entries = followStream(shared, tenant, stream, after, controller.signal)
  return forwardIterable(entries, { cancel: () => controller.abort(), ...(signal && { signal }) })
}

function toStreamInfo(row: StreamRow): StreamInfo {
  const { id, topic, firstEvent, lastEvent } = row
  return Object.freeze({ id, topic, status: getCurrentStatus(row), firstEvent, lastEvent })
}

function createActiveStreamError(): Error {
  return createConflictError(
    'The topic has an active stream',
    'Wait until it has ended, or pass `replaceAfterMs`.',
    { found: 'an active stream', expected: 'no active stream', retryable: true },
  )
}
