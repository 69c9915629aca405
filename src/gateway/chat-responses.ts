import { toReadableStream } from '../dialects/server/stream-body.ts'
import type { FramedEvent } from '../dialects/engine/stream-encoder.ts'

/** Creates the responses to chat requests. The server of Node sends their bodies in its own way. */
export interface ChatResponses {
  json(body: unknown, headers: Readonly<Record<string, string>>): Response
  /** `onEnd` is called when the events have been read to their end, have failed, or are no longer wanted. */
  stream(
    events: AsyncIterable<FramedEvent>,
    headers: Readonly<Record<string, string>>,
    onEnd: () => void,
  ): Response
}

/** Responses of the platform. */
export const webResponses: ChatResponses = {
  json: (body, headers) => Response.json(body, { headers }),
  stream: (events, headers, onEnd) => new Response(toReadableStream(events, onEnd), { headers }),
}
