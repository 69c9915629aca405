import { InterlinguaError } from '../errors.ts'
import { type Json, MAX_JSON_DEPTH } from './json.ts'
import { isScalarEnd, isJsonWhitespace } from './json-tokens.ts'
import {
  createLimitError,
  createPayloadDepthError,
  resolveStreamLimits,
  type StreamLimits,
} from './stream-limits.ts'
import { TextBuffer } from './text-buffer.ts'
import { createUtf8Reader, type StreamParser } from './utf8-reader.ts'

/** The token that the parser expects outside of an element. */
type ArrayState = 'start' | 'first' | 'element' | 'after' | 'done'

/** The state of the scan for the end of an element. */
interface ElementScan {
  depth: number
  quoted: boolean
  escaped: boolean
}

/**
 * Parses the elements of one JSON array as they arrive; an object is passed on as soon as its bracket closes.
 * The scan only finds the end of an element, then `JSON.parse` parses it once. An element is passed on with its number of
 * characters.
 *
 * @example
 * const parser = createJsonArrayParser((value) => console.log(value))
 * parser.push('[{"a":1}') // { a: 1 }
 * parser.push(',\n{"b":2}]') // { b: 2 }
 * parser.end()
 */
export function createJsonArrayParser(
  onElement: (value: Json, characters: number) => void,
  limits?: StreamLimits,
): StreamParser {
  const max = resolveStreamLimits(limits).maxEventChars
  const buffer = new TextBuffer()
  const scan: ElementScan = { depth: 0, quoted: false, escaped: false }
  let state: ArrayState = 'start'
  let isInElement = false
  let count = 0

  function readSeparator(text: string, position: number): number {
    const character = text.charAt(position)
    if (isJsonWhitespace(character)) return position + 1
    const next = nextArrayState(state, character)
    if (next === 'inside') {
      isInElement = true
      return position
    }
    if (next === undefined) throw createArrayError(count)
    state = next
    return position + 1
  }

  function readElement(text: string, position: number): number {
    const end = findElementEnd(text, position, scan)
    const stop = end ?? text.length
    if (buffer.length + stop - position > max) throw createLimitError('event-too-large', max)
    buffer.push(text.slice(position, stop))
    if (end !== undefined) emitElement(buffer.take())
    return stop
  }

  function emitElement(text: string): void {
    const value = parseElement(text, count)
    count++
    isInElement = false
    state = 'after'
    onElement(value, text.length)
  }

  const reader = createUtf8Reader((text) => {
    for (let position = 0; position < text.length;)
      position = isInElement ? readElement(text, position) : readSeparator(text, position)
  }, limits)
  return {
    push: reader.push,
    end() {
      reader.end()
      if (state !== 'done') throw createTruncatedError(count)
    },
  }
}

function nextArrayState(state: ArrayState, character: string): ArrayState | 'inside' | undefined {
  switch (state) {
    case 'start':
      return character === '[' ? 'first' : undefined
    case 'first':
      return character === ']' ? 'done' : 'inside'
    case 'element':
      return 'inside'
    case 'after':
      return character === ',' ? 'element' : character === ']' ? 'done' : undefined
    case 'done':
      return undefined
  }
}

/**
 * Returns the index after an element, or undefined if the element continues in the next chunk; `scan` keeps the state.
 */
function findElementEnd(text: string, start: number, scan: ElementScan): number | undefined {
  for (let position = start; position < text.length; position++) {
    const character = text.charAt(position)
    if (scan.quoted) {
      if (scan.escaped) scan.escaped = false
      else if (character === '\\') scan.escaped = true
      else if (character === '"') scan.quoted = false
      if (!scan.quoted && scan.depth === 0) return position + 1
    } else if (character === '"') scan.quoted = true
    else if (scan.depth === 0 && isScalarEnd(character)) return position
    else if (character === '{' || character === '[') enterLevel(scan)
    else if ((character === '}' || character === ']') && --scan.depth <= 0) {
      scan.depth = 0
      return position + 1
    }
  }
  return undefined
}

function enterLevel(scan: ElementScan): void {
  if (++scan.depth <= MAX_JSON_DEPTH) return
  throw createPayloadDepthError()
}

function parseElement(text: string, index: number): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // The error of the platform quotes the text.
    throw createArrayError(index)
  }
}

function createArrayError(index: number): InterlinguaError {
  return new InterlinguaError('not-json', `The stream is not a JSON array at element ${index}`, {
    path: `/${index}`,
    expected: 'a JSON array of values',
    hint: 'Check the content type: use parseSse for server-sent events and parseNdjson for lines.',
  })
}

function createTruncatedError(index: number): InterlinguaError {
  return new InterlinguaError(
    'stream-cut',
    `The stream ended inside its JSON array, after ${index} elements`,
    {
      path: `/${index}`,
      found: 'the end of the stream',
      expected: 'the closing bracket',
      hint: 'The connection was interrupted: send the request again.',
      retryable: true,
    },
  )
}
