import { createLineSplitter } from '../../wire/lines.ts'
import { parseSource } from '../../wire/source.ts'

/** A line that is not blank, with its number from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** The lines of a source, one after the other, however long the whole is. */
export function linesOf(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Line> {
  const create = (onLine: (line: Line) => void): ReturnType<typeof createLineSplitter> => {
    let number = 0
    return createLineSplitter(
      (text, start, end) => {
        number++
        const line = text.slice(start, end)
        if (/\S/.test(line)) onLine({ number, text: line })
      },
      { total: Infinity },
    )
  }
  return parseSource(bytes, create, { signal })
}
