import { eventStreamHeaders } from '../formats/shared/to-event-stream.ts'
import type { StreamEntry, StreamLog } from '../stores/streams/stream-log.ts'
import { formatSseEvent } from '../wire/sse.ts'
import { splitStoredChunk } from './logged-run.ts'

/** What differs between the protocols when a stream is sent. */
export interface StreamProtocol {
  readonly headers: { readonly [name: string]: string }
  /** The data of the last event, if the protocol has one. */
  readonly lastData?: string
  /** Returns the chunk for a stream that ended without an end of its own. */
  toFailure(code: 'stream-broken' | 'stream-cut'): object
  /**
   * Returns the chunks of the answer from the storage, for a client that has nothing of a stream whose start is lost.
   */
  rebuild?(): Promise<AsyncIterable<object>>
}

/** A stream to send. */
export interface StreamSelection {
  readonly streams: StreamLog
  readonly id: string
  /** Number of the last chunk that the client has. */
  readonly after: number
  readonly signal: AbortSignal
  /** Called when the client has disconnected before the end. */
  readonly onDisconnect?: () => void
}

/** Returns a response that sends a stream as server-sent events, whose ids a client can continue after. */
export function toStreamResponse(selection: StreamSelection, protocol: StreamProtocol): Response {
  const { streams, id, after, signal, onDisconnect = () => {} } = selection
  const entries = streams.read(id, { after, signal })
  const frames = toFrames(entries, selection, protocol)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await frames.next()
          if (done === true) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          // The request was aborted: the rest is not read.
          onDisconnect()
          controller.error(error)
        }
      },
      async cancel() {
        onDisconnect()
        // Ends a pending read, so that the frames end, too.
        await entries.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...eventStreamHeaders, ...protocol.headers } })
}

async function* toFrames(
  entries: AsyncIterable<StreamEntry>,
  { id, after }: StreamSelection,
  protocol: StreamProtocol,
): AsyncGenerator<string, void, undefined> {
  let isEmpty = after === 0
  let isRebuilding = false
  for await (const entry of entries) {
    if (entry.type === 'chunk') {
      if (isRebuilding) continue
      isEmpty = false
      const parts = splitStoredChunk(entry.data)
      for (const data of parts.slice(0, -1)) yield formatSseEvent({ data })
      yield formatSseEvent({ id: `${id}:${entry.event}`, data: parts.at(-1) ?? '' })
    } else if (entry.type === 'truncated') {
      isRebuilding = isEmpty && protocol.rebuild !== undefined
      if (isRebuilding) continue
      yield formatSseEvent({ data: JSON.stringify(protocol.toFailure('stream-cut')) })
      break
    } else if (entry.reason === 'interrupted' || entry.reason === 'expired') {
      yield formatSseEvent({ data: JSON.stringify(protocol.toFailure('stream-broken')) })
    } else if (isRebuilding && protocol.rebuild !== undefined) {
      for await (const chunk of await protocol.rebuild())
        yield formatSseEvent({ data: JSON.stringify(chunk) })
    }
  }
  if (protocol.lastData !== undefined) yield formatSseEvent({ data: protocol.lastData })
}

/** Reads the number of the last chunk that a client has of a stream; `undefined` without such a `last-event-id` header. */
export function readLastEvent(request: Request, stream: string): number | undefined {
  const header = request.headers.get('last-event-id')
  if (header === null) return undefined
  const [, id, event = ''] = /^(.+):(\d{1,15})$/.exec(header) ?? []
  return id === stream ? Number(event) : undefined
}
