/** Rows that are rendered above and below those in view, so that scrolling shows no gaps. */
const OVERSCAN = 6

/** The measured heights of rows, by key. */
export class RowHeights {
  readonly #heights = new Map<string, number>()

  /** Stores a height; returns true if it is another one than before. */
  set(key: string, height: number): boolean {
    if (this.#heights.get(key) === height) return false
    this.#heights.set(key, height)
    return true
  }

  /** Returns the distance of each row from the first one, and the total height as the last element. */
  computeOffsets(count: number, keyOf: (index: number) => string, estimatedHeight: number): Float64Array {
    const offsets = new Float64Array(count + 1)
    for (let index = 0; index < count; index++)
      offsets[index + 1] = (offsets[index] ?? 0) + (this.#heights.get(keyOf(index)) ?? estimatedHeight)
    return offsets
  }
}

/** Returns the rows to render for a scroll position: `end` is the first one after them. */
export function findWindow(
  offsets: Float64Array,
  top: number,
  height: number,
): { readonly start: number; readonly end: number } {
  const count = offsets.length - 1
  const start = Math.max(0, findRow(offsets, top) - OVERSCAN)
  const end = Math.min(count, findRow(offsets, top + height) + 1 + OVERSCAN)
  return { start, end }
}

/** Returns the row at a distance from the first one. */
function findRow(offsets: Float64Array, distance: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((offsets[middle] ?? 0) <= distance) low = middle
    else high = middle - 1
  }
  return low
}
