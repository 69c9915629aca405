import { joinAsBytes } from '../../wire/byte-source.ts'
import { openBatchReader } from '../../wire/iterable-source.ts'
import type { FramedEvent } from '../engine/stream-encoder.ts'
import type { DialectName } from '../engine/dialect.ts'

/** The content types of streams. */
export const STREAM_TYPES: { readonly [dialect in DialectName]: string } = {
  anthropic: 'text/event-stream; charset=utf-8',
  gemini: 'text/event-stream',
  ollama: 'application/x-ndjson',
  'openai-chat': 'text/event-stream; charset=utf-8',
  'openai-responses': 'text/event-stream; charset=utf-8',
  mistral: 'text/event-stream; charset=utf-8',
  'gemini-interactions': 'text/event-stream',
  bedrock: 'application/vnd.amazon.eventstream',
  cohere: 'text/event-stream; charset=utf-8',
}

/** Turns the server-sent events of Gemini into a JSON array, which it sends unless the query asks for events. */
export async function* toJsonArray(
  events: AsyncIterable<FramedEvent>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let separator = '['
  for await (const event of events) {
    const text = typeof event === 'string' ? event : decoder.decode(event)
    yield `${separator}${text.replace(/^data: /, '').trim()}`
    separator = ',\r\n'
  }
  yield separator === '[' ? '[]' : ']'
}

/**
 * Returns events as the body of a response. They are read on demand, so that a slow client slows down their source; those that are
 * available are sent together. `onEnd` is called when they have been read to their end, have failed, or are no longer wanted.
 */
export function toReadableStream(
  events: AsyncIterable<FramedEvent>,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  const reader = openBatchReader(events)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read()
          if (next.done !== true) return controller.enqueue(joinAsBytes(next.value))
          controller.close()
          onEnd()
        } catch (error) {
          onEnd()
          throw error
        }
      },
      async cancel(reason) {
        await reader.cancel(reason).finally(onEnd)
      },
    },
    { highWaterMark: 0 },
  )
}
