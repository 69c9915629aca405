import { type JsonObject, setKey } from './json.ts'

/** An open object or list, and the position of the current value in it. */
type OpenContainer = { readonly object: object; key: string } | { readonly list: unknown[]; index: number }

/** Builds a JSON object in place. */
export interface JsonBuilder {
  readonly root: JsonObject | undefined
  /** The number of open objects and lists. */
  readonly depth: number
  /** True if the innermost open container is a list. */
  readonly isInList: boolean
  /** Sets the value at the current position, replacing the one before. */
  put(value: unknown): void
  openObject(): void
  openList(): void
  close(): void
  /** Moves the position to a key of the open object. */
  moveToKey(key: string): void
  /** Moves the position to the next item of the open list. */
  moveToNextItem(): void
}

/**
 * Creates a builder that adds values from the outside in, so that each intermediate state is a JSON object.
 *
 * @example
 * const builder = createJsonBuilder()
 * builder.openObject()
 * builder.moveToKey('a')
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
