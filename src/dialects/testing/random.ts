/** Returns a pseudo-random integer from 0 up to, and without, a limit. */
export type RandomInteger = (limit: number) => number

/** Creates pseudo-random numbers: the same seed gives the same numbers on every machine. */
export function createRandom(seed: number): RandomInteger {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return (limit) => {
    // The mixing steps of "mulberry32": short, and even enough to select test cases.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, limit)
  }
}

/** Returns an item of a list. */
export function pickItem<T>(random: RandomInteger, items: readonly T[]): T {
  return items[random(items.length)] as T
}

/** Values that replace others: one of each type, and blocks that look familiar. */
export const REPLACEMENTS: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  [],
  {},
  [null],
  { type: 'text' },
  { role: 'user' },
  [[['deep']]],
]

const MUTATIONS = ['remove', 'replace', 'rename', 'nest'] as const

/** Returns a copy of a body with one to three random changes: keys removed, retyped, renamed or nested. */
export function mutateBody(body: object, random: RandomInteger): unknown {
  let mutated: unknown = body
  for (let count = 1 + random(3); count > 0; count--) {
    const size = countValues(mutated)
    // The first value is the body itself, which stays an object.
    const path = findPath(mutated, size > 1 ? 1 + random(size - 1) : 0)
    mutated = changeValue(mutated, path, pickItem(random, MUTATIONS), pickItem(random, REPLACEMENTS))
  }
  return mutated
}

/** Returns the number of values: the value itself, and those that it contains. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const each of Object.values(value)) count += countValues(each)
  return count
}

/** Returns the path of the value with a number, counted from the outside in. */
export function findPath(value: unknown, number: number): readonly string[] {
  if (typeof value !== 'object' || value === null || number === 0) return []
  let rest = number - 1
  for (const [key, each] of Object.entries(value)) {
    const count = countValues(each)
    if (rest < count) return [key, ...findPath(each, rest)]
    rest -= count
  }
  return []
}

function changeValue(
  value: unknown,
  [key, ...rest]: readonly string[],
  mutation: (typeof MUTATIONS)[number],
  replacement: unknown,
): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const change = (each: unknown): readonly unknown[] => {
    if (rest.length > 0) return [changeValue(each, rest, mutation, replacement)]
    if (mutation === 'remove') return []
    return [mutation === 'nest' ? { nested: each } : mutation === 'replace' ? replacement : each]
  }
  if (Array.isArray(value))
    return value.flatMap((each, index): readonly unknown[] => (String(index) === key ? change(each) : [each]))
  const isRenamed = rest.length === 0 && mutation === 'rename'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      name === key
        ? change(each).map((changed) => [isRenamed ? `${name}_renamed` : name, changed] as const)
        : [[name, each] as const],
    ),
  )
}
