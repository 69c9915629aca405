/** Adds the names of the hints that a value contains to a set. */
export function collectHints(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key === 'hints' && typeof each === 'object' && each !== null)
      for (const name of Object.keys(each)) found.add(name)
    else collectHints(each, found)
  }
}
