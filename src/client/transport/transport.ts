import type { Endpoint } from '../../dialects/engine/dialect.ts'
import type { HeaderSource } from '../../dialects/engine/dialect.ts'
import { InterlinguaError, type ProviderError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import { buildRequestUrl, sendRequest, type OutgoingRequest } from './send-request.ts'
import { readBodyBytes, readBodyText } from './response-body.ts'
import { toTransportError, notFromProviderError, type ErrorContext } from './transport-errors.ts'
import { runWithRetries, type RetryResult } from './retry.ts'
import { type HeaderFields, joinHeaders, createRedactor } from './redact-secrets.ts'
import { resolveTransportSettings, type TransportOptions, type TransportSettings } from './settings.ts'
import { TimeoutController } from './timeout-controller.ts'

/** Who is asked: everything about a host that its answers do not tell. */
export interface TransportHost {
  readonly provider: string
  /** Asked for at each attempt, so that what it needs is read late, and a token may change. */
  connect(): Promise<Connection> | Connection
  decodeError(status: number, body: unknown, headers?: HeaderSource): ProviderError
  /** The error that a body tells although its status says that all is well. */
  readErrorInBody(body: Json): ProviderError | undefined
}

/** Where to, and with which credentials. */
export interface Connection {
  readonly baseUrl: string
  readonly headers: HeaderFields
}

/** What is asked. */
export interface TransportRequest extends Endpoint {
  readonly method: 'GET' | 'POST'
  /** JSON text. */
  readonly body?: string
}

/** An answer whose head has come, with a status that says that all is well. */
export interface TransportResponse {
  readonly headers: Headers
  /** The body as it comes. Whoever begins to read must end. */
  readBytes(): AsyncIterable<Uint8Array>
  /** The whole body. */
  readText(): Promise<string>
  /** The whole body as JSON; an error that it tells is thrown. */
  readJson(): Promise<Json>
  readonly timeoutController: TimeoutController
  /** Who answers, for errors that are found later. */
  readonly errorContext: ErrorContext
}

/** Asks one host. */
export interface Transport {
  readonly provider: string
  readonly settings: TransportSettings
  /**
   * Sends a call, and again while it fails in a way that may pass. `read` is part of the attempt: what it throws counts as a
   * failure of the call.
   */
  send<T>(
    call: TransportRequest,
    read: (answer: TransportResponse) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<RetryResult<T>>
}

/** The most that is read of the body of an error. */
const MAX_ERROR_BODY_BYTES = 1024 * 1024

export function createTransport(host: TransportHost, options: TransportOptions = {}): Transport {
  const settings = resolveTransportSettings(options)
  const { provider } = host

  async function attempt<T>(
    call: TransportRequest,
    read: (answer: TransportResponse) => Promise<T>,
    signal: AbortSignal | undefined,
    remaining: number,
  ): Promise<T> {
    const watch = new TimeoutController(signal)
    watch.startTimeout('totalMs', remaining)
    // What is wrong before anything is sent is not the provider's fault, and stays as it is.
    const outgoing = await watch
      .waitFor(() => prepareRequest(call))
      .catch((error: unknown) => {
        watch.close()
        throw error
      })
    const party = { provider, redact: createRedactor(outgoing) }
    try {
      const response = await sendRequest(outgoing, watch, settings)
      if (!response.ok) throw await readErrorResponse(response, watch)
      return await read(toTransportResponse(response, watch, party))
    } catch (error) {
      const failure = toTransportError(error, party)
      watch.abort(failure)
      throw failure
    }
  }

  async function prepareRequest({
    method,
    body,
    headers = {},
    ...endpoint
  }: TransportRequest): Promise<OutgoingRequest> {
    const connection = await host.connect()
    const typed = body === undefined ? {} : { 'content-type': 'application/json' }
    return {
      method,
      url: buildRequestUrl(connection.baseUrl, endpoint),
      headers: joinHeaders({ accept: 'application/json' }, typed, headers, connection.headers),
      ...(body !== undefined && { body }),
    }
  }

  async function readErrorResponse(response: Response, watch: TimeoutController): Promise<ProviderError> {
    // The status alone is worth more than the complaint that its explanation broke off.
    const text = await readBodyText(response.body, watch, settings, MAX_ERROR_BODY_BYTES).catch(
      (error: unknown) => {
        if (error instanceof InterlinguaError && error.code === 'aborted') throw error
        return ''
      },
    )
    return host.decodeError(response.status, text, response.headers)
  }

  function toTransportResponse(
    { headers, body }: Response,
    watch: TimeoutController,
    party: ErrorContext,
  ): TransportResponse {
    const text = (): Promise<string> => readBodyText(body, watch, settings)
    return {
      headers,
      timeoutController: watch,
      errorContext: party,
      readBytes: () => readBodyBytes(body, watch, settings),
      readText: text,
      readJson: async () => throwErrorInBody(parseBody(await text())),
    }
  }

  /** Some hosts say that they failed with a status that says the contrary. */
  function throwErrorInBody(body: Json): Json {
    const error = host.readErrorInBody(body)
    if (error !== undefined) throw error
    return body
  }

  return {
    provider,
    settings,
    send: (call, read, signal) =>
      runWithRetries((remaining) => attempt(call, read, signal, remaining), settings, signal),
  }
}

function parseBody(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw notFromProviderError('not JSON')
  }
}
