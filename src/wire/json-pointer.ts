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

/** Most keys are words of ours, in which nothing is to be escaped. */
function escapeKey(key: string): string {
  return SPECIAL_CHARACTERS.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The position of an item, or for one of a content that changed, where it stood. */
function originalPosition(position: number, { parent }: Path): number {
  return (parent?.key === 'content' ? parent.parent?.originalPositions?.[position] : undefined) ?? position
}
