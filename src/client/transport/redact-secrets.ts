import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'

/** Headers by lower-case name. */
export interface HeaderFields {
  readonly [name: string]: string
}

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string

/** Matches names of headers and query parameters whose values are secret. */
const SECRET_NAME = /auth|key|token|secret|cookie|password|credential|^(?:code|sig)$/i

/** Shorter values are not secrets, and replacing them would make texts unreadable. */
const MIN_SECRET_CHARACTERS = 8

const REDACTED = '[redacted]'

/** Returns a redactor for the secrets in the headers and the URL of a request. */
export function createRedactor(headers: HeaderFields, url: URL): Redactor {
  const secrets = [...Object.entries(headers), ...url.searchParams]
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+ /, '')])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    // Longer secrets are replaced first: otherwise the rest of a secret that starts with another one would
    // remain.
    .toSorted((a, b) => b.length - a.length)
  return (text) =>
    secrets.reduce((clean, secret) => redactTruncatedSecret(clean.replaceAll(secret, REDACTED), secret), text)
}

/** Error texts are truncated, so a text may end in the middle of a secret. */
function redactTruncatedSecret(text: string, secret: string): string {
  const end = text.endsWith('…') ? text.length - 1 : text.length
  for (let length = Math.min(secret.length, end); length >= MIN_SECRET_CHARACTERS; length--) {
    const start = end - length
    if (text.startsWith(secret.slice(0, length), start))
      return text.slice(0, start) + REDACTED + text.slice(end)
  }
  return text
}

/** Replaces secrets in all strings and keys of a value. */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => redactJson(each, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redact(key), redactJson(each, redact)]),
  )
}

/** Headers that the transport sets itself: a content length of another body would make the request hang. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding'])

/**
 * Joins headers with lower-case names; later ones take precedence. Invalid headers are rejected with an error
 * that contains only the name, since the error of the platform would quote the value.
 */
export function joinHeaders(...sources: readonly HeaderFields[]): HeaderFields {
  const joined = new Map<string, string>()
  for (const [name, value] of sources.flatMap((source) => Object.entries(source))) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw invalidHeaderError('The name of a header', 'letters, digits and -')
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw invalidHeaderError(`The value of the header '${name}'`, 'printable ASCII characters')
    if (!FRAMING_HEADERS.has(name.toLowerCase())) joined.set(name.toLowerCase(), value.trim())
  }
  return Object.fromEntries(joined)
}

function invalidHeaderError(what: string, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `${what} is not valid in an HTTP request`, {
    found: 'a value that is not text, or characters that are not allowed in a header',
    expected,
    hint: 'Check the key and the headers for pasted line breaks and special characters.',
  })
}
