import type { StreamInfo } from './stream-log.ts'

/** A stream as a backend stores it. */
export interface StreamRow extends StreamInfo {
  readonly tenant: string
  /** The process that writes it. */
  readonly holder: string
  /** Code of the error of a failed stream. */
  readonly code: string | null
  readonly isStopRequested: boolean
  /** Wrapped key of an encrypted stream. */
  readonly dataKey: string | null
  /** Milliseconds until the lease of the writer expires, by the clock that all processes share. */
  readonly leaseRemainingMs: number
}

/** The fields of a new stream. */
export type NewStream = Pick<StreamRow, 'id' | 'tenant' | 'topic' | 'holder' | 'dataKey'>

/** Consecutive chunks that were stored together. */
export interface StreamBatch {
  readonly firstEvent: number
  readonly lastEvent: number
  /** The chunks as a JSON list of texts. */
  readonly body: string
}

/** Times after which a stream is deleted, and after which its writer counts as dead. */
export interface StreamTimes {
  readonly leaseMs: number
  readonly retentionMs: number
}

/** The changes of one write to a stream. */
export interface StreamUpdate extends StreamTimes {
  readonly tenant: string
  readonly batch?: StreamBatch
  /** Number of the oldest chunk to keep; batches that end before it are removed. */
  readonly firstEvent: number
  readonly lastEvent: number
  /** The status after this write. */
  readonly status: StreamRow['status']
  readonly code: string | null
}

/** A stream, and its batches from a chunk on, from one snapshot. */
export interface StreamPage {
  readonly row: StreamRow
  readonly batches: readonly StreamBatch[]
}

/** Stores streams. Every method is atomic; streams that have expired are not found. */
export interface StreamBackend {
  /**
   * Adds a stream as the newest of its topic, and ends the one before as `interrupted` if it is still active. If that
   * one has a lease which has not expired and is not `replaced`, nothing changes, and it is returned.
   */
  open(stream: NewStream, times: StreamTimes, replaced?: string): Promise<StreamRow | undefined>
  latest(tenant: string, topic: string): Promise<StreamRow | undefined>
  /** Returns a stream and some of its batches that contain chunks from `firstEvent` on, in order. */
  read(tenant: string, id: string, firstEvent: number): Promise<StreamPage | undefined>
  /** Writes to an active stream and renews its lease; returns `undefined` if it is not active any more. */
  update(id: string, update: StreamUpdate): Promise<Pick<StreamRow, 'isStopRequested'> | undefined>
  requestStop(tenant: string, id: string): Promise<void>
  remove(tenant: string, topic: string): Promise<void>
  removeExpired(): Promise<number>
  close(): Promise<void>
}
