import { type Gateway, createGateway } from '../gateway/gateway.ts'
import { DEFAULT_ROUTES } from '../gateway/config.ts'
import { readRequestText } from '../wire/read-request-text.ts'
import type { GatewayEntry } from './api/contract.ts'
import { DEMO_MODEL_NAME } from '../client/demo-model.ts'
import { BUSY_PROVIDER_NAME, studioRegistry } from './studio-models.ts'

/** A name whose first target always fails: the gateway falls back to the demo model. */
export const BUSY_MODEL_NAME = 'demo-busy'

const MAX_ENTRIES = 500
/** The request bodies that are kept for the lens: the newest, up to this size in all. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024

/** A gateway whose requests can be watched. Bodies stay in memory, for the lens; headers and keys are not kept. */
export class GatewayMonitor {
  readonly #gateway: Gateway
  readonly #entries: GatewayEntry[] = []
  readonly #bodies = new Map<string, string>()
  readonly #sleepers = new Set<() => void>()
  #keptCharacters = 0
  #requestCount = 0
  #isClosed = false

  /** `keyDigest` is the digest of the key that clients need: the gateway spends the keys of the environment. */
  constructor(keyDigest: string) {
    const demoTarget = `${DEMO_MODEL_NAME}:${DEMO_MODEL_NAME}`
    this.#gateway = createGateway({
      routes: [
        { model: DEMO_MODEL_NAME, to: demoTarget },
        { model: BUSY_MODEL_NAME, to: [`${BUSY_PROVIDER_NAME}:${DEMO_MODEL_NAME}`, demoTarget] },
        ...DEFAULT_ROUTES,
      ],
      registry: studioRegistry,
      keys: [{ name: 'studio', digest: keyDigest }],
      onRequest: (entry) => this.#add(entry),
    })
  }

  /** The number of requests since the start. */
  get requestCount(): number {
    return this.#requestCount
  }

  /** Returns the body of a recent request. */
  findBody(requestId: string): string | undefined {
    return this.#bodies.get(requestId)
  }

  /** Answers a request of a client. */
  async answer(request: Request): Promise<Response> {
    const body =
      request.method === 'POST' ? await readRequestText(request.clone(), MAX_KEPT_CHARACTERS) : undefined
    const response = await this.#gateway(request)
    const requestId = response.headers.get('x-request-id')
    if (requestId !== null && body !== undefined) this.#keepBody(requestId, body)
    return response
  }

  /** Yields the recent requests, then those that follow. A reader that is too slow misses the oldest ones. */
  async *watch(signal: AbortSignal): AsyncGenerator<GatewayEntry> {
    let position = 0
    while (!signal.aborted && !this.#isClosed) {
      const firstKept = this.#requestCount - this.#entries.length
      position = Math.max(position, firstKept)
      const entry = this.#entries[position - firstKept]
      if (entry === undefined) {
        await this.#sleep(signal)
        continue
      }
      position += 1
      yield entry
    }
  }

  /** Ends all watches. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Waits for the next request, the end of the monitor or of the signal. */
  async #sleep(signal: AbortSignal): Promise<void> {
    let wake = (): void => {}
    const woken = new Promise<void>((resolve) => (wake = resolve))
    this.#sleepers.add(wake)
    signal.addEventListener('abort', wake)
    await woken
    this.#sleepers.delete(wake)
    signal.removeEventListener('abort', wake)
  }

  #wake(): void {
    for (const wake of this.#sleepers) wake()
  }

  #add(entry: GatewayEntry): void {
    this.#requestCount += 1
    this.#entries.push(entry)
    if (this.#entries.length > MAX_ENTRIES) this.#entries.shift()
    this.#wake()
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
