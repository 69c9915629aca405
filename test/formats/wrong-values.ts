/** The path of a value inside of a JSON value. */
type JsonPath = readonly string[]

/** Values of all types that JSON has, and no value. */
const WRONG_VALUES: readonly unknown[] = [undefined, null, 0, '', [], {}]

/** Returns the paths of all values inside of a value, without the value itself. */
export function pathsOf(value: unknown, path: JsonPath = []): readonly JsonPath[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : []
  const below = Object.keys(value).flatMap((key) =>
    pathsOf((value as Record<string, unknown>)[key], [...path, key]),
  )
  return path.length > 0 ? [path, ...below] : below
}

/** Returns a copy in which the value at a path is another one; undefined removes the key. */
export function replaceAt(value: unknown, [key, ...rest]: JsonPath, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.flatMap((each: unknown, index) => {
      if (String(index) !== key) return [each]
      const changed = replaceAt(each, rest, replacement)
      return changed === undefined ? [] : [changed]
    })
  const entries = Object.entries(value as object).flatMap(([each, inner]) => {
    const changed = each === key ? replaceAt(inner, rest, replacement) : (inner as unknown)
    return changed === undefined ? [] : [[each, changed] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Yields copies of a value: each has one field less, or a wrong value in one. Fields with the same name in the items of a list
 * are alike, so that one of them is enough for each type of value.
 */
export function* breakEveryField(
  value: unknown,
  wrongValues: readonly unknown[] = WRONG_VALUES,
): Iterable<unknown> {
  const alike = new Set<string>()
  for (const path of pathsOf(value)) {
    const kind = `${path.map((key) => key.replace(/^\d+$/, '*')).join('/')} ${typeof valueAt(value, path)}`
    if (alike.has(kind)) continue
    alike.add(kind)
    for (const wrong of wrongValues) yield replaceAt(value, path, wrong)
  }
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)
}
