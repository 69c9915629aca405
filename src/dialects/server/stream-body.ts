import { concatBytes } from '../../wire/byte-source.ts'
import { openBatchReader } from '../../wire/iterable-source.ts'
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

const encoder = new TextEncoder()

/** Turns the server-sent events of Gemini into a JSON array, which it sends unless the query asks for events. */
export async function* toJsonArray(
  events: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  let separator = '['
  for await (const event of events) {
    const payload = decoder
      .decode(event)
      .replace(/^data: /, '')
      .trim()
    yield encoder.encode(`${separator}${payload}`)
    separator = ',\r\n'
  }
  yield encoder.encode(separator === '[' ? '[]' : ']')
}

/**
 * Returns bytes as the body of a response. They are read on demand, so that a slow client slows down their source; those that are
 * available are sent together. `onEnd` is called when they have been read to their end, have failed, or are no longer wanted.
 */
export function toReadableStream(
  bytes: AsyncIterable<Uint8Array>,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  const reader = openBatchReader(bytes)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await reader.read()
          if (next.done !== true) return controller.enqueue(concatBytes(next.value))
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
