import { digestText } from './digest.ts'

/**
 * Creates a function that returns a name that is not taken yet, in linear time however often a name repeats:
 * the name itself, else `<name>_2`, `<name>_3`, … The returned name is added to `taken`.
 */
export function createUniqueNamer(taken: Set<string>, separator = '_'): (name: string) => string {
  const counters = new Map<string, number>()
  return (name) => {
    let free = name
    let counter = counters.get(name) ?? 2
    for (; taken.has(free); counter += 1) free = `${name}${separator}${counter}`
    counters.set(name, counter)
    taken.add(free)
    return free
  }
}

/** Returns the items whose name an earlier item has, too. */
export function findRepeatedByName<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const name = nameOf(item)
    const isRepeated = seen.has(name)
    seen.add(name)
    return isRepeated
  })
}

/** Derives the id of a message that a repair creates, so that the same repair always yields the same id. */
export function deriveRepairMessageId(rule: string, ids: readonly string[]): string {
  return `msg_${digestText(JSON.stringify([rule, ...ids])).slice(0, 24)}`
}
