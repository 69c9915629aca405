import type { DialectName } from '../../dialects/engine/dialect.ts'
import type { ProviderErrorKind } from '../../errors.ts'
import { quoteOrDescribe, throwInvalid } from '../../canonical/shape/shape.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { suggestNames } from '../../wire/similar-names.ts'
import { MAX_TIMER_MS, sleep } from '../../wire/cancellation.ts'
import { createMockRefusal, toErrorResponse } from './refusals.ts'

/**
 * A failure that the mock provider simulates for one request: an error response, or a response that is cut off, stalls,
 * is malformed or slow.
 *
 * @example
 * const faults = [{ type: 'error', status: 429, retryAfterSeconds: 2 }, { type: 'cut', afterChunks: 3 }]
 */
export type Fault =
  | { readonly type: 'error'; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly type: 'cut'; readonly afterChunks?: number }
  | { readonly type: 'stall'; readonly afterChunks?: number }
  | { readonly type: 'malformed' }
  | { readonly type: 'slow'; readonly delayMs: number }

const FAULT_NAMES: { readonly [Type in Fault['type']]: OptionNames<Extract<Fault, { type: Type }>> } = {
  error: { type: true, status: true, retryAfterSeconds: true },
  cut: { type: true, afterChunks: true },
  stall: { type: true, afterChunks: true },
  malformed: { type: true },
  slow: { type: true, delayMs: true },
}

/** Throws for a fault that would have no effect: a test with it would pass without testing anything. */
export function checkFault(fault: Fault): void {
  const type: unknown = isObject(fault) ? fault.type : undefined
  if (typeof type !== 'string' || !Object.hasOwn(FAULT_NAMES, type))
    throwInvalid(
      'invalid-value',
      child(undefined, 'faults'),
      quoteOrDescribe(type),
      'a fault with a known `type`',
      suggestNames(type, Object.keys(FAULT_NAMES)),
    )
  checkOptions(`the fault '${type}'`, fault, FAULT_NAMES[fault.type] as OptionNames<Fault>)
}

/** The kind and the text of an error by its status. */
const ERROR_TEXTS: { readonly [status: number]: readonly [kind: ProviderErrorKind, text: string] } = {
  400: ['invalid-request', 'The request is invalid.'],
  401: ['authentication', 'Incorrect API key provided.'],
  402: ['quota', 'The credit balance is too low.'],
  403: ['permission', 'The key has no access to this resource.'],
  404: ['not-found', 'The resource was not found.'],
  413: ['too-large', 'The request exceeds the maximum size.'],
  429: ['rate-limit', 'The rate limit is exceeded. Try again later.'],
  500: ['server', 'The server had an error while processing the request.'],
  502: ['server', 'Bad gateway.'],
  503: ['overloaded', 'The service is unavailable.'],
  504: ['timeout', 'The request timed out.'],
  529: ['overloaded', 'Overloaded'],
}

/** Returns the response of an `error` fault. */
export function createFaultResponse(
  dialect: DialectName,
  { status, retryAfterSeconds }: Extract<Fault, { type: 'error' }>,
): Response {
  const [kind, text] = ERROR_TEXTS[status] ?? [status < 500 ? 'invalid-request' : 'server', `Error ${status}`]
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000
  return toErrorResponse(dialect, createMockRefusal(dialect, kind, status, text, retryAfterMs))
}

/** The number of chunks before a cut or a stall, unless the fault has its own. */
const DEFAULT_CHUNKS = 1

/** Applies a fault to the chunks of a response body. A cut throws, so that the server closes the connection. */
export async function* applyFault(
  chunks: AsyncIterable<Uint8Array>,
  fault: Fault | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let count = 0
  for await (const chunk of chunks) {
    if (fault?.type === 'slow') await sleep(fault.delayMs, signal)
    const isOver =
      (fault?.type === 'cut' || fault?.type === 'stall') && count >= (fault.afterChunks ?? DEFAULT_CHUNKS)
    if (isOver && fault.type === 'cut') throw new Error('The mock provider cut the connection')
    if (isOver) await sleep(MAX_TIMER_MS, signal)
    yield fault?.type === 'malformed' ? breakJson(chunk) : chunk
    count++
  }
}

/** Removes the last third of a chunk, which leaves JSON open. */
function breakJson(chunk: Uint8Array): Uint8Array {
  const kept = chunk.subarray(0, Math.ceil((chunk.length * 2) / 3))
  const lineEnd = new TextEncoder().encode('\n\n')
  const broken = new Uint8Array(kept.length + lineEnd.length)
  broken.set(kept)
  broken.set(lineEnd, kept.length)
  return broken
}
