import { type JsonObject, setKey } from './json.ts'

/** An object or list that is still open, and where in it the present value goes. */
type OpenContainer = { readonly object: object; key: string } | { readonly list: unknown[]; index: number }

/** A JSON object that grows in place. */
export interface JsonBuilder {
  readonly root: JsonObject | undefined
  /** How many objects and lists are open. */
  readonly depth: number
  /** Whether the innermost one is a list. */
  readonly isInList: boolean
  /** Puts a value at the present place, or puts another in its stead. */
  put(value: unknown): void
  openObject(): void
  openList(): void
  close(): void
  /** Goes on to a member of the open object. */
  moveToKey(key: string): void
  /** Goes on to the next item of the open list. */
  moveToNextItem(): void
}

/**
 * Builds a JSON object from the outside in, so that every stage of it can be seen.
 *
 * @example
 * const builder = createJsonBuilder()
 * builder.openObject()
 * builder.toKey('a')
 * builder.put(1)
 * builder.root // { a: 1 }
 */
export function createJsonBuilder(): JsonBuilder {
  const levels: OpenContainer[] = []
  let root: JsonObject | undefined

  function put(value: unknown): void {
    const level = levels.at(-1)
    if (level === undefined) root = value as JsonObject
    else if ('list' in level) level.list[level.index] = value
    else setKey(level.object, level.key, value)
  }

  function open(level: OpenContainer): void {
    put('list' in level ? level.list : level.object)
    levels.push(level)
  }

  return {
    get root() {
      return root
    },
    get depth() {
      return levels.length
    },
    get isInList() {
      const level = levels.at(-1)
      return level !== undefined && 'list' in level
    },
    put,
    openObject: () => open({ object: {}, key: '' }),
    openList: () => open({ list: [], index: 0 }),
    close() {
      levels.pop()
    },
    moveToKey(key) {
      const level = levels.at(-1)
      if (level !== undefined && 'object' in level) level.key = key
    },
    moveToNextItem() {
      const level = levels.at(-1)
      if (level !== undefined && 'list' in level) level.index++
    },
  }
}
