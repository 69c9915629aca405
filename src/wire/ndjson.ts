import { InterlinguaError } from '../errors.ts'
import { createJsonArrayParser } from './json-array-parser.ts'
import type { ByteSource } from './byte-source.ts'
import { type Json, stringifyOnOneLine } from './json.ts'
import { checkPayloadDepth, type StreamLimits } from './stream-limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { type StreamParseOptions, parseByteSource } from './stream-parser.ts'
import type { StreamParser } from './utf8-reader.ts'

/**
 * Parses newline-delimited JSON. Blank lines are skipped. A line that is not JSON throws an error with the line number,
 * or `stream-cut` for a last line without a terminator. Reading, limits and abort work as in `parseSse`.
 *
 * @example
 * for await (const value of parseNdjson(response.body)) console.log(value)
 */
export function parseNdjson(source: ByteSource, options?: StreamParseOptions): AsyncIterable<Json> {
  return parseByteSource(source, createNdjsonParser, options)
}

/**
 * Parses the elements of one JSON array as they arrive, the format in which Gemini streams without `alt=sse`. Reading,
 * limits and abort work as in `parseSse`. An incomplete array throws `stream-cut` after the elements that arrived.
 *
 * @example
 * for await (const value of parseJsonArrayStream(response.body)) console.log(value)
 */
export function parseJsonArrayStream(source: ByteSource, options?: StreamParseOptions): AsyncIterable<Json> {
  return parseByteSource(source, createJsonArrayParser, options)
}

/**
 * Creates the push parser behind {@link parseNdjson}, for callers that already have the bytes. Each value is passed on with the
 * number of characters of its line.
 *
 * @example
 * const parser = createNdjsonParser((value) => console.log(value))
 * parser.push('{"a":1}\n{"b"') // { a: 1 }
 */
export function createNdjsonParser(
  onValue: (value: Json, characters: number) => void,
  limits?: StreamLimits,
): StreamParser {
  let line = 0
  let ending = false

  const splitter = createLineSplitter((text, start, end) => {
    line++
    const json = text.slice(start, end)
    if (json.startsWith('{') || !/^[\t ]*$/.test(json))
      onValue(checkPayloadDepth(parseLine(json, line, ending), json), json.length)
  }, limits)
  return {
    push: splitter.push,
    end() {
      ending = true
      splitter.end()
    },
  }
}

function parseLine(text: string, line: number, unfinished: boolean): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // The error of the platform quotes the text.
    const [code, what] = unfinished
      ? (['stream-cut', 'unfinished'] as const)
      : (['not-json', 'not JSON'] as const)
    throw new InterlinguaError(code, `Line ${line} of the stream is ${what}`, {
      found: `line ${line}`,
      expected: 'one JSON value per line',
      hint: unfinished
        ? 'The connection was interrupted: send the request again.'
        : 'Check the content type of the stream.',
      retryable: unfinished,
    })
  }
}

/**
 * Formats one value as one line.
 *
 * @example
 * formatNdjsonLine({ done: true }) // '{"done":true}\n'
 */
export function formatNdjsonLine(value: Json): string {
  return `${stringifyOnOneLine(value)}\n`
}
