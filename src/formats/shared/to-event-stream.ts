import { formatSseEvent } from '../../wire/sse.ts'

/** The headers of a response with server-sent events, which keep proxies from buffering them. */
export const eventStreamHeaders: { readonly [name: string]: string } = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
})

/** Streams values as server-sent events, on demand; `last` is the data of a last event. */
export function toEventStream(values: AsyncIterator<object>, last?: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await values.next()
        const data = done === true ? last : JSON.stringify(value)
        if (data !== undefined) controller.enqueue(encoder.encode(formatSseEvent({ data })))
        if (done === true) controller.close()
      },
      async cancel() {
        await values.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
