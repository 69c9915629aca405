/** The reason why a stream ended. `interrupted`: its writer stopped without ending it, for example because its process died. */
export type StreamEndReason = 'complete' | 'failed' | 'aborted' | 'interrupted' | 'expired'

/** One chunk of a stream. */
export interface StreamChunk {
  readonly type: 'chunk'
  /** Number of the chunk; the first one is 1. Pass the last one that a client has to `read` to continue after it. */
  readonly event: number
  readonly data: string
}

/** Chunks that are no longer stored, because the stream exceeded its limits. */
export interface StreamTruncation {
  readonly type: 'truncated'
  readonly firstMissing: number
  readonly lastMissing: number
}

/** The last entry of every stream. */
export interface StreamEnd {
  readonly type: 'end'
  readonly reason: StreamEndReason
  /** The code of the error that a failed stream ended with. */
  readonly code?: string
}

/** An entry that a reader of a stream receives. */
export type StreamEntry = StreamChunk | StreamTruncation | StreamEnd

/** The state of a stream. */
export interface StreamInfo {
  /** Id of the stream: a topic has a new stream for every run. */
  readonly id: string
  readonly topic: string
  /** `active` while its writer renews its lease; otherwise how it ended. */
  readonly status: 'active' | Exclude<StreamEndReason, 'expired'>
  /** Number of the oldest chunk that is stored. */
  readonly firstEvent: number
  /** Number of the newest chunk that is stored; 0 before the first one. */
  readonly lastEvent: number
}

/** Writes one stream. Only one writer can have a topic: a replaced one fails with `conflict`. */
export interface StreamLogWriter {
  readonly id: string
  /** Aborted when the stream was asked to stop, or when another writer has replaced this one. */
  readonly signal: AbortSignal
  /**
   * Adds a chunk. Readers in this process receive it at once, others after the next flush. Resolves immediately, unless
   * the storage is so slow that the chunks in memory exceed a limit. Rejects once chunks could not be stored.
   */
  append(data: string): Promise<void>
  /** Stores the remaining chunks and the end. Calls after the first have no effect. */
  end(reason?: 'complete' | 'failed' | 'aborted', code?: string): Promise<void>
}

/** Options for opening a stream. */
export interface OpenStreamOptions {
  /**
   * Milliseconds to wait until the active stream of the topic has ended; then it is ended as `interrupted`, and its
   * writer cannot write any more. Default: an active stream is not replaced, and `open` fails with `conflict`.
   */
  readonly replaceAfterMs?: number
}

/** Options for reading a stream. */
export interface ReadStreamOptions {
  /** Number of the last chunk that the client has. Default: 0, the start of the stream. */
  readonly after?: number
  /** Ends the reading; the stream itself continues. */
  readonly signal?: AbortSignal
}

/**
 * Stores the chunks of running answers for a short time, so that a client that lost its connection can continue in any
 * process. The conversation itself belongs in a storage: a log forgets its streams.
 *
 * @example
 * const writer = await streams.open(chatId)
 * for await (const chunk of chunks) await writer.append(JSON.stringify(chunk))
 * await writer.end()
 * // after a reload, in this process or another one:
 * const active = await streams.latest(chatId)
 * for await (const entry of streams.read(active.id, { after: 17 })) console.log(entry)
 */
export interface StreamLog {
  readonly tenant: string
  /** Returns the same log for another tenant, which sees none of the streams of this one. */
  forTenant(tenant: string): StreamLog
  /** Starts a new stream of a topic, such as the id of a conversation. */
  open(topic: string, options?: OpenStreamOptions): Promise<StreamLogWriter>
  /** Returns the newest stream of a topic; `undefined` without one, or if it has expired. */
  latest(topic: string): Promise<StreamInfo | undefined>
  /**
   * Reads a stream and follows it until its end, which is always the last entry: a reader never waits for a writer that
   * has died. Any number of readers can read a stream. Fails with `unknown-id` if there is no such stream.
   */
  read(stream: string, options?: ReadStreamOptions): AsyncIterableIterator<StreamEntry>
  /** Asks the writer of a stream to stop; its `signal` is aborted. */
  requestStop(stream: string): Promise<void>
  /** Removes the streams of a topic. */
  remove(topic: string): Promise<void>
  /** Removes expired streams of all tenants; returns their number. `open` does this from time to time. */
  prune(): Promise<number>
  close(): Promise<void>
}
