import type { Json } from '../../../wire/json.ts'
import { isObject, tryParseJson } from '../../../wire/json.ts'
import { child, type Path, toPointer } from '../../../wire/json-pointer.ts'

/** The range of a JSON object or list in a text. */
export interface JsonRange {
  readonly start: number
  readonly end: number
}

/** The characters that are examined, as a multiple of the length of the text: brackets of prose may never be closed. */
const MAX_SCANS = 8

/** A bracket before the start of an item: most brackets of prose, such as `[info]`, are none. */
const OPENING_BRACKET = /\{(?=\s*["}])|\[(?=\s*["[{\]\-\dtfn])/g

/** Finds the JSON objects and lists in a text, from left to right. Those inside of another one are not listed. */
export function* findJsonRanges(text: string): Generator<JsonRange, void, undefined> {
  const bracket = new RegExp(OPENING_BRACKET)
  let budget = text.length * MAX_SCANS
  for (let match = bracket.exec(text); match !== null && budget > 0; match = bracket.exec(text)) {
    const start = match.index
    const end = findEnd(text, start)
    budget -= (end ?? text.length) - start
    if (end === undefined) continue
    if (tryParseJson(text.slice(start, end)) === undefined) continue
    yield { start, end }
    bracket.lastIndex = end
  }
}

/** Returns the position after the bracket that closes the one at `start`; undefined if it is never closed. */
function findEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (let position = start; position < text.length; position++) {
    const character = text[position]
    if (character === '"') position = findStringEnd(text, position)
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth === 0) return position + 1
  }
  return undefined
}

/** Returns the position of the quote that ends the string at `start`, or the length of the text. */
function findStringEnd(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === '\\') position += 1
    else if (text[position] === '"') return position
  }
  return text.length
}

/** A JSON value inside of another one or of a text, with its place. */
export interface EmbeddedValue {
  /** A line number of a text and a JSON pointer. */
  readonly place: string
  readonly value: Json
}

/** Deeper values, and those after this number, are not examined. */
const MAX_DEPTH = 8
const MAX_VALUES = 20_000

/** Returns the JSON values of a text, each with the number of its line. */
export function listJsonInText(text: string): readonly EmbeddedValue[] {
  const found: EmbeddedValue[] = []
  let line = 1
  let position = 0
  for (const { start, end } of findJsonRanges(text)) {
    line += countLineBreaks(text.slice(position, start))
    position = start
    found.push({ place: `line ${line}`, value: JSON.parse(text.slice(start, end)) as Json })
    if (found.length >= MAX_VALUES) break
  }
  return found
}

const countLineBreaks = (text: string): number => text.split('\n').length - 1

/**
 * Searches a JSON value from the outside to the inside for objects and lists that `test` accepts, such as bodies in a log
 * record. JSON text inside of a text is searched, too. What an accepted value contains is not searched.
 */
export function findEmbedded(root: Json, test: (value: Json) => boolean): readonly EmbeddedValue[] {
  const found: EmbeddedValue[] = []
  let examined = 0
  const visit = (value: Json, path: Path | undefined, depth: number): void => {
    examined += 1
    if (depth > MAX_DEPTH || examined > MAX_VALUES) return
    if (typeof value === 'string') {
      const inner = /^\s*[[{]/.test(value) ? tryParseJson(value) : undefined
      if (inner !== undefined) visit(inner, path, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      if (depth > 0 && test(value)) found.push({ place: toPointer(path), value })
      else if (isObject(value))
        for (const [key, item] of Object.entries(value)) visit(item, child(path, key), depth + 1)
      else for (const [index, item] of value.entries()) visit(item, child(path, index), depth + 1)
    }
  }
  visit(root, undefined, 0)
  return found
}
