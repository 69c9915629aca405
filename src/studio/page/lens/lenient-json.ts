import { InterlinguaError } from '../../../errors.ts'
import { type Json, MAX_JSON_DEPTH, setKey } from '../../../wire/json.ts'

/** JSON that was read from text with syntax errors, and what was corrected. */
export interface LenientJson {
  readonly value: Json
  /** The corrections, each kind once. */
  readonly fixes: readonly string[]
}

/** Literals of JSON, and those of Python and JavaScript with their meaning. */
const LITERALS: { readonly [word: string]: Json } = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
  Infinity: null,
}

const JSON_LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const isKnownWord = (word: string): boolean => NUMBER.test(word) || Object.hasOwn(LITERALS, word)

const ESCAPES: { readonly [character: string]: string } = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Reads JSON with the syntax errors that copying and logging cause: a code fence, trailing commas, comments, single quotes,
 * keys without quotes, literals of Python, line breaks in texts, and an end that was cut off. Undefined for other text.
 */
export function readLenientJson(text: string): LenientJson | undefined {
  const fence = /^\s*```\w*\s*\n([\s\S]*?)(?:\n```[\s\S]*)?$/.exec(text)
  const reader = new LenientReader(fence?.[1] ?? text)
  if (fence !== null) reader.fix('the code fence was removed')
  const value = reader.readAll()
  return value === undefined ? undefined : { value, fixes: [...reader.fixes] }
}

class LenientReader {
  readonly fixes: Set<string> = new Set()
  private readonly text: string
  private position = 0

  constructor(text: string) {
    this.text = text
  }

  /** The position of the first syntax error. */
  faultPosition: number | undefined

  /** Notes a correction at the current position. */
  fix(correction: string): void {
    this.fixes.add(correction)
    this.faultPosition ??= this.position
  }

