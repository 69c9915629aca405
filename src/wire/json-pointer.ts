/** A path inside a JSON value, as a linked list: no text is built until an error or a loss needs it. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
  /** The original positions of the items of `content` at this path, if items were removed or moved. */
  readonly originalPositions?: readonly number[]
}

const SPECIAL_CHARACTERS = /[~/]/

/** Returns the child path of `key`. */
export function child(parent: Path | undefined, key: string | number): Path {
  return { parent, key }
}

/** Formats a path as a JSON pointer (RFC 6901); the root is `''`. */
export function toPointer(path: Path | undefined): string {
  let text = ''
  for (let step = path; step !== undefined; step = step.parent) {
    const key = getKey(step)
    text = `/${typeof key === 'number' ? key : escapeKey(key)}${text}`
  }
  return text
}

/**
 * Returns the keys of a JSON pointer (RFC 6901).
 *
 * @example
 * parsePointer('/a~1b/0') // ['a/b', '0']
 */
export function parsePointer(pointer: string): readonly string[] {
  const keys = pointer.split('/').slice(1)
  return pointer.includes('~') ? keys.map(unescapeKey) : keys
}

/** Returns the path of a JSON pointer below a base. */
export function toPath(pointer: string, base?: Path): Path | undefined {
  return parsePointer(pointer).reduce<Path | undefined>(child, base)
}

/** Returns the keys of a `#/…` reference, a percent-encoded JSON pointer; undefined if the encoding is invalid. */
export function parsePointerFragment(ref: string): readonly string[] | undefined {
  try {
    return ref
      .split('/')
      .slice(1)
      .map((step) => unescapeKey(decodeURIComponent(step)))
  } catch {
    return undefined
  }
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Escapes a key. Most keys are field names without special characters. */
function escapeKey(key: string): string {
  return SPECIAL_CHARACTERS.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** Returns the last key of a path: an item of `content` has the position that it had before items moved. */
export function getKey({ key, parent }: Path): string | number {
  if (typeof key === 'string' || parent?.key !== 'content') return key
  return parent.parent?.originalPositions?.[key] ?? key
}
