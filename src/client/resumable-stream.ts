import { InterlinguaError } from '../errors.ts'
import { isObject, type Json, tryParseJson } from '../wire/json.ts'
import { createSseParser } from '../wire/sse.ts'
import type { StreamParser } from '../wire/utf8-reader.ts'

/** The statuses of a run that has not finished, in every API with background runs. */
const unfinishedStatuses: ReadonlySet<unknown> = new Set(['queued', 'in_progress'])

/** The fields of streamed events that identify a run and an event. */
export interface StreamCursorFields {
  /** The field with the response, which has an id and a status. */
  readonly response: string
  /** The field with the id of the event. */
  readonly eventId: string
}

const encoder = new TextEncoder()

/** Reads the position in the stream of a run. Only complete events are passed on, so that none is divided. */
export class StreamCursor {
  runId: string | undefined
  eventId: string | undefined
  /** True after the event that ends the run. */
  isEnded = false
  readonly #fields: StreamCursorFields
  readonly #onEventId: ((id: string) => void) | undefined
  #decoder = new TextDecoder()
  #parser: StreamParser
  /** The text after the last complete event. */
  #pieces: string[] = []
  #tail = ''

  constructor(fields: StreamCursorFields, onEventId?: (id: string) => void) {
    this.#fields = fields
    this.#onEventId = onEventId
    this.#parser = this.#createParser()
  }

  /** Adds bytes, and returns those of the events that they complete. */
  push(bytes: Uint8Array): Uint8Array {
    const text = this.#decoder.decode(bytes, { stream: true })
    // A blank line may be divided between two chunks.
    const probe = this.#tail + text
    const end = findLastEventEnd(probe) - this.#tail.length
    this.#tail = probe.slice(-3)
    if (end <= 0) {
      this.#pieces.push(text)
      return new Uint8Array()
    }
    const complete = this.#pieces.join('') + text.slice(0, end)
    this.#pieces = [text.slice(end)]
    this.#parser.push(complete)
    return encoder.encode(complete)
  }

  /** Discards an incomplete event, which the next connection repeats. */
  restart(): void {
    this.#decoder = new TextDecoder()
    this.#parser = this.#createParser()
    this.#pieces = []
    this.#tail = ''
  }

  /** Returns the bytes of an incomplete event, for a stream that cannot be continued. */
  takeRest(): Uint8Array {
    const rest = this.#pieces.join('') + this.#decoder.decode()
    this.restart()
    return encoder.encode(rest)
  }

  #createParser(): StreamParser {
    return createSseParser(({ data }) => {
      if (data === '[DONE]') this.isEnded = true
      this.#readEvent(tryParseJson(data))
    })
  }

  #readEvent(payload: Json | undefined): void {
    if (!isObject(payload)) return
    const { [this.#fields.response]: response, [this.#fields.eventId]: eventId } = payload
    if (isObject(response)) {
      const { id, status } = response
      if (typeof id === 'string' && id !== '') this.runId = id
      if (typeof status === 'string' && !unfinishedStatuses.has(status)) this.isEnded = true
    }
    if (payload['type'] === 'error' || payload['event_type'] === 'error') this.isEnded = true
    if (typeof eventId !== 'string' && typeof eventId !== 'number') return
    this.eventId = String(eventId)
    this.#onEventId?.(this.eventId)
  }
}

/** Returns the end of the last blank line in a text; 0 without one. */
function findLastEventEnd(text: string): number {
  const endAfter = (line: string): number => {
    const start = text.lastIndexOf(line)
    return start === -1 ? 0 : start + line.length
  }
  return Math.max(endAfter('\n\n'), endAfter('\n\r\n'))
}

/** Options for continuing a stream. */
interface StreamContinuation {
  readonly cursor: StreamCursor
  /** The number of connections without a new event after which the stream fails. */
  readonly maxAttempts: number
  readonly signal: AbortSignal | undefined
  /** Opens the stream after the last complete event. */
  readonly reopen: () => Promise<AsyncIterable<Uint8Array>>
}

/** Yields the complete events of a stream, and opens it again if it ends before its run. */
export async function* continueStream(
  first: AsyncIterable<Uint8Array>,
  { cursor, maxAttempts, signal, reopen }: StreamContinuation,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = first
  let attempts = 0
  for (;;) {
    const startId = cursor.eventId
    let failure: { readonly error: unknown } | undefined
    try {
      for await (const chunk of bytes) {
        const complete = cursor.push(chunk)
        if (complete.length > 0) yield complete
      }
    } catch (error) {
      if (isAborted(error, signal)) throw error
      failure = { error }
    }
    attempts = cursor.eventId === startId ? attempts + 1 : 1
    // A connection that ends regularly without a new event will bring none.
    const isExhausted = attempts >= maxAttempts || (failure === undefined && attempts > 1)
    const canContinue = cursor.runId !== undefined && cursor.eventId !== undefined && !isExhausted
    if (cursor.isEnded || !canContinue) {
      if (failure !== undefined && !cursor.isEnded) throw failure.error
      yield cursor.takeRest()
      return
    }
    cursor.restart()
    bytes = await reopen()
  }
}

function isAborted(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (error instanceof InterlinguaError && error.code === 'aborted')
}
