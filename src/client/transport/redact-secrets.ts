import { InterlinguaError } from '../../errors.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import { isObject } from '../../wire/json.ts'

/** Shorter values are not secrets, and replacing them would make texts unreadable. */
const MIN_SECRET_CHARACTERS = 8

/**
 * Returns a pattern of secrets in every form in which hosts repeat them: in any case, with characters that are escaped
 * as in JSON or a URL (even twice), and inside of base64. A key is ASCII text, so each character has one pattern.
 */
function createSecretPattern(secrets: readonly string[]): RegExp | undefined {
  const forms = secrets
    .flatMap((secret) => [{ text: secret, toPattern: toEscapedPattern }, ...listBase64Forms(secret)])
    .filter(({ text }) => text.length >= MIN_SECRET_CHARACTERS)
    // Longer forms come first: otherwise the rest of a secret that starts with another one would remain.
    .toSorted((a, b) => b.text.length - a.text.length)
  const patterns = forms.map(({ text, toPattern }) => Array.from(text, toPattern).join(''))
  return patterns.length === 0 ? undefined : new RegExp([...new Set(patterns)].join('|'), 'gi')
}

/** Matches a character as it is, percent-encoded, or escaped in JSON. Bounded, so that matching stays linear. */
function toEscapedPattern(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  return `\\\\{0,8}(?:${toLiteral(character)}|%(?:25){0,4}${hex}|u00${hex})`
}

/** Matches a character of base64 in both alphabets. */
function toBase64Pattern(character: string): string {
  if (character === '+') return '[+-]'
  return character === '/' ? '[/_]' : character
}

function toLiteral(character: string): string {
  return /[A-Za-z0-9]/.test(character)
    ? character
    : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Returns the base64 of a secret at the three positions that it can have in longer data, without shared characters. */
function listBase64Forms(secret: string): { text: string; toPattern: (character: string) => string }[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].map((offset) => {
    const padded = new Uint8Array(offset + bytes.length)
    padded.set(bytes, offset)
    const encoded = toBase64(padded)
    const start = Math.ceil((offset * 8) / 6)
    return { text: encoded.slice(start, Math.floor((padded.length * 8) / 6)), toPattern: toBase64Pattern }
  })
}

/** Headers by lower-case name. */
export interface HeaderFields {
  readonly [name: string]: string
}

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string

/** Matches names of headers and query parameters whose values are secret. */
const SECRET_NAME = /auth|key|token|secret|cookie|password|credential|^(?:code|sig)$/i

const REDACTED = '[redacted]'

/** Returns a redactor for the secrets in the headers and the URL of a request. */
export function createRedactor(headers: HeaderFields, url: URL): Redactor {
  // Collected and compiled only for an error: most requests have none.
  let secrets: readonly string[] | undefined
  let pattern: RegExp | undefined
  return (text) => {
    secrets ??= collectSecrets(headers, url)
    pattern ??= createSecretPattern(secrets)
    if (pattern === undefined) return text
    const clean = secrets.reduce(redactTruncatedSecret, text.replaceAll(pattern, REDACTED))
    return redactMaskedSecrets(clean, secrets)
  }
}

/** Returns the secrets of a request, the longest first. */
function collectSecrets(headers: HeaderFields, url: URL): readonly string[] {
  return [...Object.entries(headers), ...url.searchParams]
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => listSecrets(value))
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
}

/** Returns a value and its credentials: those after the scheme, and user and password of basic authentication. */
function listSecrets(value: string): readonly string[] {
  const credentials = value.replace(/^\w+ +/, '')
  const decoded = /^basic /i.test(value) ? fromBase64(credentials) : undefined
  const basic =
    decoded === undefined ? [] : [new TextDecoder().decode(decoded)].filter((text) => isAscii(text))
  return [
    value,
    credentials,
    ...basic,
    ...basic.flatMap((text) => text.split(':', 1).concat(text.replace(/^[^:]*:/, ''))),
  ]
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/** Matches a word that a host has masked in the middle, with its start and its end. */
const MASKED_WORD = /([\w.~+/=-]{0,200}?)(?:\*{3,}|•{3,}|\.{3,}|…)([\w.~+/=-]{0,200})/g

/** The fewest characters of a masked word that identify a secret. */
const MIN_MASKED_CHARACTERS = 4

/** Hosts show the start and the end of an invalid key, such as `sk-ab***yz`. */
function redactMaskedSecrets(text: string, secrets: readonly string[]): string {
  return text.replaceAll(MASKED_WORD, (word, start: string, end: string) => {
    const isPart = secrets.some((secret) => {
      const isStart = start.length >= MIN_MASKED_CHARACTERS && secret.startsWith(start)
      return isStart || (end.length >= MIN_MASKED_CHARACTERS && secret.endsWith(end))
    })
    return isPart ? REDACTED : word
  })
}

/** Error texts are truncated, so a text may end in the middle of a secret, in any of its forms. */
function redactTruncatedSecret(text: string, secret: string): string {
  const end = text.endsWith('…') ? text.length - 1 : text.length
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
    const tail = text.slice(Math.max(0, end - form.length), end).toLowerCase()
    const start = form.toLowerCase()
    for (let length = tail.length; length >= MIN_SECRET_CHARACTERS; length--)
      if (start.startsWith(tail.slice(tail.length - length)))
        return text.slice(0, end - length) + REDACTED + text.slice(end)
  }
  return text
}

/** Returns headers with redacted values. */
export function redactHeaders(headers: Headers, redact: Redactor): HeaderFields {
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, redact(value)]))
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
