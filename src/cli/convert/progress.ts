import { type Terminal, write } from '../terminal.ts'

/** How often the bar is drawn, in milliseconds. */
const PACE = 100
const WIDTH = 24

/** A progress bar on standard error, where that is a terminal; nothing elsewhere. */
export class Progress {
  readonly #terminal: Terminal
  readonly #size: number | undefined
  #done = 0
  #drawn = 0

  constructor(terminal: Terminal, size: number | undefined) {
    this.#terminal = terminal
    this.#size = size
  }

  /** The same bytes, counted. */
  async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of bytes) {
      this.#done += chunk.length
      await this.#draw()
      yield chunk
    }
  }

  /** Takes the bar away, so that something else can be said. */
  async clear(): Promise<void> {
    if (this.#drawn > 0) await write(this.#terminal.stderr, '\r\u001b[K')
    this.#drawn = 0
  }

  async #draw(): Promise<void> {
    const now = Date.now()
    if (this.#terminal.stderr.isTTY !== true || now - this.#drawn < PACE) return
    this.#drawn = now
    await write(this.#terminal.stderr, `\r${barOf(this.#done, this.#size)}\u001b[K`)
  }
}

/** A bar where the size is known, a count elsewhere. */
export function barOf(done: number, size: number | undefined): string {
  const megabytes = `${(done / 1e6).toFixed(1)} MB`
  if (size === undefined || size === 0) return megabytes
  const share = Math.min(1, done / size)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(share * 100)} % ${megabytes}`
}
