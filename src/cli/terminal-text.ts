import { inspect, stripVTControlCharacters } from 'node:util'
import { escapeUnits } from '../wire/json.ts'

/** Aligns rows in columns, ignoring color codes. The last column is not padded. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    rows.reduce((width, row) => Math.max(width, measureColumns(row[column] ?? '')), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = column === row.length - 1 ? 0 : (widths[column] ?? 0)
        return cell + ' '.repeat(Math.max(0, width - measureColumns(cell)))
      })
      .join('  ')
      .trimEnd(),
  )
}

type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** Adds color to a text, or returns it unchanged. */
export type Colorizer = (color: Color, text: string) => string

/** Returns a colorizer: color only on a terminal, and not if `NO_COLOR` is set (https://no-color.org). */
export function createColorizer(
  { environment }: { readonly environment: { readonly [name: string]: string | undefined } },
  stream: { readonly isTTY?: boolean },
): Colorizer {
  const { NO_COLOR: noColor = '', TERM: terminalType } = environment
  const isColored = stream.isTTY === true && noColor === '' && terminalType !== 'dumb'
  if (!isColored) return (_color, text) => text
  return (color, text) => {
    // `styleText` would always test process.stdout.
    const [begin = 0, end = 0] = inspect.colors[color] ?? []
    return `\u001b[${begin}m${text}\u001b[${end}m`
  }
}

/**
 * Control characters except tab and line feed; line and paragraph separators; invisible characters that change the text
 * direction or hide text (format, tag and supplementary variation characters). The joiners of emoji and of several scripts,
 * and the soft hyphen, are kept.
 */
const CONTROL_CHARACTERS =
  /(?![\t\n])\p{Cc}|[\p{Zl}\p{Zp}]|(?![\u00ad\u200c\u200d])\p{Cf}|[\u{e0000}-\u{e0fff}]/gu

/** Escapes control characters: text of a file or a model must not control the terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(CONTROL_CHARACTERS, escapeUnits)
}

const CONTROL_OR_COLOR = new RegExp(`\u001b\\[\\d+m|${CONTROL_CHARACTERS.source}`, 'gu')

/** Escapes control characters in a line of output but keeps color codes. */
export function escapeExceptColors(line: string): string {
  return line.replaceAll(CONTROL_OR_COLOR, (found) =>
    found.startsWith('\u001b[') ? found : escapeUnits(found),
  )
}

/** Returns text on one line, truncated to `maxColumns`. */
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

const graphemes = new Intl.Segmenter()

// Characters that take two columns: East Asian full-width scripts and emoji.
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

function measureColumns(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text)))
    width += WIDE_CHARACTER.test(segment) ? 2 : 1
  return width
}
