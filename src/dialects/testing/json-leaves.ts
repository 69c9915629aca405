/** The keys of the path to a value inside a JSON value. */
export type KeyPath = readonly (string | number)[]

/** A value without children, and its path. */
export interface JsonLeaf {
  readonly path: KeyPath
  readonly value: unknown
}

/** Lists every value without children; `shouldEnter` returns false for keys to skip. */
export function listLeaves(
  value: unknown,
  shouldEnter: (key: string | number) => boolean = () => true,
): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = []
  const walk = (each: unknown, path: KeyPath): void => {
    if (typeof each !== 'object' || each === null) leaves.push({ path, value: each })
    else if (Array.isArray(each)) each.forEach((item, index) => walk(item, [...path, index]))
    else for (const [key, item] of Object.entries(each)) if (shouldEnter(key)) walk(item, [...path, key])
  }
  walk(value, [])
  return leaves
}

/** Returns a copy with the values that `change` returns; undefined removes the key. */
export function mapLeaves(
  value: unknown,
  change: (leaf: unknown, path: KeyPath) => unknown,
  path: KeyPath = [],
): unknown {
  if (typeof value !== 'object' || value === null) return change(value, path)
  if (Array.isArray(value)) return value.map((each, index) => mapLeaves(each, change, [...path, index]))
  const entries = Object.entries(value).map(([key, each]) => [key, mapLeaves(each, change, [...path, key])])
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

/** Returns a copy without `extra`, as plain data. */
export function omitExtraEverywhere<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => omitExtraEverywhere(each)) as T
  const entries = Object.entries(value).filter(([key]) => key !== 'extra')
  return Object.fromEntries(entries.map(([key, each]) => [key, omitExtraEverywhere(each as unknown)])) as T
}

/** Returns a copy with an unknown field in every object, and an unknown block in every list of objects. */
export function addUnknownFields(value: unknown, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((each, index) => addUnknownFields(each, `${path}/${index}`))
    const hasBlocks = value.length > 0 && value.every((each) => typeof each === 'object' && each !== null)
    return hasBlocks ? [...list, { type: `invented${path}`, list: [1, { deep: path }] }] : list
  }
  const entries = Object.entries(value).map(([key, each]) => [key, addUnknownFields(each, `${path}/${key}`)])
  return { ...Object.fromEntries(entries), invented: { path, list: [null, true] } }
}

/** Converts a path to the JSON pointer that losses use. */
export function toJsonPointer(path: KeyPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns true if a pointer names a path, or one above it. */
export function isAtOrAbove(pointer: string, path: string): boolean {
  return pointer === path || path.startsWith(`${pointer}/`)
}

/** Returns the value that storing a value as JSON text and reading it again gives. */
export function storeAndLoad<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
