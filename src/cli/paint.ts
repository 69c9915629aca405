import { inspect, stripVTControlCharacters } from 'node:util'
import type { Screen, Terminal } from './terminal.ts'

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

/** Colours only on a terminal, and not where `NO_COLOR` is set (https://no-color.org). */
export function paintFor({ environment }: Terminal, screen: Screen): Paint {
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
const OBEYED = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** Text from elsewhere, safe to show: a file or a model must not command the terminal. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(OBEYED, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const COLOURED = new RegExp(`\u001b\\[\\d+m|${OBEYED.source}`, 'gu')

/** A line of ours as it goes out: our colours stay, and whatever else a terminal would obey is shown instead. */
export function safe(line: string): string {
  return line.replaceAll(COLOURED, (found) => (found.length > 1 ? found : escaped(found)))
}

/** The same on one line, and not wider than there is room. */
export function oneLine(text: string, room: number): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  let kept = ''
  let width = 0
  for (const { segment } of characters.segment(line)) {
    width += widthOf(segment)
    if (width > room) return `${kept}…`
    if (width < room) kept += segment
  }
  return line
}

/** What people call a character, however many it is made of. */
const characters = new Intl.Segmenter()

// What takes two columns: the scripts of East Asia in full width, and pictures.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** How many columns a text takes on a terminal, colours not counted. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of characters.segment(stripVTControlCharacters(text)))
    width += WIDE.test(segment) ? 2 : 1
  return width
}
