/**
 * The values of a generator. Where it is let go before anyone asked it for one, `release` lets go of what it would have read:
 * a generator that has not begun does nothing then.
 *
 * @example
 * const lines = releasing(linesOf(source), () => source.cancel())
 * await lines.return?.() // the source is cancelled, though nothing was read
 */
export function releasing<T>(
  values: AsyncGenerator<T, void, undefined>,
  release: () => unknown,
): AsyncIterableIterator<T> {
  let begun = false
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      begun = true
      return values.next()
    },
    async return() {
      const unread = !begun
      begun = true
      if (unread) await release()
      return values.return()
    },
  }
}

/** Tells a source of values that none of them is wanted. */
export async function letGo(source: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  if (Symbol.asyncIterator in source) await source[Symbol.asyncIterator]().return?.()
  else source[Symbol.iterator]().return?.()
}
