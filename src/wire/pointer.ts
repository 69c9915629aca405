/** A place inside a JSON value, as a chain: it costs nothing until an error needs it as text. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
  /** Where the items of this place's `content` stood, for one that is not what it was. */
  readonly positions?: readonly number[]
}

const special = /[~/]/

/** The place `key` below `parent`. */
export function below(parent: Path | undefined, key: string | number): Path {
  return { parent, key }
}

/** A path as a JSON pointer (RFC 6901); the whole value is `''`. */
export function pointer(path: Path | undefined): string {
  let text = ''
  for (let at = path; at !== undefined; at = at.parent) {
    text = `/${typeof at.key === 'number' ? stood(at.key, at) : escaped(at.key)}${text}`
  }
  return text
}

/** Most keys are words of ours, in which nothing is to be escaped. */
function escaped(key: string): string {
  return special.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The position of an item, or for one of a content that changed, where it stood. */
function stood(position: number, { parent }: Path): number {
  return (parent?.key === 'content' ? parent.parent?.positions?.[position] : undefined) ?? position
}
