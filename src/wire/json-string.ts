import { createTextBuffer } from './text-buffer.ts'

/** The inside of one JSON string after the other, each in pieces. */
export interface StringReader {
  /** Reads on from `start`; the index behind the closing quote, or undefined when the string goes on. */
  read(text: string, start: number): number | undefined
  /** Whether something came that no JSON string holds. */
  readonly broken: boolean
  /** What came so far. It costs what came since the last time, not the length of the string. */
  soFar(): string
  /** The whole string, when its quote has closed; the next one may follow. */
  take(): string
}

const QUOTE = 34
const BACKSLASH = 92
const SPACE = 32

const escapes: { readonly [character: string]: string | undefined } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Reads JSON strings in pieces, cut anywhere: inside an escape, between the halves of a character.
 *
 * @example
 * const reader = createStringReader()
 * reader.read('Hel\\', 0) // undefined: it goes on
 * reader.soFar() // 'Hel'
 * reader.read('n"', 0) // 2
 * reader.take() // 'Hel\n'
 */
export function createStringReader(): StringReader {
  const fresh = createTextBuffer()
  let shown = ''
  /** An escape that is not whole yet, with its backslash. */
  let escape = ''
  let broken = false

  /** One more character of an escape. */
  function extend(character: string): void {
    escape += character
    if (escape.length === 2 && character !== 'u') unescape(escapes[character])
    else if (escape.length > 2 && !/[\da-f]/i.test(character)) broken = true
    else if (escape.length === 6) unescape(String.fromCharCode(Number.parseInt(escape.slice(2), 16)))
  }

  function unescape(meaning: string | undefined): void {
    if (meaning === undefined) broken = true
    else fresh.push(meaning)
    escape = ''
  }

  function read(text: string, start: number): number | undefined {
    let at = start
    while (at < text.length && !broken) {
      if (escape !== '') extend(text.charAt(at++))
      else {
        const end = endOfPlain(text, at)
        fresh.push(text.slice(at, end))
        if (end === text.length) return undefined
        if (text.charCodeAt(end) === QUOTE) return end + 1
        if (text.charCodeAt(end) === BACKSLASH) escape = '\\'
        else broken = true
        at = end + 1
      }
    }
    return undefined
  }

  return {
    read,
    get broken() {
      return broken
    },
    soFar() {
      const news = fresh.take()
      // Half a character would be shown as garbage: it waits for the other half.
      const whole = /[\ud800-\udbff]$/.test(news.slice(-1)) ? news.slice(0, -1) : news
      fresh.push(news.slice(whole.length))
      shown += whole
      return shown
    },
    take() {
      const whole = shown + fresh.take()
      shown = ''
      return whole
    },
  }
}

/** The index of the first character that is not plain text of a string. */
function endOfPlain(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH || code < SPACE) return at
  }
  return text.length
}
