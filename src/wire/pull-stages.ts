/** Reads a source chunk by chunk; `End` is the value with which it ends. */
export interface SourceReader<Chunk, End = unknown> {
  read(): Promise<IteratorResult<Chunk, End>>
  /** Stops the source and releases what it holds. */
  cancel(reason: unknown): Promise<unknown>
}

/**
 * Reads a source with callbacks. A chain of readers that return promises creates several of them for each reader and chunk, which
 * costs more than to decode a small chunk; a chain of these creates none.
 */
export interface CallbackReader<Chunk, End = unknown> {
  /** Calls one of the functions once, perhaps before it returns. They do not throw. */
  request(receive: (next: IteratorResult<Chunk, End>) => void, fail: (error: unknown) => void): void
  /** Stops the source and releases what it holds. */
  cancel(reason: unknown): Promise<unknown>
}

/** Splits chunks into values, which it passes to the callback of its factory. */
export interface ChunkParser<Chunk> {
  readonly push: (chunk: Chunk) => void
  readonly end: () => void
}

/** The error that ended the reading. */
export interface StreamFailure {
  readonly error: unknown
  /** True if the transform itself threw the error. */
  readonly isFromTransform?: true
}

/** Turns values into outputs. An error that `read` throws ends the reading, like an error of the source. */
export interface StreamTransform<T, Output> {
  /** True once no further output follows: the source is cancelled and `end` is not called. */
  readonly isDone?: boolean
  /** Returns the outputs of one value. It is called when the first of them is requested. */
  read(value: T): readonly Output[]
  /** Returns the last outputs, also after a failure; a failure that they do not report must be thrown. */
  end(failure: StreamFailure | undefined): readonly Output[]
}

/** The parts of a `PullIterator`. It returns outputs, or with `join` what is joined from several. */
export interface PullStages<Chunk, T, Output, Returned = Output> {
  /** Opens the source. It is called before the first read, or when an unread source is cancelled. */
  readonly open: () => SourceReader<Chunk> | CallbackReader<Chunk>
  readonly createParser: (onValue: (value: T) => void) => ChunkParser<Chunk>
  readonly transform: StreamTransform<T, Output>
  /** Joins outputs that are available without waiting: those of one chunk, if they are not too many. */
  readonly join?: (outputs: readonly Output[]) => Returned
  readonly signal?: AbortSignal | undefined
  /** Called when no further output follows, however the iteration ends; calls after the first must have no effect. */
  readonly onClose?: (() => void) | undefined
}

/** A reader of both kinds. */
export type AnyReader<Chunk, End = unknown> = SourceReader<Chunk, End> & CallbackReader<Chunk, End>

/** Adds callbacks to a reader that returns promises. */
export function withCallbacks<Chunk, End>(reader: SourceReader<Chunk, End>): AnyReader<Chunk, End> {
  return {
    read: () => reader.read(),
    request: (receive, fail) => void reader.read().then(receive, fail),
    cancel: (reason) => reader.cancel(reason),
  }
}
