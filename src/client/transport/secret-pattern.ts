import { toBase64 } from '../../wire/base64.ts'

/** Shorter values are not secrets, and replacing them would make texts unreadable. */
export const MIN_SECRET_CHARACTERS = 8

/**
 * Returns a pattern of secrets in every form in which hosts repeat them: in any case, with characters that are escaped
 * as in JSON or a URL (even twice), and inside of base64. A key is ASCII text, so each character has one pattern.
 */
export function createSecretPattern(secrets: readonly string[]): RegExp | undefined {
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
