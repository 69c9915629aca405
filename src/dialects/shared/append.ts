/** Adds to a list. Items that a host sends may be too many to be the arguments of one call. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}
