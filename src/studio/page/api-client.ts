import { type ReadonlySignal, signal } from '@preact/signals'
import { parseNdjson } from '../../wire/ndjson.ts'
import type { ApiError, StudioCalls, StudioStreams } from '../api/contract.ts'

const TOKEN_KEY = 'interlingua-token'
const RETRY_MS = 1500

/** A message may contain files, and the requests of the gateway are watched for days. */
const NO_LIMITS = { maxLineChars: Infinity, maxTotalChars: Infinity }

/** `refused`: the token is of an earlier start. `offline`: the server does not respond. */
export type ConnectionState = 'open' | 'refused' | 'offline'

const connectionState = signal<ConnectionState>('open')
const connectionCount = signal(1)

export const connection: ReadonlySignal<ConnectionState> = connectionState
/** Increases when the connection is open again, so that views load their data anew. */
export const connections: ReadonlySignal<number> = connectionCount

/** A call that failed, with the error of the server. */
export class CallError extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor({ code, message, hint }: ApiError) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** Stores the token of the address, which the command printed, and removes it from the address. */
export function adoptToken(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  localStorage.setItem(TOKEN_KEY, token)
  history.replaceState(null, '', `${location.pathname}#/`)
}

/** Connects again when another tab was opened with the token of a new start. */
export function followToken(): void {
  addEventListener('storage', ({ key }) => {
    if (key === TOKEN_KEY) void reconnect()
  })
}

/** Calls a function of the server. */
export async function call<Name extends keyof StudioCalls>(
  name: Name,
  input: StudioCalls[Name]['input'],
): Promise<StudioCalls[Name]['output']> {
  const response = await post(name, input)
  return (await response.json()) as StudioCalls[Name]['output']
}

/** Calls a function of the server that returns a stream. Aborting the signal ends it on the server, too. */
export async function* openStream<Name extends keyof StudioStreams>(
  name: Name,
  input: StudioStreams[Name]['input'],
  abort: AbortSignal,
): AsyncGenerator<StudioStreams[Name]['output']> {
  const { body } = await post(name, input, abort)
  if (body !== null)
    yield* parseNdjson(body, { limits: NO_LIMITS }) as AsyncIterable<unknown> as AsyncIterable<
      StudioStreams[Name]['output']
    >
}

async function post(name: string, input: object, abort?: AbortSignal): Promise<Response> {
  const response = await send(name, input, abort)
  if (response.ok) return response
  if (response.status === 401) connectionState.value = 'refused'
  const error = await response.json().catch(() => undefined)
  throw new CallError(
    (error as ApiError | undefined) ?? {
      code: 'internal',
      message: `The studio answered ${response.status}.`,
    },
  )
}

/** Describes an error for the user: what happened, and what to do. */
export function describeCallError(error: unknown): string {
  if (error instanceof CallError) return [error.message, error.hint].filter(Boolean).join(' ')
  // A request that cannot be sent is a TypeError; other errors are those of the browser, such as a refused clipboard.
  if (error instanceof Error && !(error instanceof TypeError)) return error.message
  return 'The studio does not respond. Is it still running?'
}

async function send(name: string, input: object, abort?: AbortSignal): Promise<Response> {
  try {
    return await fetch(`/api/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${localStorage.getItem(TOKEN_KEY) ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(input),
      ...(abort && { signal: abort }),
    })
  } catch (error) {
    if (abort?.aborted !== true) loseConnection()
    throw error
  }
}

/** Reports that a stream or call ended without an answer, and connects again when the server responds. */
export function loseConnection(): void {
  if (connectionState.peek() !== 'open') return
  connectionState.value = 'offline'
  reconnectLater()
}

let retryTimer: ReturnType<typeof setTimeout> | undefined

function reconnectLater(): void {
  clearTimeout(retryTimer)
  retryTimer = setTimeout(() => void reconnect(), RETRY_MS)
}

async function reconnect(): Promise<void> {
  clearTimeout(retryTimer)
  try {
    const response = await send('gateway.status', {})
    connectionState.value = response.ok ? 'open' : 'refused'
    if (response.ok) connectionCount.value++
  } catch {
    connectionState.value = 'offline'
    reconnectLater()
  }
}
