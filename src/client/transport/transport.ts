import type { Endpoint } from '../../dialects/dialect.ts'
import type { HeaderSource } from '../../dialects/shared/errors.ts'
import { InterlinguaError, type ProviderError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import { addressOf } from './address.ts'
import { bytesOf, textOfBody } from './body.ts'
import { exchange, type Outgoing } from './exchange.ts'
import { asFailure, notFromProvider, type Party } from './failure.ts'
import { retrying, type Tried } from './retry.ts'
import { type HeaderFields, joinHeaders, redactor } from './secrets.ts'
import { settle, type TransportOptions, type TransportSettings } from './settings.ts'
import { Watch } from './watch.ts'

/** Who is asked: everything about a host that its answers do not tell. */
export interface Host {
  readonly provider: string
  /** Asked for at each attempt, so that what it needs is read late, and a token may change. */
  connect(): Promise<Connection> | Connection
  decodeError(status: number, body: unknown, headers?: HeaderSource): ProviderError
  /** The error that a body tells although its status says that all is well. */
  errorIn(body: Json): ProviderError | undefined
}

/** Where to, and with which credentials. */
export interface Connection {
  readonly baseUrl: string
  readonly headers: HeaderFields
}

/** What is asked. */
export interface Call extends Endpoint {
  readonly method: 'GET' | 'POST'
  /** JSON text. */
  readonly body?: string
}

/** An answer whose head has come, with a status that says that all is well. */
export interface Answer {
  readonly headers: Headers
  /** The body as it comes. Whoever begins to read must end. */
  bytes(): AsyncIterable<Uint8Array>
  /** The whole body. */
  text(): Promise<string>
  /** The whole body as JSON; an error that it tells is thrown. */
  json(): Promise<Json>
  readonly watch: Watch
  /** Who answers, for errors that are found later. */
  readonly party: Party
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
    call: Call,
    read: (answer: Answer) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Tried<T>>
}

/** The most that is read of the body of an error. */
const ERROR_BODY = 1024 * 1024

export function createTransport(host: Host, options: TransportOptions = {}): Transport {
  const settings = settle(options)
  const { provider } = host

  async function attempt<T>(
    call: Call,
    read: (answer: Answer) => Promise<T>,
    signal: AbortSignal | undefined,
    remaining: number,
  ): Promise<T> {
    const watch = new Watch(signal)
    watch.arm('total', remaining)
    // What is wrong before anything is sent is not the provider's fault, and stays as it is.
    const outgoing = await watch
      .wait(() => prepare(call))
      .catch((error: unknown) => {
        watch.close()
        throw error
      })
    const party = { provider, redact: redactor(outgoing) }
    try {
      const response = await exchange(outgoing, watch, settings)
      if (!response.ok) throw await refusal(response, watch)
      return await read(answerOf(response, watch, party))
    } catch (error) {
      const failure = asFailure(error, party)
      watch.stop(failure)
      throw failure
    }
  }

  async function prepare({ method, body, headers = {}, ...endpoint }: Call): Promise<Outgoing> {
    const connection = await host.connect()
    const typed = body === undefined ? {} : { 'content-type': 'application/json' }
    return {
      method,
      url: addressOf(connection.baseUrl, endpoint),
      headers: joinHeaders({ accept: 'application/json' }, typed, headers, connection.headers),
      ...(body !== undefined && { body }),
    }
  }

  async function refusal(response: Response, watch: Watch): Promise<ProviderError> {
    // The status alone is worth more than the complaint that its explanation broke off.
    const text = await textOfBody(response.body, watch, settings, ERROR_BODY).catch((error: unknown) => {
      if (error instanceof InterlinguaError && error.code === 'aborted') throw error
      return ''
    })
    return host.decodeError(response.status, text, response.headers)
  }

  function answerOf({ headers, body }: Response, watch: Watch, party: Party): Answer {
    const text = (): Promise<string> => textOfBody(body, watch, settings)
    return {
      headers,
      watch,
      party,
      bytes: () => bytesOf(body, watch, settings),
      text,
      json: async () => withoutError(parseBody(await text())),
    }
  }

  /** Some hosts say that they failed with a status that says the contrary. */
  function withoutError(body: Json): Json {
    const error = host.errorIn(body)
    if (error !== undefined) throw error
    return body
  }

  return {
    provider,
    settings,
    send: (call, read, signal) =>
      retrying((remaining) => attempt(call, read, signal, remaining), settings, signal),
  }
}

function parseBody(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw notFromProvider('not JSON')
  }
}
