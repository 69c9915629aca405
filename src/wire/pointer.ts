/** A place inside a JSON value, as a chain: it costs nothing until an error needs it as text. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
  /** Where the items of this place's `content` stood, for one that is not what it was. */
  readonly positions?: readonly number[]
}

/** The place `key` below `parent`. */
export function below(parent: Path | undefined, key: string | number): Path {
  return { parent, key }
}

/** A path as a JSON pointer (RFC 6901); the whole value is `''`. */
export function pointer(path: Path | undefined): string {
  let text = ''
  for (let at = path; at !== undefined; at = at.parent) {
    const key =
      typeof at.key === 'number' ? stood(at.key, at) : at.key.replaceAll('~', '~0').replaceAll('/', '~1')
    text = `/${key}${text}`
  }
  return text
}

/** The position of an item, or for one of a content that changed, where it stood. */
function stood(position: number, { parent }: Path): number {
  return (parent?.key === 'content' ? parent.parent?.positions?.[position] : undefined) ?? position
}
