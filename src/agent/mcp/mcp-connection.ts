import { rejectOnAbort, sleep } from '../../wire/cancellation.ts'
import type { McpClient } from './connect-client.ts'
import { classifyConnectionError, createConnectionClosedError } from './connection-errors.ts'

/** The delays before the attempts to reconnect: a restarted server needs some seconds. */
const RECONNECT_DELAYS_MS = [0, 500, 2000]

/** Opens a connection; `onLost` must be called when the connection has ended. */
type OpenMcpClient = (onLost: () => void) => Promise<McpClient>

/** Options of {@link McpConnection}. */
interface McpConnectionOptions {
  readonly open: OpenMcpClient
  /** True to open a lost connection again. */
  readonly canReconnect: boolean
  /** Called after a lost connection was opened again: the server may have other tools now. */
  readonly onReconnect: () => void
}

/** Options of one request. */
interface McpRequestOptions {
  /** True if the request may be processed twice without further effects. */
  readonly isRepeatable: boolean
  readonly signal?: AbortSignal
}

/** A connection to an MCP server that is opened again when it is lost. */
export class McpConnection {
  readonly #options: McpConnectionOptions
  readonly #closing = new AbortController()
  #client: Promise<McpClient> | undefined
  #openClient: McpClient | undefined
  /** The number of requests in progress, by connection. */
  readonly #requestCounts = new Map<McpClient, number>()

  constructor(options: McpConnectionOptions) {
    this.#options = options
  }

  /** Opens the first connection, with one attempt: a wrong command or URL is more likely than a restart. */
  async connect(): Promise<void> {
    await this.#start(this.#open())
  }

  /**
   * Sends a request, on a new connection if the last one was lost. Sends it again if the server has not processed
   * it, or if it is repeatable.
   */
  async send<T>(request: (client: McpClient) => Promise<T>, options: McpRequestOptions): Promise<T> {
    const { isRepeatable, signal } = options
    for (let attempt = 1; ; attempt++) {
      const current = this.#client ?? this.#start(this.#reconnect())
      const client = await (signal ? rejectOnAbort(current, signal) : current)
      try {
        return await this.#count(client, request(client))
      } catch (error) {
        const state = classifyConnectionError(error)
        if (state === undefined || !this.#options.canReconnect || signal?.aborted) throw error
        if (attempt > 1 || (state === 'interrupted' && !isRepeatable)) throw error
      }
    }
  }

  /** Closes the connection for good. */
  async close(): Promise<void> {
    this.#closing.abort()
    const client = await this.#client?.catch(() => undefined)
    await client?.close()
  }

  #start(connecting: Promise<McpClient>): Promise<McpClient> {
    this.#client = connecting
    connecting.then(
      (client) => (this.#openClient = client),
      () => (this.#client = undefined),
    )
    return connecting
  }

  /**
   * Counts a request while it is in progress. A lost connection is closed after its last request, because closing it
   * would end the others without telling whether they were processed.
   */
  async #count<T>(client: McpClient, request: Promise<T>): Promise<T> {
    this.#requestCounts.set(client, (this.#requestCounts.get(client) ?? 0) + 1)
    try {
      return await request
    } catch (error) {
      if (this.#options.canReconnect && classifyConnectionError(error) !== undefined) this.#forget(client)
      throw error
    } finally {
      const count = (this.#requestCounts.get(client) ?? 0) - 1
      if (count > 0) this.#requestCounts.set(client, count)
      else {
        this.#requestCounts.delete(client)
        if (client !== this.#openClient) void client.close().catch(() => {})
      }
    }
  }

  /** Forgets a lost connection unless another one has replaced it. */
  #forget(client: McpClient | undefined): void {
    if (!this.#options.canReconnect || client === undefined || client !== this.#openClient) return
    this.#client = undefined
    this.#openClient = undefined
  }

  async #open(): Promise<McpClient> {
    const opened: { client?: McpClient } = {}
    opened.client = await this.#options.open(() => this.#forget(opened.client))
    return opened.client
  }

  async #reconnect(): Promise<McpClient> {
    const { signal } = this.#closing
    let lastError: unknown
    for (const delayMs of RECONNECT_DELAYS_MS) {
      try {
        await sleep(delayMs, signal)
        const client = await this.#open()
        this.#options.onReconnect()
        return client
      } catch (error) {
        if (signal.aborted) throw createConnectionClosedError()
        lastError = error
      }
    }
    throw lastError
  }
}
