import type { ServerResponse } from 'node:http'
import { FastResponse } from 'srvx/node'
import type { FramedEvent } from '../../dialects/engine/stream-encoder.ts'
import { joinAsBytes } from '../../wire/byte-source.ts'
import { openBatchReader } from '../../wire/iterable-source.ts'
import type { AnyReader } from '../../wire/pull-stages.ts'
import type { ChatResponses } from '../chat-responses.ts'

/**
 * Responses whose bodies are written to the connection as they are. Those of the platform contain a web stream, which costs more than
 * to translate a short answer.
 */
export const nodeResponses: ChatResponses = {
  json(body, headers) {
    const text = JSON.stringify(body)
    const length = String(Buffer.byteLength(text))
    // One write: the platform joins the headers with a text that ends the response.
    const pipe = (response: ServerResponse): unknown => response.end(text)
    return toResponse({ pipe }, { 'content-type': 'application/json', 'content-length': length, ...headers })
  },
  stream: (events, headers, onEnd) => toResponse(new EventBody(events, onEnd), headers),
}

/** What writes a body to a response of Node. */
interface PipedBody {
  pipe(response: ServerResponse): unknown
}

function toResponse(body: PipedBody, headers: Readonly<Record<string, string>>): Response {
  return new FastResponse(body as unknown as BodyInit, { headers })
}

/**
 * The events of an answer as a body that is piped to a response of Node. They are read on demand, so that a slow client slows down
 * their source; those that are available are sent together.
 */
class EventBody implements PipedBody {
  readonly #events: AnyReader<readonly FramedEvent[]>
  readonly #onEnd: () => void

  constructor(events: AsyncIterable<FramedEvent>, onEnd: () => void) {
    this.#events = openBatchReader(events)
    this.#onEnd = onEnd
  }

  pipe(response: ServerResponse): void {
    // A client that has left emits no further event.
    if (response.destroyed) return this.destroy()
    const request = (): void => this.#events.request(receive, fail)
    const receive = (next: IteratorResult<readonly FramedEvent[], unknown>): void => {
      if (response.destroyed) return
      if (next.done === true) response.end()
      else if (response.write(joinEvents(next.value))) request()
      else response.once('drain', request)
    }
    const fail = (): void => void response.destroy()
    response.once('close', () => this.destroy())
    request()
  }

  /** Cancels the events that were not read; called for a client that has left, too. */
  destroy(): void {
    this.#events
      .cancel(undefined)
      .catch(() => {})
      .finally(this.#onEnd)
  }
}

function joinEvents(events: readonly FramedEvent[]): string | Uint8Array {
  return events.every((event) => typeof event === 'string') ? events.join('') : joinAsBytes(events)
}
