import { digestText } from './digest.ts'

/**
 * Creates a function that returns a name that is still free, in linear time however many share one name: the name itself,
 * else `<name>_2`, `<name>_3`, … The returned name is added to `taken`.
 */
export function createUniqueNames(taken: Set<string>, separator = '_'): (name: string) => string {
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

/** The items whose name an earlier one bears already. */
export function findRepeated<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const name = nameOf(item)
    const again = seen.has(name)
    seen.add(name)
    return again
  })
}

/** The id of a message that a repair makes: derived, so that the same repair gives the same id each time. */
export function deriveMessageId(rule: string, ids: readonly string[]): string {
  return `msg_${digestText(JSON.stringify([rule, ...ids])).slice(0, 24)}`
}
