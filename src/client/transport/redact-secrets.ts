import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'

/** Headers by their names in lower case. */
export interface HeaderFields {
  readonly [name: string]: string
}

/** Takes secrets out of a text. */
export type Redactor = (text: string) => string

/** Names of headers and parameters that tell that their value is a secret. */
const SECRET_NAME = /auth|key|token|secret|cookie|password|credential|^(?:code|sig)$/i

/** What is shorter is no secret, and taking it out would make any text unreadable. */
const MIN_SECRET_CHARACTERS = 8

const REDACTED_TEXT = '[redacted]'

/** What takes the secrets of a request out of a text, wherever they came from: those of its headers and of its address. */
export function createRedactor({
  headers,
  url,
}: {
  readonly headers: HeaderFields
  readonly url: URL
}): Redactor {
  const secrets = [...Object.entries(headers), ...url.searchParams]
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+ /, '')])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    // One that begins with another goes first, or its end would stay.
    .toSorted((a, b) => b.length - a.length)
  return (text) =>
    secrets.reduce(
      (clean, secret) => redactTruncatedSecret(clean.replaceAll(secret, REDACTED_TEXT), secret),
      text,
    )
}

/** Errors are not told at any length: a text that was cut may end in the middle of a secret. */
function redactTruncatedSecret(text: string, secret: string): string {
  const end = text.endsWith('…') ? text.length - 1 : text.length
  for (let length = Math.min(secret.length, end); length >= MIN_SECRET_CHARACTERS; length--) {
    const start = end - length
    if (text.startsWith(secret.slice(0, length), start))
      return text.slice(0, start) + REDACTED_TEXT + text.slice(end)
  }
  return text
}

/** The same value without secrets in its texts and keys. */
export function redactJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => redactJson(each, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redact(key), redactJson(each, redact)]),
  )
}

/** How a body is cut is for whoever sends it to say: a length that was said for another body would leave a call hanging. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding'])

/**
 * Headers with their names in lower case, the later ones winning. What cannot stand in a header is refused here, by name
 * alone: the platform would refuse it too, but quote the value.
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
  return new InterlinguaError('invalid-value', `${what} cannot stand in a request`, {
    found: 'something else than text, or characters that end or break a header',
    expected,
    hint: 'Check the key and the headers for line breaks and signs that were pasted along.',
  })
}
