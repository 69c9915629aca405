import { findJsonRanges } from '../lens/json-in-text.ts'

/** The separation of the events of a stream: blank lines, line ends, or commas of a list. */
type StreamLayout = 'sse' | 'lines' | 'list'

/** Returns the layout of the text of a stream. */
function detectStreamLayout(text: string): StreamLayout {
  if (/^\s*\[/.test(text)) return 'list'
  return /^\s*\{/.test(text) ? 'lines' : 'sse'
}

/**
 * Splits the text of a stream into its events, with the characters between them: the joined chunks are the text. Events of a
 * list are its items.
 */
export function splitStream(text: string): readonly string[] {
  const layout = detectStreamLayout(text)
  if (layout === 'list') return splitList(text)
  return splitAfter(text, layout === 'sse' ? BLANK_LINES : /[\r\n]+/g)
}

/** The end of a line, and at least one blank line. A carriage return before a line feed is no end of its own. */
const BLANK_LINES = /(?:\r\n|\n|\r(?!\n))(?:[ \t]*(?:\r\n|\n|\r(?!\n)))+/g

function splitAfter(text: string, separator: RegExp): readonly string[] {
  const chunks: string[] = []
  let start = 0
  for (const match of text.matchAll(separator)) {
    const end = match.index + match[0].length
    chunks.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) chunks.push(text.slice(start))
  return mergeBlank(chunks)
}

/** Splits a JSON array, which may be cut off: each chunk ends with an item, and the last one with the rest. */
function splitList(text: string): readonly string[] {
  const first = text.indexOf('[') + 1
  const chunks: string[] = []
  let start = 0
  for (const { end } of findJsonRanges(text.slice(first))) {
    chunks.push(text.slice(start, first + end))
    start = first + end
  }
  if (start < text.length) chunks.push(text.slice(start))
  return mergeBlank(chunks)
}

/** Appends chunks without any content, such as blank lines and the end of a list, to the chunk before. */
function mergeBlank(chunks: readonly string[]): readonly string[] {
  const merged: string[] = []
  for (const chunk of chunks) {
    const last = merged.at(-1)
    if (last !== undefined && /^[\s\]]*$/.test(chunk)) merged[merged.length - 1] = last + chunk
    else merged.push(chunk)
  }
  return merged
}
