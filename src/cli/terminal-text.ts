import { inspect, stripVTControlCharacters } from 'node:util'
import type { OutputStream, Terminal } from './command-io.ts'

/** Rows in columns that line up, colours not counted. The last column is not padded. */
export function formatTable(rows: readonly (readonly string[])[], gap = '  '): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => measureColumns(row[column] ?? ''))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const room = column === row.length - 1 ? 0 : (widths[column] ?? 0)
        return cell + ' '.repeat(Math.max(0, room - measureColumns(cell)))
      })
      .join(gap)
      .trimEnd(),
  )
}

type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** Colours a text, or leaves it as it is. */
export type Colorizer = (colour: Color, text: string) => string

/** Colours only on a terminal, and not where `NO_COLOR` is set (https://no-color.org). */
export function createColorizer({ environment }: Terminal, screen: OutputStream): Colorizer {
  const { NO_COLOR: refused = '', TERM: kind } = environment
  const coloured = screen.isTTY === true && refused === '' && kind !== 'dumb'
  if (!coloured) return (_colour, text) => text
  return (colour, text) => {
    // Node's own table; its `styleText` would ask process.stdout, whichever screen is meant.
    const [begin = 0, end = 0] = inspect.colors[colour] ?? []
    return `\u001b[${begin}m${text}\u001b[${end}m`
  }
}

// What a terminal would obey rather than show: control characters other than tab and line feed, and marks that turn the
// direction of writing.
const CONTROL_CHARACTERS = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** Text from elsewhere, safe to show: a file or a model must not command the terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROL_CHARACTERS, toUnicodeEscape)
}

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const CONTROL_OR_COLOR = new RegExp(`\u001b\\[\\d+m|${CONTROL_CHARACTERS.source}`, 'gu')

/** A line of ours as it goes out: our colours stay, and whatever else a terminal would obey is shown instead. */
export function escapeExceptColors(line: string): string {
  return line.replaceAll(CONTROL_OR_COLOR, (found) => (found.length > 1 ? found : toUnicodeEscape(found)))
}

/** The same on one line, and not wider than there is room. */
export function truncateToLine(text: string, maxColumns: number): string {
  const line = escapeControlCharacters(text).replaceAll(/\s+/g, ' ').trim()
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    width += measureColumns(segment)
    if (width > maxColumns) return `${kept}…`
    if (width < maxColumns) kept += segment
  }
  return line
}

/** What people call a character, however many it is made of. */
const graphemes = new Intl.Segmenter()

// What takes two columns: the scripts of East Asia in full width, and pictures.
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** How many columns a text takes on a terminal, colours not counted. */
export function measureColumns(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text)))
    width += WIDE_CHARACTER.test(segment) ? 2 : 1
  return width
}
