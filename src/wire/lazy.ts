/**
 * Returns a function that creates a value by its first call. Tables that an import does not need are created this way: a
 * program pays for them only if it uses them.
 *
 * @example
 * const getTable = lazy(() => new Map(rows.map((row) => [row.name, row])))
 */
export function lazy<T extends object>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}
