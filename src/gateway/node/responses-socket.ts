import type { WebSocket } from 'ws'
import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { parseSse } from '../../wire/sse.ts'
import type { Gateway } from '../gateway.ts'
import { ConnectionMemory } from '../responses/connection-memory.ts'
import { RESPONSE_FORMATS } from '../responses/response-format.ts'

/** The longest time of a connection; clients expect the limit and open another one. */
const MAX_CONNECTION_MS = 60 * 60 * 1000

/** How often the client is asked whether it is still there. */
const PING_MS = 30_000

/** Messages of clients that need no answer. */
const IGNORED_TYPES: ReadonlySet<unknown> = new Set(['response.processed'])

const { terminalEvents } = RESPONSE_FORMATS['openai-responses']

/** The most bytes of refusals that wait for a client; one that sends and does not read is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** How an answer ended. */
interface AnswerEnd {
  readonly hasSucceeded: boolean
  /** The last frame, which is not sent yet; absent if the stream had no end. */
  readonly lastFrame: string | undefined
}

/** The request that opened a connection. */
interface OpeningRequest {
  readonly url: string
  readonly headers: Headers
}

/**
 * Serves one connection in the WebSocket mode of Open Responses: every `response.create` is answered as a request of its own, with
 * the headers of the request that opened the connection, one at a time. The connection remembers its last response.
 */
export class ResponsesSocket {
  readonly #socket: WebSocket
  readonly #gateway: Gateway
  readonly #opening: OpeningRequest
  readonly #memory = new ConnectionMemory()
  readonly #limit: ReturnType<typeof setTimeout>
  readonly #ping: ReturnType<typeof setInterval>
  #running: AbortController | undefined
  /** Set when the connection is to be closed, which waits for the running answer: sends the reason. */
  #sendReason: (() => void) | undefined
  #isAlive = true

  constructor(
    socket: WebSocket,
    gateway: Gateway,
    opening: OpeningRequest,
    maxConnectionMs: number = MAX_CONNECTION_MS,
  ) {
    this.#socket = socket
    this.#gateway = gateway
    this.#opening = opening
    this.#limit = setTimeout(() => this.#end(() => this.#sendLimit()), maxConnectionMs)
    this.#ping = setInterval(() => this.#checkAlive(), PING_MS)
    socket.on('message', (data, isBinary) =>
      this.#receive(isBinary ? undefined : (data as Buffer).toString()),
    )
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#release())
  }

  /** Closes the connection when the running answer has ended. */
  close(): void {
    this.#end(() => {})
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #end(sendReason: () => void): void {
    this.#sendReason = sendReason
    if (this.#running === undefined) this.#closeNow()
  }

  #closeNow(): void {
    this.#sendReason?.()
    this.#socket.close(1000)
  }

  #release(): void {
    clearTimeout(this.#limit)
    clearInterval(this.#ping)
    this.#running?.abort()
  }

  #checkAlive(): void {
    if (!this.#isAlive) this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  #receive(text: string | undefined): void {
    const message = text === undefined ? undefined : tryParseJson(text)
    if (!isObject(message)) return this.#refuse('The message is not a JSON object.', 'invalid_message')
    if (IGNORED_TYPES.has(message['type'])) return
    if (message['type'] !== 'response.create')
      return this.#refuse('The type of the message must be `response.create`.', 'invalid_message')
    if (this.#running !== undefined)
      return this.#refuse('Another response of the connection is in progress.', 'response_already_in_flight')
    if (this.#sendReason !== undefined) return
    const controller = new AbortController()
    this.#running = controller
    void this.#answer(message, controller.signal).catch(() => this.#socket.terminate())
  }

  /** Answers a message. When its last frame is sent, the next message is accepted: clients send it at once. */
  async #answer(message: JsonObject, signal: AbortSignal): Promise<void> {
    const {
      type: _type,
      stream: _stream,
      stream_options: _options,
      background: _background,
      ...body
    } = message
    const { url, headers } = this.#opening
    const text = JSON.stringify({ ...body, stream: true })
    const request = new Request(url, { method: 'POST', headers, body: text, signal })
    const { hasSucceeded, lastFrame } = await this.#forward(
      await this.#gateway(request, this.#memory),
      signal,
    )
    const previousId = body['previous_response_id']
    if (!hasSucceeded && typeof previousId === 'string') this.#memory.evict(previousId)
    this.#running = undefined
    const sent = lastFrame === undefined ? undefined : this.#send(lastFrame)
    if (this.#sendReason !== undefined) this.#closeNow()
    await sent
  }

  /** Sends the events of an answer except the last one. */
  async #forward(response: Response, signal: AbortSignal): Promise<AnswerEnd> {
    if (response.status !== 200 || response.body === null) {
      const body: unknown = await response.json().catch(() => ({}))
      const error = isObject(body) && isObject(body['error']) ? (body['error'] as JsonObject) : {}
      const frame = { type: 'error', status: response.status, error }
      return { hasSucceeded: false, lastFrame: JSON.stringify(frame) }
    }
    let hasSucceeded = true
    let lastFrame: string | undefined
    for await (const { event = '', data } of parseSse(response.body, { signal })) {
      if (data === '[DONE]') continue
      hasSucceeded &&= event !== 'error' && event !== 'response.failed'
      if (terminalEvents.test(event)) lastFrame = data
      else await this.#send(data)
    }
    return { hasSucceeded, lastFrame }
  }

  /** Resolves when the client has taken the frame, so that a slow client slows down the provider. */
  #send(frame: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, (error) => (error === undefined || error === null ? resolve() : reject(error)))
    })
  }

  #refuse(message: string, code: string): void {
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) return this.#socket.terminate()
    const error = { type: 'invalid_request_error', code, message, param: null }
    this.#send(JSON.stringify({ type: 'error', status: 400, error })).catch(() => this.#socket.terminate())
  }

  #sendLimit(): void {
    this.#refuse(
      'The connection has reached its limit of 60 minutes. Open another one to continue.',
      'websocket_connection_limit_reached',
    )
  }
}
