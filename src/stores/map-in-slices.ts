import { setImmediate } from 'node:timers/promises'

/** How long a slice takes before other work of the process has its turn, and how often that is checked. */
const MAX_SLICE_MS = 10
const CHECKED_EVERY = 64

/** Maps a list that may be long; other work of the process has its turn in between. */
export async function mapInSlices<T, U>(items: readonly T[], map: (item: T) => U): Promise<readonly U[]> {
  const results: U[] = []
  let sliceStart = performance.now()
  for (const [index, item] of items.entries()) {
    results.push(map(item))
    if (index % CHECKED_EVERY !== 0 || performance.now() - sliceStart < MAX_SLICE_MS) continue
    await setImmediate()
    sliceStart = performance.now()
  }
  return results
}
