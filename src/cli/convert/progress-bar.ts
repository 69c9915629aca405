import { type Terminal, writeAndDrain } from '../command-io.ts'
import type { ByteChunks } from '../input/bytes-to-text.ts'

const REDRAW_INTERVAL_MS = 100
const BAR_COLUMNS = 24

/** A progress bar on standard error; prints nothing if that is not a terminal. */
export class ProgressBar {
  readonly #terminal: Terminal
  readonly #totalBytes: number | undefined
  #doneBytes = 0
  #drawnAt = 0

  constructor(terminal: Terminal, size: number | undefined) {
    this.#terminal = terminal
    this.#totalBytes = size
  }

  async *countBytes(bytes: ByteChunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#doneBytes += chunk.length
      await this.#draw()
      yield chunk
    }
  }

  /** Erases the bar so that other lines can be printed. */
  async clear(): Promise<void> {
    if (this.#drawnAt > 0) await writeAndDrain(this.#terminal.stderr, '\r\u001b[K')
    this.#drawnAt = 0
  }

  async #draw(): Promise<void> {
    const now = Date.now()
    if (this.#terminal.stderr.isTTY !== true || now - this.#drawnAt < REDRAW_INTERVAL_MS) return
    this.#drawnAt = now
    const bar = formatProgress(this.#doneBytes, this.#totalBytes)
    await writeAndDrain(this.#terminal.stderr, `\r${bar}\u001b[K`)
  }
}

/** Formats a bar if the size is known, otherwise a byte count. */
export function formatProgress(done: number, size: number | undefined): string {
  const megabytes = `${(done / 1e6).toFixed(1)} MB`
  if (size === undefined || size === 0) return megabytes
  const share = Math.min(1, done / size)
  const full = Math.round(share * BAR_COLUMNS)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_COLUMNS - full)}] ${Math.floor(share * 100)} % ${megabytes}`
}