  /** Reads the whole text; undefined if it cannot be corrected. */
  readAll(): Json | undefined {
    this.skipSpace()
    try {
      const value = /[[{]/.test(this.current()) ? this.readValue(0) : undefined
      this.skipSpace()
      if (value !== undefined && this.position >= this.text.length) return value
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    this.faultPosition ??= this.position
    return undefined
  }

  private readValue(depth: number): Json {
    if (depth > MAX_JSON_DEPTH) throw new SyntaxError('too deep')
    this.skipSpace()
    const character = this.current()
    if (character === '{') return this.readObject(depth)
    if (character === '[') return this.readList(depth)
    if (character === '"' || character === "'") return this.readString(character)
    return this.readWord()
  }

  private current(): string {
    return this.text[this.position] ?? ''
  }

  private readObject(depth: number): Json {
    const object = {}
    this.readItems('}', () => {
      const quote = this.current()
      const key = quote === '"' || quote === "'" ? this.readString(quote) : this.readBareKey()
      this.skipSpace()
      if (this.position >= this.text.length) return
      if (this.current() !== ':') throw new SyntaxError('colon missing')
      this.position += 1
      this.skipSpace()
      if (this.position < this.text.length) setKey(object, key, this.readValue(depth + 1))
    })
    return object
  }

  private readList(depth: number): Json {
    const list: Json[] = []
    this.readItems(']', () => list.push(this.readValue(depth + 1)))
    return list
  }

  /** Reads the items up to a closing bracket, or up to the end of a text that was cut off. */
  private readItems(close: string, readItem: () => void): void {
    this.position += 1
    for (let isFirst = true; ; isFirst = false) {
      this.skipSpace()
      if (this.position >= this.text.length) {
        this.fix('the missing end was added')
        return
      }
      if (this.current() === close) break
      if (!isFirst) {
        if (this.current() !== ',') throw new SyntaxError('comma missing')
        this.position += 1
        this.skipSpace()
        if (this.current() === close) {
          this.fix('a trailing comma was removed')
          break
        }
        if (this.position >= this.text.length) continue
      }
      readItem()
    }
    this.position += 1
  }

  private readBareKey(): string {
    const [key = ''] = /^[\w$-]+/.exec(this.text.slice(this.position, this.position + 200)) ?? []
    if (key === '') throw new SyntaxError('key missing')
    this.fix('quotes were added to keys')
    this.position += key.length
    return key
  }

  private readString(quote: string): string {
    if (quote === "'") this.fix('single quotes were replaced')
    const pieces: string[] = []
    let start = ++this.position
    for (; this.position < this.text.length; this.position += 1) {
      const character = this.text[this.position]
      if (character === quote) break
      if (character === '\n') this.fix('line breaks in texts were escaped')
      if (character !== '\\') continue
      pieces.push(this.text.slice(start, this.position), this.readEscape())
      start = this.position + 1
    }
    pieces.push(this.text.slice(start, this.position))
    if (this.position >= this.text.length) this.fix('the missing end was added')
    this.position += 1
    return pieces.join('')
  }

  /** Reads an escape; the position stays at its last character. */
  private readEscape(): string {
    this.position += 1
    const character = this.current()
    const code = /^u([\da-f]{4})/i.exec(this.text.slice(this.position, this.position + 5))?.[1]
    if (code === undefined) return ESCAPES[character] ?? character
    this.position += 4
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  private readWord(): Json {
    const [word = ''] = /^[^\s,:[\]{}"']+/.exec(this.text.slice(this.position, this.position + 400)) ?? []
    const end = this.position + word.length
    if (word === '' || (!isKnownWord(word) && end < this.text.length)) throw new SyntaxError('value missing')
    if (Object.hasOwn(LITERALS, word) && !JSON_LITERALS.has(word))
      this.fix('literals of another language were replaced')
    this.position = end
    if (NUMBER.test(word)) return Number(word)
    if (Object.hasOwn(LITERALS, word)) return LITERALS[word] ?? null
    this.fix('the missing end was added')
    return null
  }

  private skipSpace(): void {
    for (;;) {
      while (/\s/.test(this.current())) this.position += 1
      const start = this.text.slice(this.position, this.position + 2)
      if (start !== '//' && start !== '/*') return
      const end = this.text.indexOf(start === '//' ? '\n' : '*/', this.position + 2)
      this.position = end === -1 ? this.text.length : end + (start === '//' ? 1 : 2)
      this.fix('comments were removed')
    }
  }
}

/** Kinds of text that is not JSON, by its beginning; the first match counts. */
const TEXT_KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^\s*$/, 'nothing'],
  [/[\0\ufffd]/, 'binary data'],
  [/^\s*<[!?a-z]/i, 'HTML or XML'],
  [/^/, 'plain text'],
]

/** Creates the error for text that is not valid JSON and contains no conversation. It contains the line and column. */
export function createSyntaxError(text: string): InterlinguaError {
  const expected = 'JSON, server-sent events, a HAR file or a session file'
  if (!/^\s*(?:```|[[{"])/.test(text)) {
    const found = TEXT_KINDS.find(([pattern]) => pattern.test(text.slice(0, 4096)))?.[1] ?? 'plain text'
    const hint = 'Paste the body of a request or of a response, or a line of a log that contains it.'
    return new InterlinguaError('not-json', `The input contains no conversation: found ${found}.`, {
      path: '',
      found,
      expected,
      hint,
    })
  }
  const place = findFault(text)
  const found = place === undefined ? 'a syntax error' : `a syntax error in ${place}`
  return new InterlinguaError('not-json', `The input is not valid JSON: found ${found}.`, {
    path: '',
    found,
    expected,
    hint: 'Check that the text is complete, or let the lens repair it.',
  })
}

/** Returns the line and column of the first syntax error. */
function findFault(text: string): string | undefined {
  const reader = new LenientReader(text)
  reader.readAll()
  if (reader.faultPosition === undefined) return undefined
  const lines = text.slice(0, reader.faultPosition).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
