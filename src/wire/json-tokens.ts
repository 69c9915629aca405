import { createTextBuffer } from './text-buffer.ts'

/**
 * Whether JSON counts a character as white space; Unicode has more of it.
 *
 * @example
 * isSpace('\t') // true
 */
export function isJsonWhitespace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}

/**
 * Whether a number or a word cannot go on with this character.
 *
 * @example
 * endsScalar('}') // true
 */
export function isScalarEnd(character: string): boolean {
  return character === ',' || character === '}' || character === ']' || isJsonWhitespace(character)
}

/** How far a JSON number has come. */
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

/** What may follow at each stage, and where it leads. */
const NUMBER_TRANSITIONS: {
  readonly [stage in NumberState]: { readonly [kind in CharacterClass]?: NumberState }
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
 * The next stage of a number, or undefined when none goes on so: the grammar is followed by the character, so that
 * garbage is told at once.
 *
 * @example
 * nextStage('start', '0') // 'zero'
 * nextStage('zero', '1') // undefined: no number starts with 01
 */
export function advanceNumberState(stage: NumberState, character: string): NumberState | undefined {
  const kind = classifyCharacter(character)
  return kind === undefined ? undefined : NUMBER_TRANSITIONS[stage][kind]
}

/**
 * Whether a number may end here.
 *
 * @example
 * mayEnd('point') // false: 1. is none
 */
export function isCompleteNumber(stage: NumberState): boolean {
  return stage === 'zero' || stage === 'whole' || stage === 'fraction' || stage === 'power'
}

/** The inside of one JSON string after the other, each in pieces. */
export interface JsonStringReader {
  /** Reads on from `start`; the index behind the closing quote, or undefined when the string goes on. */
  read(text: string, start: number): number | undefined
  /** Whether something came that no JSON string holds. */
  readonly isInvalid: boolean
  /** What came so far. It costs what came since the last time, not the length of the string. */
  readPartial(): string
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
export function createJsonStringReader(): JsonStringReader {
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
        const end = findPlainEnd(text, at)
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
    get isInvalid() {
      return broken
    },
    readPartial() {
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
function findPlainEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH || code < SPACE) return at
  }
  return text.length
}
