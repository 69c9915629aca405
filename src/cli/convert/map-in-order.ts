/** Limits of the inputs whose results have not been consumed. One input is always allowed. */
export interface WindowLimits<Input> {
  readonly maxItems: number
  readonly maxSize: number
  readonly measure: (input: Input) => number
}

/**
 * Converts the items of a source, several at a time, and yields the results in the order of the source. A result is
 * yielded as soon as it and those before it are complete, even while the source is idle. The source is read only while
 * the window has space, so that a slow consumer slows it down. Results before an error of the source are yielded first.
 */
export async function* mapInOrder<Input, Output>(
  source: AsyncIterable<Input>,
  convert: (input: Input) => Promise<Output>,
  { maxItems, maxSize, measure }: WindowLimits<Input>,
): AsyncGenerator<Output, void, undefined> {
  const window: { readonly result: Promise<Output>; readonly size: number }[] = []
  const added = new Notification()
  const removed = new Notification()
  let windowSize = 0
  let isClosed = false
  let ended: { readonly failure?: { readonly error: unknown } } | undefined

  const isFull = (size: number): boolean =>
    window.length > 0 && (window.length >= maxItems || windowSize + size > maxSize)

  const fill = async (): Promise<void> => {
    try {
      for await (const input of source) {
        const size = measure(input)
        while (!isClosed && isFull(size)) await removed.wait()
        if (isClosed) return
        const result = convert(input)
        // It is awaited later: until then, a failure is not an unhandled one.
        result.catch(() => {})
        window.push({ result, size })
        windowSize += size
        added.notify()
      }
      ended = {}
    } catch (error) {
      ended = { failure: { error } }
    } finally {
      added.notify()
    }
  }

  void fill()
  try {
    for (;;) {
      while (window.length === 0 && ended === undefined) await added.wait()
      const next = window[0]
      if (next === undefined) break
      yield await next.result
      window.shift()
      windowSize -= next.size
      removed.notify()
    }
    if (ended?.failure !== undefined) throw ended.failure.error
  } finally {
    // Not awaited: an idle source would never answer.
    isClosed = true
    removed.notify()
  }
}

/** Wakes the one loop that waits for a change. */
class Notification {
  #wake: (() => void) | undefined

  wait(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  notify(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
