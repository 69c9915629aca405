import { TextBuffer } from './text-buffer.ts'

/**
 * Returns true for JSON white space, which is a subset of that of Unicode.
 *
 * @example
 * isJsonWhitespace('\t') // true
 */
export function isJsonWhitespace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}

/**
 * Returns true for a character that ends a number or a literal.
 *
 * @example
 * isScalarEnd('}') // true
 */
export function isScalarEnd(character: string): boolean {
  return character === ',' || character === '}' || character === ']' || isJsonWhitespace(character)
}

/** The part of a JSON number that was read last. */
export type NumberState =
  | 'start'
  | 'sign'
  | 'zero'
  | 'whole'
  | 'point'
  | 'fraction'
  | 'e'
  | 'e-sign'
  | 'power'

type CharacterClass = '0' | '1-9' | '.' | '-' | '+' | 'e'

/** The characters that may follow each part of a number, and the part that they lead to. */
const NUMBER_TRANSITIONS: {
  readonly [state in NumberState]: { readonly [kind in CharacterClass]?: NumberState }
} = {
  start: { '-': 'sign', '0': 'zero', '1-9': 'whole' },
  sign: { '0': 'zero', '1-9': 'whole' },
  zero: { '.': 'point', e: 'e' },
  whole: { '0': 'whole', '1-9': 'whole', '.': 'point', e: 'e' },
  point: { '0': 'fraction', '1-9': 'fraction' },
  fraction: { '0': 'fraction', '1-9': 'fraction', e: 'e' },
  e: { '-': 'e-sign', '+': 'e-sign', '0': 'power', '1-9': 'power' },
  'e-sign': { '0': 'power', '1-9': 'power' },
  power: { '0': 'power', '1-9': 'power' },
}

function classifyCharacter(character: string): CharacterClass | undefined {
  if (character >= '1' && character <= '9') return '1-9'
  if (character === 'E') return 'e'
  return character !== '' && '0.-+e'.includes(character) ? (character as CharacterClass) : undefined
}

/**
 * Returns the state after one more character of a number, or undefined if the character is not allowed. The
 * grammar is checked per character, so that invalid input is detected at once.
 *
 * @example
 * advanceNumberState('start', '0') // 'zero'
 * advanceNumberState('zero', '1') // undefined: no number starts with 01
 */
export function advanceNumberState(state: NumberState, character: string): NumberState | undefined {
  const kind = classifyCharacter(character)
  return kind === undefined ? undefined : NUMBER_TRANSITIONS[state][kind]
}

/**
 * Returns true if a number may end in this state.
 *
 * @example
 * isFinalNumberState('point') // false: "1." is not a number
 */
export function isFinalNumberState(state: NumberState): boolean {
  return state === 'zero' || state === 'whole' || state === 'fraction' || state === 'power'
}

/** Reads the contents of JSON strings, one after the other, each in pieces. */
export interface JsonStringReader {
  /** Reads from `start`; returns the index after the closing quote, or undefined if the string continues. */
  read(text: string, start: number): number | undefined
  /** True if a character was read that no JSON string may contain. */
  readonly isInvalid: boolean
  /** Returns the text so far. The cost depends on the text since the last call, not on the length of the string. */
  readPartial(): string
  /** Returns the complete string after its closing quote and prepares for the next one. */
  take(): string
}

const QUOTE = 34
const BACKSLASH = 92
const SPACE = 32

const ESCAPED_CHARACTERS: { readonly [character: string]: string | undefined } = {
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
 * Creates a reader of JSON strings that arrive in pieces, split anywhere: inside an escape, inside a surrogate pair.
 *
 * @example
 * const reader = createJsonStringReader()
 * reader.read('Hel\\', 0) // undefined: the string continues
 * reader.readPartial() // 'Hel'
 * reader.read('n"', 0) // 2
 * reader.take() // 'Hel\n'
 */
export function createJsonStringReader(): JsonStringReader {
  const pending = new TextBuffer()
  let partial = ''
  /** An incomplete escape, including its backslash. */
  let escape = ''
  let isInvalid = false

  /** Adds one character to the escape. */
  function addToEscape(character: string): void {
    escape += character
    if (escape.length === 2 && character !== 'u') endEscape(ESCAPED_CHARACTERS[character])
    else if (escape.length > 2 && !/[\da-f]/i.test(character)) isInvalid = true
    else if (escape.length === 6) endEscape(String.fromCharCode(Number.parseInt(escape.slice(2), 16)))
  }

  function endEscape(unescaped: string | undefined): void {
    if (unescaped === undefined) isInvalid = true
    else pending.push(unescaped)
    escape = ''
  }

  function read(text: string, start: number): number | undefined {
    let position = start
    while (position < text.length && !isInvalid) {
      if (escape !== '') addToEscape(text.charAt(position++))
      else {
        const end = findPlainEnd(text, position)
        pending.push(text.slice(position, end))
        if (end === text.length) return undefined
        if (text.charCodeAt(end) === QUOTE) return end + 1
        if (text.charCodeAt(end) === BACKSLASH) escape = '\\'
        else isInvalid = true
        position = end + 1
      }
    }
    return undefined
  }

  return {
    read,
    get isInvalid() {
      return isInvalid
    },
    readPartial() {
      const added = pending.take()
      // Half a surrogate pair is kept back until the other half has arrived.
      const complete = /[\ud800-\udbff]$/.test(added.slice(-1)) ? added.slice(0, -1) : added
      pending.push(added.slice(complete.length))
      partial += complete
      return partial
    },
    take() {
      const complete = partial + pending.take()
      partial = ''
      return complete
    },
  }
}

/** Returns the index of the first character that ends plain text: a quote, a backslash or a control character. */
function findPlainEnd(text: string, start: number): number {
  for (let position = start; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === QUOTE || code === BACKSLASH || code < SPACE) return position
  }
  return text.length
}
