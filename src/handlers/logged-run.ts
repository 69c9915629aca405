import type { AgentStream } from '../agent/agent-stream.ts'
import { InterlinguaError } from '../errors.ts'
import { onAbort } from '../wire/cancellation.ts'
import type { StreamLog, StreamLogWriter } from '../stores/streams/stream-log.ts'

/** How long a run waits for the stream of the run before it, which may still have to write its end. */
const REPLACE_AFTER_MS = 2_000

/** A run whose chunks are written to a stream log. */
export interface LoggedRun {
  /** The id of its stream. */
  readonly id: string
  /** Number of the last chunk that the client which started the run does not need. */
  readonly after: number
  /** Stops the run. */
  readonly stop: () => void
}

/** The parts of a run that is started. */
export interface LoggedRunParts {
  readonly streams: StreamLog
  readonly topic: string
  /** Starts the run, which ends when the signal is aborted. Rejects if it cannot start. */
  readonly start: (signal: AbortSignal) => Promise<AgentStream<unknown>>
  /** Converts the run to chunks of a protocol. */
  readonly toChunks: (stream: AgentStream<unknown>) => AsyncIterable<ProtocolChunk>
  /** Chunks that a client needs first if it did not start the run: those of the message that the run continues. */
  readonly replay: readonly object[]
  readonly onError: (error: unknown) => void
}

/** Returns the first chunk of a stream for clients that did not start the run. */
function toReplayChunk(chunks: readonly object[]): string {
  return JSON.stringify({ replay: chunks })
}

/** Returns the chunks that a stored chunk consists of: itself, or those that {@link toReplayChunk} contains. */
export function splitStoredChunk(data: string): readonly string[] {
  if (!data.startsWith('{"replay":')) return [data]
  return (JSON.parse(data) as { readonly replay: readonly object[] }).replay.map((chunk) =>
    JSON.stringify(chunk),
  )
}

/** A chunk of a protocol. */
export interface ProtocolChunk {
  readonly type: string
  readonly outcome?: { readonly type: string }
}

/** Chunk types that end a stream in another way than by its completion. */
const END_REASONS: { readonly [type: string]: 'failed' | 'aborted' } = {
  error: 'failed',
  RUN_ERROR: 'failed',
  abort: 'aborted',
  cancelled: 'aborted',
}

/** Starts a run, and writes its chunks to the log until it ends, with or without a reader. */
export async function startLoggedRun(parts: LoggedRunParts): Promise<LoggedRun> {
  const { streams, topic, start, replay, onError } = parts
  const controller = new AbortController()
  const stream = await start(controller.signal)
  let writer: StreamLogWriter
  try {
    writer = await streams.open(topic, { replaceAfterMs: REPLACE_AFTER_MS })
    if (replay.length > 0) await writer.append(toReplayChunk(replay))
  } catch (error) {
    controller.abort()
    await stream.result.catch(() => undefined)
    throw error
  }
  stream.result.catch((error: unknown) => {
    if (!controller.signal.aborted) onError(error)
  })
  const stop = (): void => controller.abort()
  const removeListener = onAbort(writer.signal, () => {
    // A log that fails does not end the run: its messages are stored.
    if (isStopReason(writer.signal.reason)) stop()
  })
  void writeChunks(parts.toChunks(stream), writer, onError).finally(removeListener)
  return { id: writer.id, after: replay.length > 0 ? 1 : 0, stop }
}

function isStopReason(reason: unknown): boolean {
  return reason instanceof InterlinguaError && (reason.code === 'aborted' || reason.code === 'conflict')
}

async function writeChunks(
  chunks: AsyncIterable<ProtocolChunk>,
  writer: StreamLogWriter,
  onError: (error: unknown) => void,
): Promise<void> {
  let reason: 'complete' | 'failed' | 'aborted' = 'complete'
  let isLogging = true
  const write = async (act: () => Promise<void>): Promise<void> => {
    if (!isLogging) return
    await act().catch((error: unknown) => {
      isLogging = false
      onError(error)
    })
  }
  try {
    for await (const chunk of chunks) {
      reason = END_REASONS[chunk.outcome?.type ?? chunk.type] ?? reason
      await write(() => writer.append(JSON.stringify(chunk)))
    }
  } catch (error) {
    onError(error)
    reason = 'failed'
  }
  await write(() => writer.end(reason))
}
