/** A place inside a JSON value, as a chain: it costs nothing until an error needs it as text. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
  /** Where the items of this place's `content` stood, for one that is not what it was. */
  readonly originalPositions?: readonly number[]
}

const SPECIAL_CHARACTERS = /[~/]/

/** The place `key` below `parent`. */
export function child(parent: Path | undefined, key: string | number): Path {
  return { parent, key }
}

/** A path as a JSON pointer (RFC 6901); the whole value is `''`. */
export function toPointer(path: Path | undefined): string {
  let text = ''
  for (let at = path; at !== undefined; at = at.parent) {
    text = `/${typeof at.key === 'number' ? originalPosition(at.key, at) : escapeKey(at.key)}${text}`
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
  return pointer.split('/').slice(1).map(unescapeKey)
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

/** Most keys are field names, in which nothing needs to be escaped. */
function escapeKey(key: string): string {
  return SPECIAL_CHARACTERS.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The position of an item, or for one of a content that changed, where it stood. */
function originalPosition(position: number, { parent }: Path): number {
  return (parent?.key === 'content' ? parent.parent?.originalPositions?.[position] : undefined) ?? position
}
