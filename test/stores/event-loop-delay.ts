import { existsSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Statistics of the kernel about this thread: nanoseconds on a processor, and nanoseconds of waiting for one. */
const SCHEDULER_FILE = '/proc/thread-self/schedstat'

/** Returns the milliseconds that this thread has waited for a processor, because other processes had it; 0 if unknown. */
function readProcessorWaitMs(): number {
  if (!existsSync(SCHEDULER_FILE)) return 0
  return Number(readFileSync(SCHEDULER_FILE, 'utf8').split(' ')[1]) / 1e6
}

/**
 * Returns the milliseconds of an operation, and of the longest turn of the event loop during it, files and garbage collection
 * included. The time in which the machine ran other processes is not counted: the operation does not cause it.
 */
export async function measureLongestTurn(
  run: () => Promise<unknown>,
): Promise<{ readonly longestMs: number; readonly tookMs: number }> {
  let longestMs = 0
  let isDone = false
  const started = performance.now()
  const done = run().finally(() => (isDone = true))
  while (!isDone) {
    const [start, waited] = [performance.now(), readProcessorWaitMs()]
    await setImmediate()
    longestMs = Math.max(longestMs, performance.now() - start - (readProcessorWaitMs() - waited))
  }
  await done
  return { longestMs, tookMs: performance.now() - started }
}
