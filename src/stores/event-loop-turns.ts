/** Calls a function in the next turn of the event loop. Browsers have no `setImmediate`. */
const callInNextTurn: (act: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : setTimeout

const startTurn = (): Promise<void> => new Promise((resolve) => callInNextTurn(resolve))

/** How long work may take before other work of the process has its turn. */
const MAX_TURN_MS = 10

/** Number of items after which the clock is read. */
const CHECKED_EVERY = 16

/** When the storages began to work in this turn of the event loop; undefined if they have not worked in it yet. */
let workStartMs: number | undefined

/**
 * Returns true if the storages have worked for long in this turn of the event loop. All of them count together: many
 * short transactions that follow each other block the process as one long transaction does.
 */
export function isTurnLong(): boolean {
  const now = performance.now()
  if (workStartMs !== undefined) return now - workStartMs >= MAX_TURN_MS
  workStartMs = now
  callInNextTurn(endTurn)
  return false
}

function endTurn(): void {
  workStartMs = undefined
}

/** Resolves in the next turn of the event loop if this one has lasted long. */
export async function yieldIfTurnIsLong(): Promise<void> {
  if (isTurnLong()) await startTurn()
}

/** Calls a function for each item of a list that may be long; other work of the process has its turn in between. */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  visit: (item: T, index: number) => void,
): Promise<void> {
  let index = 0
  for (const item of items) {
    if (index % CHECKED_EVERY === CHECKED_EVERY - 1 && isTurnLong()) await startTurn()
    visit(item, index++)
  }
}

/** Maps a list that may be long; other work of the process has its turn in between. */
export async function mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
): Promise<readonly U[]> {
  const results: U[] = []
  await forEachInSlices(items, (item, index) => results.push(map(item, index)))
  return results
}
