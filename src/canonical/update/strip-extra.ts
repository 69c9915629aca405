/** Keys whose values are data of the application or the model; an `extra` in them is not residue. */
export const keysOfPlainData: ReadonlySet<string> = new Set(
  'arguments metadata value input options schema source'.split(' '),
)

/** Returns a value to show to people: without `extra` and signatures, at any depth. It must not be sent. */
export function stripExtra<T>(value: T): T {
  return strip(value) as T
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, strip)
  const kept = Object.entries(value).filter(([key]) => key !== 'extra' && key !== 'signature')
  return Object.fromEntries(kept.map(([key, each]) => [key, keysOfPlainData.has(key) ? each : strip(each)]))
}
