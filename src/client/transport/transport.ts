import type { CallOptions } from '../../canonical/model/model-interface.ts'
import type { Endpoint, HeaderSource } from '../../dialects/engine/dialect.ts'
import { InterlinguaError, type ProviderError } from '../../errors.ts'
import { tryParseJson, type Json } from '../../wire/json.ts'
import {
  buildRequestUrl,
  describeRequestUrl,
  type OutgoingRequest,
  type RetryResult,
  runWithRetries,
  sendOnce,
} from './send-request.ts'
import { readBodyBytes, readBodyStart, readResponseText } from './response-body.ts'
import {
  addRequest,
  toTransportError,
  notFromProviderError,
  shortenMessage,
  type TransportErrorContext,
} from './transport-errors.ts'
import { type HeaderFields, joinHeaders, createRedactor, redactHeaders } from './redact-secrets.ts'
import { resolveTransportSettings, type TransportOptions, type TransportSettings } from './settings.ts'
import { TimeoutController } from './timeout-controller.ts'

/** The host that requests are sent to. */
export interface TransportHost {
  readonly provider: string
  /** Called for each attempt, so that environment variables are read late and a token may change. */
  connect(): Promise<ConnectionSettings> | ConnectionSettings
  decodeError(status: number, body: unknown, headers?: HeaderSource): ProviderError
  /** Returns the error in a body whose status is a success. */
  readErrorInBody(body: Json): ProviderError | undefined
}

/** The base URL and the headers with the credentials. */
export interface ConnectionSettings {
  readonly baseUrl: string
  readonly headers: HeaderFields
}

/** A request to a host. */
export interface TransportRequest extends Endpoint {
  /** The requested model, for errors. */
  readonly model?: string
  readonly method: 'GET' | 'POST'
  /** JSON text. */
  readonly body?: string
}

/** A response with a success status, whose headers have arrived. */
export interface TransportResponse {
  readonly headers: Headers
  /** Returns the body as it arrives. A reader must read it to its end or cancel it. */
  readBytes(): AsyncIterable<Uint8Array>
  /** Returns the entire body. */
  readText(): Promise<string>
  /** Returns the beginning of an unexpected body, as far as it arrives. */
  readExcerpt(): Promise<string>
  /** Returns the entire body as JSON; throws if it contains an error. */
  readJson(): Promise<Json>
  readonly timeoutController: TimeoutController
  /** The provider and redactor for errors that occur later. */
  readonly errorContext: TransportErrorContext
}

type ResponseReader<T> = (response: TransportResponse) => Promise<T>

/** Sends requests to one host. */
export interface Transport {
  readonly provider: string
  readonly settings: TransportSettings
  /** Sends a request with retries. `read` is part of the attempt: its error fails the attempt. */
  send<T>(
    call: TransportRequest,
    read: ResponseReader<T>,
    options?: Pick<CallOptions, 'signal' | 'onRetry'>,
  ): Promise<RetryResult<T>>
}

/** The maximum number of bytes read from the body of an error. */
const MAX_ERROR_BODY_BYTES = 1024 * 1024

export function createTransport(host: TransportHost, options: TransportOptions = {}): Transport {
  const settings = resolveTransportSettings(options)
  const { provider } = host

  async function attempt<T>(
    call: TransportRequest,
    read: ResponseReader<T>,
    signal: AbortSignal | undefined,
    remaining: number,
  ): Promise<T> {
    const timeoutController = new TimeoutController(settings.timeouts, signal)
    timeoutController.startTimeout('totalMs', remaining)
    // An error before anything is sent is not the provider's, so it stays unchanged.
    const outgoing = await timeoutController
      .waitFor(() => prepareRequest(call))
      .catch((error: unknown) => {
        timeoutController.close()
        throw error
      })
    const { method, url, baseUrl, headers } = outgoing
    const errorContext: TransportErrorContext = {
      provider,
      redact: createRedactor(headers, url),
      method,
      // Parsed only for an error: most requests have none.
      get url() {
        return describeRequestUrl(baseUrl, call)
      },
      readErrorInBody: (body) => host.readErrorInBody(body),
      ...(call.model !== undefined && { model: call.model }),
    }
    try {
      const response = await sendOnce(outgoing, timeoutController, settings.fetch)
      if (!response.ok) throw await readErrorResponse(response, timeoutController, errorContext)
      return await read(toTransportResponse(response, timeoutController, errorContext))
    } catch (error) {
      const failure = toTransportError(error, errorContext)
      timeoutController.abort(failure)
      throw failure
    }
  }

  async function prepareRequest(call: TransportRequest): Promise<OutgoingRequest> {
    const { method, body, headers = {}, model: _model, ...endpoint } = call
    const connection = await host.connect()
    const typed = body === undefined ? {} : { 'content-type': 'application/json' }
    return {
      method,
      url: buildRequestUrl(connection.baseUrl, endpoint),
      baseUrl: connection.baseUrl,
      headers: joinHeaders({ accept: 'application/json' }, typed, headers, connection.headers),
      ...(body !== undefined && { body }),
    }
  }

  async function readErrorResponse(
    response: Response,
    timeoutController: TimeoutController,
    errorContext: TransportErrorContext,
  ): Promise<ProviderError> {
    const { redact } = errorContext
    // If the body cannot be read, the status alone is more useful than that error.
    const body = readResponseText(response.body, timeoutController, MAX_ERROR_BODY_BYTES)
    const received = await body.catch((error: unknown) => {
      if (error instanceof InterlinguaError && error.code === 'aborted') throw error
      return ''
    })
    // Exact secrets are replaced before a decoder masks what looks like one, which would leave parts of them.
    const text = redact(received)
    const error = host.decodeError(response.status, text, redactHeaders(response.headers, redact))
    return addRequest(tryParseJson(text) === undefined ? shortenMessage(error) : error, errorContext)
  }

  function toTransportResponse(
    { headers, body }: Response,
    timeoutController: TimeoutController,
    errorContext: TransportErrorContext,
  ): TransportResponse {
    const text = (): Promise<string> =>
      readResponseText(body, timeoutController, settings.limits.maxBodyBytes)
    return {
      headers,
      timeoutController,
      errorContext,
      readBytes: () => readBodyBytes(body, timeoutController),
      readText: text,
      readExcerpt: () => readBodyStart(body, timeoutController),
      async readJson() {
        const received = await text()
        const json = tryParseJson(received)
        if (typeof json !== 'object' || json === null)
          throw notFromProviderError('not a JSON object', received, errorContext)
        // Some hosts report an error with a success status.
        const error = host.readErrorInBody(json)
        if (error !== undefined) throw error
        return json
      },
    }
  }

  return {
    provider,
    settings,
    send: (call, read, options = {}) =>
      runWithRetries((remaining) => attempt(call, read, options.signal, remaining), settings, options),
  }
}
