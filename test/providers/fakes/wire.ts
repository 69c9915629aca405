import type { Captured } from './server.ts'

/** A wire format as its provider speaks it, written from what is known of the provider and not with our encoders. */
export interface FakeWire {
  /** Where it is asked, below the base URL; `stream` is part of some paths. */
  path(model: string, stream: boolean): string
  /** The whole answer that says a text. */
  readonly whole: unknown
  /** The same answer as a stream: one piece for each event. */
  readonly events: readonly string[]
  /** The events for this request, where they depend on what it asks for. */
  readonly streamed?: (request: Captured) => readonly string[]
  readonly streamType: string
  /** Whether a request asks for a stream. */
  isStream(request: Captured): boolean
  /** What a server answers with status 422 to a request that it does not take. */
  refused?(request: Captured): unknown
  /** The body of an error. */
  error(status: number, message: string): unknown
  /** The body of the error of a conversation that is too long, and its status. */
  readonly overflow: readonly [status: number, body: unknown]
  /** An error in the middle of a stream, as an event. */
  readonly errorEvent: string
}

/** The body of an error, as both formats of OpenAI have it. */
export const openaiError: FakeWire['error'] = (status, message) => ({
  error: { message, type: status === 429 ? 'requests' : 'invalid_request_error', param: null, code: null },
})

/** What every fake says. */
export const SAID = 'Hello there.'
export const USAGE: { readonly inputTokens: number; readonly outputTokens: number } = {
  inputTokens: 11,
  outputTokens: 4,
}

/** An event of a stream of server-sent events. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
