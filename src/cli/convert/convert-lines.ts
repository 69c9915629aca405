import { type LineBatch, readLineBatches } from '../input/read-line-batches.ts'
import { isUnwritableFileError } from '../output-file.ts'
import type { ConversionContext } from './conversion-context.ts'
import { mapInOrder, type WindowLimits } from './map-in-order.ts'
import { ProgressBar } from './progress-bar.ts'
import { availableParallelism } from 'node:os'
import { omitUndefined } from '../../wire/json.ts'
import {
  type BatchResult,
  convertBatch,
  createUnreadableBatch,
  type LineConversionOptions,
  type ThreadData,
} from './convert-batch.ts'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { InterlinguaError } from '../../errors.ts'
import { getRegistryUrl } from '../registry.ts'

/** The script of a thread: the build writes it beside the chunk with this module. */
const THREAD_SCRIPT = new URL('./thread-script.js', import.meta.url)

/** Tests whether threads can be started: a program that was bundled into one file has no script for them. */
function supportsThreads(): boolean {
  return THREAD_SCRIPT.protocol === 'file:' && existsSync(THREAD_SCRIPT)
}

interface Thread {
  readonly worker: Worker
  /** The batches that were sent and have no result yet, in the order of their results. */
  readonly pending: PendingBatch[]
}

interface PendingBatch {
  readonly resolve: (result: BatchResult) => void
  readonly reject: (error: unknown) => void
}

/** Converts batches of lines on worker threads. Bytes are transferred, not copied. */
class ConversionThreads {
  readonly #threads: readonly Thread[]
  #failure: { readonly error: unknown } | undefined

  constructor(count: number, options: LineConversionOptions, signal: AbortSignal) {
    this.#threads = Array.from({ length: count }, () => this.#start(options))
    signal.addEventListener('abort', () => this.#fail(signal.reason), { once: true })
  }

  /** Converts a batch on the thread with the fewest batches. The bytes cannot be used afterwards. */
  convert(bytes: Uint8Array<ArrayBuffer>): Promise<BatchResult> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.error)
      const thread = this.#threads.reduce((least, each) =>
        each.pending.length < least.pending.length ? each : least,
      )
      thread.pending.push({ resolve, reject })
      thread.worker.postMessage(bytes, [bytes.buffer])
    })
  }

  /** Ends all threads, also those that are converting. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #start(options: LineConversionOptions): Thread {
    const worker = new Worker(THREAD_SCRIPT, {
      workerData: { options, registryUrl: getRegistryUrl() } satisfies ThreadData,
    })
    const thread: Thread = { worker, pending: [] }
    worker.on('message', (result: BatchResult) => thread.pending.shift()?.resolve(result))
    worker.on('error', (cause) => this.#fail(createThreadError(cause)))
    worker.on('exit', () => this.#fail(createThreadError(new Error('it ended early'))))
    return thread
  }

  /** Rejects every batch without a result: after a failure, the order of the output could not be kept. */
  #fail(error: unknown): void {
    this.#failure ??= { error }
    for (const { worker, pending } of this.#threads) {
      for (const { reject } of pending.splice(0)) reject(error)
      void worker.terminate()
    }
  }
}

function createThreadError(cause: Error): InterlinguaError {
  const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const found = isMemory ? 'out of memory' : cause.message
  return new InterlinguaError('internal', `A conversion thread failed: ${found}`, {
    found,
    hint: isMemory
      ? 'Use fewer threads (--threads 1), or a larger heap (NODE_OPTIONS=--max-old-space-size=4096).'
      : 'Use --threads 1.',
    cause,
  })
}

/** Below this size, threads take longer to start than the conversion takes. */
const LARGE_INPUT_BYTES = 4 * 1024 * 1024

/** Input in conversion or converted but not written. */
const MAX_WINDOW_BYTES = 16 * 1024 * 1024

/** Converts batches in this thread until the input turns out to be large, then on worker threads. */
class BatchConverter {
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

/** Converts line by line, large inputs on several threads. Memory holds a window of the input, whatever its size. */
export async function convertLines(conversion: ConversionContext): Promise<void> {
  const { terminal, options, source, output, report } = conversion
  const progress = new ProgressBar(terminal, source.sizeBytes, options.quiet === true)
  const converter = await BatchConverter.create(conversion)
  let lineCount = 0
  let isStopped = false
  let hasConverted = false
  try {
    const batches = readLineBatches(progress.countBytes(source.bytes))
    const results = mapInOrder(batches, (batch) => converter.convert(batch), converter.window)
    for await (const result of results) {
      if (result.output.length > 0) await output.write(result.output)
      hasConverted ||= result.convertedCount > 0
      report.addBatch(result, lineCount)
      if (result.faults.length > 0) await progress.clear()
      for (const { line, error } of result.faults)
        await report.addDescribedFault({ file: source.name, line: lineCount + line }, error)
      lineCount += result.lineCount
      await progress.draw(lineCount, report.counts.lossCount)
      isStopped = result.faults.length > 0 && options.keepGoing !== true
      if (isStopped) break
    }
  } catch (error) {
    if (terminal.signal.aborted || isUnwritableFileError(error)) throw error
    // The source itself failed, such as with a disk error. No line can follow.
    await progress.clear()
    await report.addFault({ file: source.name, line: lineCount + 1 }, error)
    isStopped = options.keepGoing !== true
  } finally {
    await progress.clear()
    await converter.close()
  }
  if (!isStopped && hasConverted) await output.commit()
  await report.printSummary()
}
