/**
 * A law that runs in any JavaScript runtime: it imports entries of the package, web globals and data alone. What `run`
 * returns must be the same in every runtime; undefined if the law consists of assertions of its own.
 */
export interface PortableLaw {
  readonly name: string
  readonly run: () => unknown
}

/** The options that make ids and times repeatable. */
export function fixedIdentity(): {
  readonly newId: (prefix: string) => string
  readonly now: () => number
} {
  let count = 0
  return { newId: (prefix) => `${prefix}_${(count += 1)}`, now: () => 0 }
}

/** Returns all elements. */
export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Throws unless a condition is true. */
export function expectTrue(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
