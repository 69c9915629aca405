import {
  isEmptyObject,
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
  setKey,
  tryParseJson,
} from '../../wire/json.ts'
import { markerEscapes } from './constants.ts'

/** A token of a type: a comment, a text in quotes, a word or number, or a sign. */
const TOKEN = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|[\w$%.+-]+|=>|[^\s\w]/gy
const BLANK = /\s*/gy

/** Reads TypeScript-like types, one token after another. Anything else than the types of tools is refused with an exception. */
export class TypeReader {
  readonly #text: string
  #position: number
  #depth = 0

  constructor(text: string, position: number) {
    this.#text = text
    this.#position = position
  }

  /** The position after the last token that was taken. */
  get position(): number {
    return this.#position
  }

  /** Returns the next token without taking it; an empty text at the end. */
  peek(): string {
    BLANK.lastIndex = this.#position
    BLANK.exec(this.#text)
    TOKEN.lastIndex = BLANK.lastIndex
    return TOKEN.exec(this.#text)?.[0] ?? ''
  }

  take(): string {
    const token = this.peek()
    this.#position = TOKEN.lastIndex === 0 ? this.#text.length : TOKEN.lastIndex
    return token
  }

  expect(...tokens: readonly string[]): void {
    for (const token of tokens) if (this.take() !== token) throw new SyntaxError(`expected ${token}`)
  }

  /** Takes the token if it is the next one. */
  skip(token: string): boolean {
    if (this.peek() !== token) return false
    this.take()
    return true
  }

  /** Takes comments, and returns them as one text; undefined if there are none. */
  readComments(): string | undefined {
    const lines: string[] = []
    while (this.peek().startsWith('//')) lines.push(this.take().replace(/^\/\/ ?/, ''))
    return lines.length === 0 ? undefined : markerEscapes.unescape(lines.join('\n'))
  }

  readType(): JsonObject {
    this.#depth += 1
    if (this.#depth > MAX_JSON_DEPTH) throw new SyntaxError('too deep')
    // A comment before a type describes the object.
    const description = this.readComments()
    this.skip('|')
    const members = [this.#readItem()]
    while (this.#skipUnionSign()) members.push(this.#readItem())
    this.#depth -= 1
    const type = toUnion(members)
    return description === undefined ? type : { ...type, description }
  }

  /** Takes the sign between two members of a union, and the comment of the member before it. */
  #skipUnionSign(): boolean {
    const start = this.#position
    if (this.readComments() === undefined || this.peek() === '|' || this.peek() === ',') return this.skip('|')
    this.#position = start
    return false
  }

  #readItem(): JsonObject {
    let type = this.#readSingle()
    while (this.peek() === '[') {
      this.expect('[', ']')
      type = isEmptyObject(type) ? { type: 'array' } : { type: 'array', items: type }
    }
    return type
  }

  #readSingle(): JsonObject {
    const token = this.take()
    if (token === '{') return this.#readObject()
    if (token === '(') {
      const type = this.readType()
      this.expect(')')
      return type
    }
    if (token === 'any') return {}
    if (token === 'Array') {
      this.expect('<')
      const items = this.readType()
      this.expect('>')
      return isEmptyObject(items) ? { type: 'array' } : { type: 'array', items }
    }
    if (KEYWORDS.includes(token)) return { type: token }
    const literal = tryParseJson(token)
    if (literal === undefined) throw new SyntaxError('unknown type')
    return { enum: [literal] }
  }

  #readObject(): JsonObject {
    const properties: { [key: string]: Json } = {}
    const required: string[] = []
    for (let description = this.readComments(); !this.skip('}'); description = this.readComments()) {
      const token = this.take()
      const quoted = token.startsWith('"') ? tryParseJson(token) : undefined
      const key = typeof quoted === 'string' ? quoted : token
      if (!this.skip('?')) required.push(key)
      this.expect(':')
      const type = this.readType()
      this.skip(',')
      const given = this.#readDefault()
      setKey(properties, key, {
        ...type,
        ...(description !== undefined && { description }),
        ...(given !== undefined && { default: given }),
      })
    }
    return { type: 'object', properties, ...(required.length > 0 && { required }) }
  }

  /** Takes a comment with a default on the same line. */
  #readDefault(): Json | undefined {
    const [note, text] =
      /^[ \t]*\/\/ default: ([^\n]*)/.exec(this.#text.slice(this.#position, this.#lineEnd())) ?? []
    if (note === undefined || text === undefined) return undefined
    this.#position += note.length
    return tryParseJson(text) ?? text
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#position)
    return end === -1 ? this.#text.length : end
  }
}

const KEYWORDS: readonly string[] = ['string', 'number', 'boolean', 'null', 'object']

/** Joins the members of a union: literals are one enumeration, and keywords one list of types. */
function toUnion(members: readonly JsonObject[]): JsonObject {
  const [only] = members
  if (members.length === 1 && only !== undefined) return only
  const literals = members.flatMap((member) =>
    Array.isArray(member['enum']) ? (member['enum'] as Json[]) : [],
  )
  if (literals.length === members.length) return { enum: literals }
  const isKeyword = (member: JsonObject): boolean =>
    typeof member['type'] === 'string' && Object.keys(member).length === 1
  if (members.every(isKeyword)) return { type: members.map(({ type }) => type ?? null) }
  return { anyOf: members }
}
