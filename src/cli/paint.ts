import { inspect } from 'node:util'
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
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(OBEYED, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same on one line, and not longer than there is room. */
export function oneLine(text: string, room: number): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`
}
