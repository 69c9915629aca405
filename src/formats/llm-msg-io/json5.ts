import { type Json, MAX_JSON_DEPTH, setKey } from '../../wire/json.ts'

const ESCAPES: { readonly [letter: string]: string } = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
}

const SPACE = /(?:[\s\u2028\u2029]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const KEY = /[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*/uy
const NUMBER = /[+-]?(?:0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy
const LITERAL = /(?:true|false|null)(?![\p{L}\d$_])/uy
const PLAIN = { "'": /[^'\\\n\r]*/y, '"': /[^"\\\n\r]*/y } as const
const LITERALS: { readonly [name: string]: Json } = { true: true, false: false, null: null }

/** Parses JSON5: JSON with comments, trailing commas, unquoted keys and single quotes; undefined for anything else. */
export function tryParseJson5(text: string): Json | undefined {
  const parser = new Json5Parser(text)
  try {
    return parser.parse()
  } catch (error) {
    if (error instanceof Json5Error) return undefined
    throw error
  }
}

class Json5Error extends Error {}

/** One pass over a text; each pattern matches at the current position only. */
class Json5Parser {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Json {
    const value = this.#value(0)
    this.#take(SPACE)
    return this.#position === this.#text.length ? value : this.#fail()
  }

  #value(depth: number): Json {
    if (depth > MAX_JSON_DEPTH) return this.#fail()
    this.#take(SPACE)
    const next = this.#text[this.#position]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#list(depth)
    if (next === '"' || next === "'") return this.#string(next)
    const literal = this.#take(LITERAL)
    if (literal !== '') return LITERALS[literal] ?? null
    return this.#number()
  }

  #object(depth: number): Json {
    const object: { [key: string]: Json } = {}
    this.#items('}', () => {
      const quote = this.#text[this.#position]
      const key = quote === '"' || quote === "'" ? this.#string(quote) : this.#take(KEY) || this.#fail()
      this.#take(SPACE)
      this.#expect(':')
      setKey(object, key, this.#value(depth + 1))
    })
    return object
  }

  #list(depth: number): Json {
    const list: Json[] = []
    this.#items(']', () => list.push(this.#value(depth + 1)))
    return list
  }

  /** Reads the items of an object or a list, up to the closing bracket; the last one may be followed by a comma. */
  #items(close: string, readItem: () => void): void {
    this.#position++
    for (;;) {
      this.#take(SPACE)
      if (this.#text[this.#position] === close) break
      readItem()
      this.#take(SPACE)
      if (this.#text[this.#position] !== ',') break
      this.#position++
    }
    this.#expect(close)
  }

  #string(quote: '"' | "'"): string {
    this.#position++
    const pieces: string[] = []
    for (;;) {
      pieces.push(this.#take(PLAIN[quote]))
      const next = this.#text[this.#position++]
      if (next === quote) return pieces.join('')
      if (next !== '\\') return this.#fail()
      pieces.push(this.#escape())
    }
  }

  #escape(): string {
    const letter = this.#text[this.#position++]
    if (letter === undefined) return this.#fail()
    if (letter === 'u' || letter === 'x') {
      const length = letter === 'u' ? 4 : 2
      const digits = this.#text.slice(this.#position, this.#position + length)
      if (digits.length !== length || !/^[0-9a-f]+$/i.test(digits)) return this.#fail()
      this.#position += length
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    // A line break after a backslash continues the text on the next line.
    if (letter === '\r' && this.#text[this.#position] === '\n') this.#position++
    if (/[\n\r\u2028\u2029]/.test(letter)) return ''
    if (/[1-9]/.test(letter)) return this.#fail()
    return ESCAPES[letter] ?? letter
  }

  /** Numbers that JSON does not have, such as NaN, are refused. */
  #number(): number {
    const text = this.#take(NUMBER)
    const sign = text.startsWith('-') ? -1 : 1
    const value = Number(text.replace(/^[+-]/, '')) * sign
    return text === '' || !Number.isFinite(value) ? this.#fail() : value
  }

  #expect(character: string): void {
    if (this.#text[this.#position] !== character) this.#fail()
    this.#position++
  }

  /** Returns the text that a pattern matches at the current position, and moves behind it. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#position += found.length
    return found
  }

  #fail(): never {
    throw new Json5Error()
  }
}
