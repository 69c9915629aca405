/**
 * Returns the text that `*` of a pattern stands for in a name; undefined if the name does not fit. A pattern without `*` fits
 * one name, for which the whole name is returned.
 */
export function matchModelPattern(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return name === pattern ? name : undefined
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  return fits ? name.slice(start.length, name.length - end.length) : undefined
}
