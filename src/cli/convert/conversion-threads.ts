import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { InterlinguaError } from '../../errors.ts'
import { getRegistryUrl } from '../registry.ts'
import type { BatchResult, LineConversionOptions, ThreadData } from './convert-batch.ts'

/** The script of a thread: the build writes it beside the chunk with this module. */
const THREAD_SCRIPT = new URL('./thread-script.js', import.meta.url)

/** Tests whether threads can be started: a program that was bundled into one file has no script for them. */
export function supportsThreads(): boolean {
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
export class ConversionThreads {
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
