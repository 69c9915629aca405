/** Forms in which a host may repeat a key. */
export const forms: readonly (readonly [title: string, write: (key: string) => string])[] = [
  ['as it is', (key) => key],
  ['in upper case', (key) => key.toUpperCase()],
  ['in lower case', (key) => key.toLowerCase()],
  ['in JSON', (key) => JSON.stringify(key)],
  ['in JSON in JSON', (key) => JSON.stringify(JSON.stringify(key))],
  ['in Unicode escapes', (key) => Array.from(key, (each) => `\\u00${toHex(each)}`).join('')],
  ['percent-encoded', (key) => encodeURIComponent(key)],
  ['percent-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['entirely percent-encoded', (key) => Array.from(key, (each) => `%${toHex(each)}`).join('')],
  ['as basic authentication', (key) => btoa(`user:${key}`)],
  ['in base64 at every position', (key) => ['', 'a', 'ab'].map((start) => btoa(`${start}${key}.`)).join(' ')],
  ['in the URL alphabet', (key) => btoa(key).replaceAll('+', '-').replaceAll('/', '_')],
  ['masked by the host', (key) => `${key.slice(0, 8)}********${key.slice(-4)}`],
]

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

/** Pieces of a key from which it could be guessed, in every form that the test writes. */
export function findPieces(text: string, key: string): readonly string[] {
  const plain = text.replaceAll(/%(?:25)*([0-9a-f]{2})|\\+u00([0-9a-f]{2})/gi, (_all, a: string, b: string) =>
    String.fromCharCode(Number.parseInt(a ?? b, 16)),
  )
  const words = text.match(/[\w+/-]{8,}/g) ?? []
  const decoded = words.flatMap((word) => [0, 1, 2, 3].map((skip) => tryAtob(word.slice(skip))))
  const lower = [plain, ...decoded].join('\n').toLowerCase()
  const starts = Array.from({ length: key.length - 5 }, (_, start) =>
    key.slice(start, start + 6).toLowerCase(),
  )
  return starts.filter((piece) => lower.includes(piece))
}

function tryAtob(text: string): string {
  try {
    return atob(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .slice(0, text.length - (text.length % 4)),
    )
  } catch {
    return ''
  }
}
