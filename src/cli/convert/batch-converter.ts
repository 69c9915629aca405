import { availableParallelism } from 'node:os'
import { omitUndefined } from '../../wire/json.ts'
import type { LineBatch } from '../input/read-line-batches.ts'
import type { ConversionContext } from './conversion-context.ts'
import { ConversionThreads, supportsThreads } from './conversion-threads.ts'
import {
  type BatchResult,
  convertBatch,
  createUnreadableBatch,
  type LineConversionOptions,
} from './convert-batch.ts'
import type { WindowLimits } from './map-in-order.ts'

/** Below this size, threads take longer to start than the conversion takes. */
const LARGE_INPUT_BYTES = 4 * 1024 * 1024

/** Input in conversion or converted but not written. */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024

/** Converts batches in this thread until the input turns out to be large, then on worker threads. */
export class BatchConverter {
  readonly #options: LineConversionOptions
  readonly #threadCount: number
  /** The input size from which threads are used. */
  readonly #threadsFromBytes: number
  readonly #signal: AbortSignal
  readonly #expectedBytes: number
  #readBytes = 0
  #threads: ConversionThreads | undefined

  private constructor({ options, source, terminal }: ConversionContext, threadCount: number) {
    const { from, kind, to, flavor, model, strict, keepGoing } = options
    this.#options = { to, ...omitUndefined({ from, kind, flavor, model, strict, keepGoing }) }
    this.#expectedBytes = source.sizeBytes ?? 0
    this.#threadCount = threadCount
    this.#threadsFromBytes = options.threads === undefined ? LARGE_INPUT_BYTES : 0
    this.#signal = terminal.signal
  }

  static async create(conversion: ConversionContext): Promise<BatchConverter> {
    const wanted = conversion.options.threads ?? availableParallelism()
    const canStart = wanted === 1 || supportsThreads()
    if (!canStart && conversion.options.threads !== undefined)
      await conversion.report.printRemark(
        'This build of the program has no script for threads: --threads was ignored.',
      )
    return new BatchConverter(conversion, canStart ? wanted : 1)
  }

  /** One batch waits for each thread, so that none is idle while its result is sent. */
  get window(): WindowLimits<LineBatch> {
    return {
      maxItems: this.#threadCount * 2,
      maxSize: MAX_WINDOW_BYTES,
      measure: ({ bytes }) => bytes.length,
    }
  }

  async convert({ bytes, error }: LineBatch): Promise<BatchResult> {
    if (error !== undefined) return createUnreadableBatch(error)
    this.#readBytes += bytes.length
    const isLarge = Math.max(this.#readBytes, this.#expectedBytes) >= this.#threadsFromBytes
    if (isLarge && this.#threadCount > 1)
      this.#threads ??= new ConversionThreads(this.#threadCount, this.#options, this.#signal)
    return this.#threads?.convert(bytes) ?? convertBatch(bytes, this.#options)
  }

  async close(): Promise<void> {
    await this.#threads?.close()
  }
}
