import { type Terminal, writeAndDrain } from '../command-io.ts'
import type { ByteChunks } from '../input/bytes-to-text.ts'

const REDRAW_INTERVAL_MS = 100
const BAR_COLUMNS = 24

/** What a conversion has done so far. */
export interface Progress {
  readonly readBytes: number
  readonly totalBytes?: number | undefined
  readonly lineCount: number
  readonly lossCount: number
  readonly elapsedMs: number
}

/** A progress bar on standard error; prints nothing if that is not a terminal, or if `isQuiet` is set. */
export class ProgressBar {
  readonly #terminal: Terminal
  readonly #totalBytes: number | undefined
  readonly #isShown: boolean
  readonly #startedAt = Date.now()
  #readBytes = 0
  #drawnAt = 0

  constructor(terminal: Terminal, totalBytes: number | undefined, isQuiet: boolean) {
    this.#terminal = terminal
    this.#totalBytes = totalBytes
    this.#isShown = terminal.stderr.isTTY === true && !isQuiet
  }

  async *countBytes(bytes: ByteChunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#readBytes += chunk.length
      yield chunk
    }
  }

  /** Erases the bar so that other lines can be printed. */
  async clear(): Promise<void> {
    if (this.#drawnAt > 0) await writeAndDrain(this.#terminal.stderr, '\r\u001b[K')
    this.#drawnAt = 0
  }

  async draw(lineCount: number, lossCount: number): Promise<void> {
    const now = Date.now()
    if (!this.#isShown || now - this.#drawnAt < REDRAW_INTERVAL_MS) return
    this.#drawnAt = now
    const bar = formatProgress({
      readBytes: this.#readBytes,
      totalBytes: this.#totalBytes,
      lineCount,
      lossCount,
      elapsedMs: now - this.#startedAt,
    })
    const { stderr } = this.#terminal
    // A line that wraps could not be erased.
    await writeAndDrain(stderr, `\r${bar.slice(0, (stderr.columns ?? 80) - 1)}\u001b[K`)
  }
}

/** Formats a bar if the size is known, otherwise a byte count; then the lines, their rate and the losses. */
export function formatProgress(progress: Progress): string {
  const { readBytes, totalBytes, lineCount, lossCount, elapsedMs } = progress
  const megabytes = `${(readBytes / 1e6).toFixed(1)} MB`
  const rate = Math.round(lineCount / Math.max(elapsedMs / 1000, 0.001))
  const counts = [
    `${formatCount(lineCount, 'line')} (${rate.toLocaleString('en')}/s)`,
    formatCount(lossCount, 'loss', 'losses'),
  ]
  if (totalBytes === undefined || totalBytes === 0) return [megabytes, ...counts].join(', ')
  const share = Math.min(1, readBytes / totalBytes)
  const full = Math.round(share * BAR_COLUMNS)
  const bar = `[${'#'.repeat(full)}${'.'.repeat(BAR_COLUMNS - full)}] ${Math.floor(share * 100)} %`
  return [`${bar} ${megabytes}`, ...counts].join(', ')
}

function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
