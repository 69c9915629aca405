/** A place inside a JSON value, as a chain: it costs nothing until an error needs it as text. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
}

/** The place `key` below `parent`. */
export function below(parent: Path | undefined, key: string | number): Path {
  return { parent, key }
}

/** A path as a JSON pointer (RFC 6901); the whole value is `''`. */
export function pointer(path: Path | undefined): string {
  let text = ''
  for (let at = path; at !== undefined; at = at.parent) {
    const key = typeof at.key === 'number' ? at.key : at.key.replaceAll('~', '~0').replaceAll('/', '~1')
    text = `/${key}${text}`
  }
  return text
}
