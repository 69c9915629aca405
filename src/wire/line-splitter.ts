import { resolveStreamLimits, type StreamLimits, createLimitError } from './stream-limits.ts'
import { TextBuffer } from './text-buffer.ts'
import { createUtf8Reader, type StreamParser } from './utf8-reader.ts'

/**
 * Receives one line without its terminator as the range from `start` to `end` of `text`, so that nothing is
 * copied needlessly.
 */
export type LineHandler = (text: string, start: number, end: number) => void

/**
 * Splits a stream into lines that end with LF, CR or CRLF; chunks may be split anywhere. `end()` passes on a
 * last line without a terminator. Each character is examined once, and a CR ends its line at once, so that no
 * event waits for the next byte.
 *
 * @example
 * const splitter = createLineSplitter((text, start, end) => console.log(text.slice(start, end)))
 * splitter.push('a\r')
 * splitter.push('\nb')
 * splitter.end() // a, b
 */
export function createLineSplitter(onLine: LineHandler, limits?: StreamLimits): StreamParser {
  const maxChars = resolveStreamLimits(limits).maxLineChars
  const partialLine = new TextBuffer()
  let partialChars = 0
  let endedByCr = false

  function keepPartialLine(text: string, start: number, end: number): void {
    partialChars += end - start
    if (partialChars > maxChars) throw createLimitError('line-too-long', maxChars)
    partialLine.push(text.slice(start, end))
  }

  function emitLine(text: string, start: number, end: number): void {
    if (partialChars > 0) {
      keepPartialLine(text, start, end)
      partialChars = 0
      const line = partialLine.take()
      onLine(line, 0, line.length)
    } else {
      if (end - start > maxChars) throw createLimitError('line-too-long', maxChars)
      onLine(text, start, end)
    }
  }

  function split(text: string): void {
    if (text === '') return
    let start = endedByCr && text.startsWith('\n') ? 1 : 0
    let lf = text.indexOf('\n', start)
    let cr = text.indexOf('\r', start)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      emitLine(text, start, end)
      start = end === cr && lf === cr + 1 ? lf + 1 : end + 1
      // Searched again only after it was passed: one search per line for a terminator that never comes would
      // be quadratic.
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
    }
    endedByCr = text.endsWith('\r')
    if (start < text.length) keepPartialLine(text, start, text.length)
  }

  const reader = createUtf8Reader(split, limits)
  return {
    push: reader.push,
    end() {
      reader.end()
      if (partialChars > 0) emitLine('', 0, 0)
    },
  }
}
