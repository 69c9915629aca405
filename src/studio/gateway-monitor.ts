import { type Gateway, createGateway } from '../gateway/gateway.ts'
import { DEFAULT_ROUTES } from '../gateway/default-routes.ts'
import { AsyncQueue } from '../wire/async-queue.ts'
import { readBodyText } from '../wire/read-body-text.ts'
import type { GatewayEntry } from './api/contract.ts'
import { DEMO_MODEL_NAME, studioRegistry } from './models.ts'

const MAX_ENTRIES = 500
/** The request bodies that are kept for the lens: the newest, up to this size in all. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024

/** A gateway whose requests can be watched. Bodies stay in memory, for the lens; headers and keys are not kept. */
export class GatewayMonitor {
  readonly #gateway: Gateway
  readonly #entries: GatewayEntry[] = []
  readonly #bodies = new Map<string, string>()
  readonly #watchers = new Set<AsyncQueue<GatewayEntry>>()
  #keptCharacters = 0

  constructor() {
    const demoRoute = { model: DEMO_MODEL_NAME, to: `${DEMO_MODEL_NAME}:${DEMO_MODEL_NAME}` }
    this.#gateway = createGateway({
      routes: [demoRoute, ...DEFAULT_ROUTES],
      registry: studioRegistry,
      onRequest: (entry) => this.#add(entry),
    })
  }

  get entries(): readonly GatewayEntry[] {
    return this.#entries
  }

  /** Returns the body of a recent request. */
  findBody(requestId: string): string | undefined {
    return this.#bodies.get(requestId)
  }

  /** Answers a request of a client. */
  async answer(request: Request): Promise<Response> {
    const body =
      request.method === 'POST' ? await readBodyText(request.clone(), MAX_KEPT_CHARACTERS) : undefined
    const response = await this.#gateway(request)
    const requestId = response.headers.get('x-request-id')
    if (requestId !== null && body !== undefined) this.#keepBody(requestId, body)
    return response
  }

  /** Yields the requests from now on. */
  async *watch(signal: AbortSignal): AsyncGenerator<GatewayEntry> {
    const queue = new AsyncQueue<GatewayEntry>()
    const end = (): void => queue.end()
    this.#watchers.add(queue)
    signal.addEventListener('abort', end)
    try {
      for (;;) {
        const next = await queue.read()
        if (next.done === true) return
        yield next.value
      }
    } finally {
      this.#watchers.delete(queue)
      signal.removeEventListener('abort', end)
    }
  }

  /** Ends all watches. */
  close(): void {
    for (const queue of this.#watchers) queue.end()
  }

  #add(entry: GatewayEntry): void {
    this.#entries.push(entry)
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift()
    for (const queue of this.#watchers) queue.push(entry)
  }

  #keepBody(requestId: string, body: string): void {
    this.#bodies.set(requestId, body)
    this.#keptCharacters += body.length
    for (const [id, old] of this.#bodies) {
      if (this.#keptCharacters <= MAX_KEPT_CHARACTERS) return
      this.#bodies.delete(id)
      this.#keptCharacters -= old.length
    }
  }
}
