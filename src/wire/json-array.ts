import { InterlinguaError } from '../errors.ts'
import { type Json, MAX_JSON_DEPTH } from './json.ts'
import { isScalarEnd, isJsonWhitespace } from './json-tokens.ts'
import { resolveLimits, type StreamLimits, createLimitError } from './limits.ts'
import { createTextBuffer } from './text-buffer.ts'
import { createUtf8Reader, type StreamParser } from './utf8-reader.ts'

/** What comes next between two elements. */
type ArrayState = 'start' | 'first' | 'element' | 'after' | 'done'

/** Where the walk through an element stands. */
interface ElementScan {
  depth: number
  quoted: boolean
  escaped: boolean
}

/**
 * Gives the elements of one JSON array as they arrive, an object as soon as its bracket closes. The walk only finds where
 * an element ends; `JSON.parse` judges it, once.
 *
 * @example
 * const parser = createJsonArrayParser((value) => console.log(value))
 * parser.push('[{"a":1}') // { a: 1 }
 * parser.push(',\n{"b":2}]') // { b: 2 }
 * parser.end()
 */
export function createJsonArrayParser(onElement: (value: Json) => void, limits?: StreamLimits): StreamParser {
  const max = resolveLimits(limits).maxEventChars
  const begun = createTextBuffer()
  const walk: ElementScan = { depth: 0, quoted: false, escaped: false }
  let place: ArrayState = 'start'
  let inside = false
  let count = 0

  function between(text: string, at: number): number {
    const character = text.charAt(at)
    if (isJsonWhitespace(character)) return at + 1
    const next = nextArrayState(place, character)
    if (next === 'inside') {
      inside = true
      return at
    }
    if (next === undefined) throw createArrayError(count, undefined)
    place = next
    return at + 1
  }

  function within(text: string, at: number): number {
    const end = findElementEnd(text, at, walk)
    const stop = end ?? text.length
    if (begun.length + stop - at > max) throw createLimitError('event-too-large', max)
    begun.push(text.slice(at, stop))
    if (end !== undefined) give(begun.take())
    return stop
  }

  function give(text: string): void {
    const value = parseElement(text, count)
    count++
    inside = false
    place = 'after'
    onElement(value)
  }

  const reader = createUtf8Reader((text) => {
    for (let at = 0; at < text.length;) at = inside ? within(text, at) : between(text, at)
  }, limits)
  return {
    push: reader.push,
    end() {
      reader.end()
      if (place !== 'done') throw createTruncatedError(count)
    },
  }
}

function nextArrayState(place: ArrayState, character: string): ArrayState | 'inside' | undefined {
  switch (place) {
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

/** The index behind an element, or undefined when it goes on; `walk` remembers where it stands. */
function findElementEnd(text: string, start: number, walk: ElementScan): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (walk.quoted) {
      if (walk.escaped) walk.escaped = false
      else if (character === '\\') walk.escaped = true
      else if (character === '"') walk.quoted = false
      if (!walk.quoted && walk.depth === 0) return at + 1
    } else if (character === '"') walk.quoted = true
    else if (walk.depth === 0 && isScalarEnd(character)) return at
    else if (character === '{' || character === '[') enterLevel(walk)
    else if ((character === '}' || character === ']') && --walk.depth <= 0) {
      walk.depth = 0
      return at + 1
    }
  }
  return undefined
}

function enterLevel(walk: ElementScan): void {
  if (++walk.depth <= MAX_JSON_DEPTH) return
  throw new InterlinguaError(
    'too-deep',
    `An element of the stream nests deeper than ${MAX_JSON_DEPTH} levels`,
    {
      found: `more than ${MAX_JSON_DEPTH} levels`,
      expected: `at most ${MAX_JSON_DEPTH} levels`,
      hint: 'No provider sends such a thing: check where the stream comes from.',
    },
  )
}

function parseElement(text: string, index: number): Json {
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    throw createArrayError(index, cause)
  }
}

function createArrayError(index: number, cause: unknown): InterlinguaError {
  return new InterlinguaError('not-json', `The stream is not a JSON array at element ${index}`, {
    path: `/${index}`,
    expected: 'a JSON array of values',
    hint: 'Check the content type: a stream of events or lines has a parser of its own.',
    cause,
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
      hint: 'The connection broke: ask again.',
      retryable: true,
    },
  )
}
