/**
 * Returns true for a value that every encoder writes as it is: no residue and no lone surrogates in it, and no reasoning, which
 * depends on the model. Most messages are plain; the walks that report and replace something are only for the others. This
 * walk allocates nothing, so it takes less time than remembering its result would.
 */
export function isPlainValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlainValue(value[index])) return false
    return true
  }
  for (const key in value) {
    if (key === 'extra' || !key.isWellFormed()) return false
    const item = (value as Record<string, unknown>)[key]
    if (item === 'reasoning' || !isPlainValue(item)) return false
  }
  return true
}
