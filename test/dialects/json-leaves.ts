/** The keys that lead to a place of a JSON value. */
export type Place = readonly (string | number)[]

/** A value that holds no others, and where it stands. */
export interface Leaf {
  readonly at: Place
  readonly value: unknown
}

function entriesOf(value: object): readonly (readonly [string | number, unknown])[] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}

/** Every string, number, boolean and null of a value; `enter` tells which keys to leave out. */
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

/** A copy with every value exchanged that `change` wants to exchange; undefined removes the key. */
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

/** A copy without what applications and other formats put beside the fields: that is theirs to answer for. */
export function bare<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => bare(each)) as T
  const entries = Object.entries(value).filter(([key]) => key !== 'extra')
  return Object.fromEntries(entries.map(([key, each]) => [key, bare(each as unknown)])) as T
}

/** A copy with one more field in every object, and one more block in every list of objects. */
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

/** A place as the JSON pointer that losses use. */
export function pointerTo(at: Place): string {
  return at.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Whether a pointer names a place or something around it. */
export function covers(pointer: string, at: string): boolean {
  return pointer === at || at.startsWith(`${pointer}/`)
}

/** The words of some texts. */
export function setOf(...texts: readonly string[]): ReadonlySet<string | number> {
  return new Set(texts.flatMap((text) => text.split(' ')))
}
