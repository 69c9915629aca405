import { resolveLimits, type StreamLimits, createLimitError } from './limits.ts'
import { createTextBuffer } from './text-buffer.ts'
import { createUtf8Reader, type StreamParser } from './utf8-reader.ts'

/** Takes one line without its end: `text` from `start` to `end`, so that nothing is copied that is not wanted. */
export type LineHandler = (text: string, start: number, end: number) => void

/**
 * Splits a stream into lines that end with LF, CR or CRLF, cut anywhere. A last line without an end is given by `end()`.
 * Each character is looked at once and a CR ends its line at once, so no event waits for the byte after it.
 *
 * @example
 * const splitter = createLineSplitter((text, start, end) => console.log(text.slice(start, end)))
 * splitter.push('a\r')
 * splitter.push('\nb')
 * splitter.end() // a, b
 */
export function createLineSplitter(onLine: LineHandler, limits?: StreamLimits): StreamParser {
  const max = resolveLimits(limits).maxLineChars
  const begun = createTextBuffer()
  let held = 0
  let endedByCr = false

  function hold(text: string, start: number, end: number): void {
    held += end - start
    if (held > max) throw createLimitError('line-too-long', max)
    begun.push(text.slice(start, end))
  }

  function give(text: string, start: number, end: number): void {
    if (held > 0) {
      hold(text, start, end)
      held = 0
      const line = begun.take()
      onLine(line, 0, line.length)
    } else {
      if (end - start > max) throw createLimitError('line-too-long', max)
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
      give(text, start, end)
      start = end === cr && lf === cr + 1 ? lf + 1 : end + 1
      // Only what lies behind is looked for again: a search per line for an end that never comes would be quadratic.
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
    }
    endedByCr = text.endsWith('\r')
    if (start < text.length) hold(text, start, text.length)
  }

  const reader = createUtf8Reader(split, limits)
  return {
    push: reader.push,
    end() {
      reader.end()
      if (held > 0) give('', 0, 0)
    },
  }
}
