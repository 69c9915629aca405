/** Keys whose values are data of the application or the model: an `extra` inside of them is not the library's. */
export const dataKeys: ReadonlySet<string> = new Set([
  'arguments',
  'metadata',
  'value',
  'input',
  'options',
  'schema',
  'source',
])

/**
 * Returns a value without `extra` and without signatures, at any depth: what a person reads of a call, a message, a
 * request or a response. Do not send it: residue and signatures are missing.
 */
export function stripExtra<T>(value: T): T {
  return strip(value) as T
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, strip)
  const kept = Object.entries(value).filter(([key]) => key !== 'extra' && key !== 'signature')
  return Object.fromEntries(kept.map(([key, each]) => [key, dataKeys.has(key) ? each : strip(each)]))
}
