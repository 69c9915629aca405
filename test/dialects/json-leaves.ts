/** The keys of the path to a value inside a JSON value. */
export type Place = readonly (string | number)[]

/** A value without children, and its path. */
export interface Leaf {
  readonly at: Place
  readonly value: unknown
}

function entriesOf(value: object): readonly (readonly [string | number, unknown])[] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}

/** Lists every string, number, boolean and null of a value; `enter` returns false for keys to skip. */
export function leavesOf(
  value: unknown,
  enter: (key: string | number) => boolean = () => true,
): readonly Leaf[] {
  const leaves: Leaf[] = []
  const walk = (each: unknown, at: Place): void => {
    if (typeof each !== 'object' || each === null) leaves.push({ at, value: each })
    else {
      for (const [key, item] of entriesOf(each)) if (enter(key)) walk(item, [...at, key])
    }
  }
  walk(value, [])
  return leaves
}

/** Returns a copy with the values that `change` replaces; undefined removes the key. */
export function mapLeaves(
  value: unknown,
  change: (leaf: unknown, at: Place) => unknown,
  at: Place = [],
): unknown {
  if (typeof value !== 'object' || value === null) return change(value, at)
  if (Array.isArray(value)) return value.map((each, index) => mapLeaves(each, change, [...at, index]))
  const entries = Object.entries(value).map(([key, each]) => [key, mapLeaves(each, change, [...at, key])])
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

/** Returns a copy without `extra`. */
export function bare<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => bare(each)) as T
  const entries = Object.entries(value).filter(([key]) => key !== 'extra')
  return Object.fromEntries(entries.map(([key, each]) => [key, bare(each as unknown)])) as T
}

/** Returns a copy with one more field in every object, and one more block in every list of objects. */
export function enriched(value: unknown, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((each, index) => enriched(each, `${path}/${index}`))
    const blocks = value.length > 0 && value.every((each) => typeof each === 'object' && each !== null)
    return blocks ? [...list, { type: `invented${path}`, held: [1, { deep: path }] }] : list
  }
  const entries = Object.entries(value).map(([key, each]) => [key, enriched(each, `${path}/${key}`)])
  return { ...Object.fromEntries(entries), invented: { here: path, list: [null, true] } }
}

/** Converts a path to the JSON pointer that losses use. */
export function pointerTo(at: Place): string {
  return at.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns true if a pointer names a path or one above it. */
export function covers(pointer: string, at: string): boolean {
  return pointer === at || at.startsWith(`${pointer}/`)
}

/** Returns the set of the words in some texts. */
export function setOf(...texts: readonly string[]): ReadonlySet<string | number> {
  return new Set(texts.flatMap((text) => text.split(' ')))
}
