/** Names that mean this machine or its network wherever they are resolved. */
const localNames = ['localhost', 'local', 'internal', 'home.arpa']

/** What one parser skips or turns into a slash and another takes for part of a name. */
const ambiguous = /[\s\\\p{Cc}]/u

/** A URL by the WHATWG rules; undefined when it is none. */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/**
 * Whether a URL may be given to somebody who will fetch it: https to a public name, without credentials. What the name
 * resolves to is for whoever fetches to check.
 */
export function isPublicUrl(text: string): boolean {
  const url = ambiguous.test(text) ? undefined : parseUrl(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isPublicName(url.hostname.replace(/\.$/, ''))
}

/** The parser has already written every spelling of an address (hexadecimal, one number, short) in the usual form. */
function isPublicName(name: string): boolean {
  const address = name.startsWith('[') || /^[\d.]+$/.test(name)
  return (
    !address &&
    name.includes('.') &&
    !localNames.some((local) => name === local || name.endsWith(`.${local}`))
  )
}
