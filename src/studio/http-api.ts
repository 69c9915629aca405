import { createHash, timingSafeEqual } from 'node:crypto'
import { InterlinguaError } from '../errors.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import { describeType, isObject, omitUndefined, tryParseJson } from '../wire/json.ts'
import { readRequestText } from '../wire/read-request-text.ts'
import type { ApiError, StudioCalls, StudioStreams } from './api/contract.ts'
import { SECURITY_HEADERS } from './page-files.ts'

/** The largest input of a call: a conversation with its files. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** The functions behind the calls of the page, by name. They check their input: it comes from a browser. */
export type CallTable = {
  readonly [name in keyof StudioCalls]: (input: UncheckedInput) => Promise<StudioCalls[name]['output']>
}
export type StreamTable = {
  readonly [name in keyof StudioStreams]: (
    input: UncheckedInput,
    signal: AbortSignal,
  ) => AsyncIterable<StudioStreams[name]['output']>
}

/** The input of a call before its fields are read. */
export type UncheckedInput = { readonly [key: string]: unknown }

/** Reads a field that must be a text. */
export function readText(input: UncheckedInput, key: string): string {
  const value = Object.hasOwn(input, key) ? input[key] : undefined
  if (typeof value === 'string') return value
  throw new InterlinguaError('invalid-type', `The field ${key} is not a text`, {
    path: `/${key}`,
    found: describeType(value),
    expected: 'a string',
  })
}

/** Returns an error as the page shows it. Causes stay on the server: they may quote secrets. */
function toApiError(error: unknown): ApiError {
  const { code, message, hint } = toTypedError(error)
  return { code, message, ...omitUndefined({ hint }) }
}

/** Answers `POST /api/<name>`: one JSON value, or one per line for a stream. */
export class HttpApi {
  readonly #calls: CallTable
  readonly #streams: StreamTable
  readonly #tokenDigest: Uint8Array

  constructor(token: string, calls: CallTable, streams: StreamTable) {
    this.#tokenDigest = digest(token)
    this.#calls = calls
    this.#streams = streams
  }

  async answer(request: Request, name: string): Promise<Response> {
    if (!this.#isAuthorized(request))
      return answerJson(401, { code: 'unauthorized', message: 'The token is not the one of this start.' })
    try {
      const input = await readInput(request)
      if (Object.hasOwn(this.#calls, name))
        return answerJson(200, await this.#calls[name as keyof CallTable](input))
      if (Object.hasOwn(this.#streams, name))
        return answerLines(this.#streams[name as keyof StreamTable](input, request.signal))
      return answerJson(404, { code: 'unknown-id', message: 'The studio has no such call.' })
    } catch (error) {
      return answerJson(400, toApiError(error))
    }
  }

  #isAuthorized({ headers, method }: Request): boolean {
    const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
    return method === 'POST' && timingSafeEqual(digest(token), this.#tokenDigest)
  }
}

function digest(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

async function readInput(request: Request): Promise<UncheckedInput> {
  const text = await readRequestText(request, MAX_BODY_BYTES)
  if (text === undefined)
    throw new InterlinguaError('too-many-elements', 'The input is too large', {
      found: 'more than 64 MiB',
      expected: 'at most 64 MiB',
    })
  const input = tryParseJson(text)
  if (isObject(input)) return input
  throw new InterlinguaError('not-json', 'The input is not a JSON object', { expected: 'a JSON object' })
}

function answerJson(status: number, value: unknown): Response {
  return Response.json(value, { status, headers: { ...SECURITY_HEADERS, 'cache-control': 'no-store' } })
}

/** Answers with one JSON value per line, each sent at once. Leaving the stream ends what produces it. */
function answerLines(values: AsyncIterable<unknown>): Response {
  const iterator = values[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (next.done === true) controller.close()
        else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
      } catch (error) {
        controller.enqueue(encoder.encode(`${JSON.stringify({ type: 'error', error: toApiError(error) })}\n`))
        controller.close()
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(body, {
    headers: { ...SECURITY_HEADERS, 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  })
}
