import type { Captured } from './server.ts'

/**
 * A wire format as its provider sends it, written from the provider's documentation and not with our
 * encoders.
 */
export interface FakeWire {
  /** The model of answers, if they do not contain the default of the fakes: that of the request. */
  readonly answerModel?: string
  /** The path below the base URL; `stream` is part of some paths. */
  path(model: string, stream: boolean): string
  /** The whole response with a text. */
  readonly whole: unknown
  /** The same response as a stream: one piece for each event. */
  readonly events: readonly string[]
  /** The events for a request, if they depend on it. */
  readonly streamed?: (request: Captured) => readonly string[]
  readonly streamType: string
  /** Returns true if a request asks for a stream. */
  isStream(request: Captured): boolean
  /** The response with status 422 to a request that the server rejects. */
  refused?(request: Captured): unknown
  /** The body of an error. */
  error(status: number, message: string): unknown
  /** The body of the error of a conversation that is too long, and its status. */
  readonly overflow: readonly [status: number, body: unknown]
  /** An error in the middle of a stream, as an event. */
  readonly errorEvent: string
}

/** The body of an error in both APIs of OpenAI. */
export const openaiError: FakeWire['error'] = (status, message) => ({
  error: { message, type: status === 429 ? 'requests' : 'invalid_request_error', param: null, code: null },
})

/** The text of every fake. */
export const FAKE_TEXT = 'Hello there.'
export const USAGE: { readonly inputTokens: number; readonly outputTokens: number } = {
  inputTokens: 11,
  outputTokens: 4,
}

/** An event of a stream of server-sent events. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
