import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { PART_HEADINGS, ROLE_HEADINGS, TOOLS_HEADING } from './constants.ts'

const HEADINGS: ReadonlySet<string> = new Set([
  ...Object.values(ROLE_HEADINGS),
  ...Object.values(PART_HEADINGS),
  TOOLS_HEADING,
])

/** Returns the heading of a line; undefined for a line of text. */
export function getHeading(line: string): string | undefined {
  const trimmed = line.trimEnd()
  return HEADINGS.has(trimmed) ? trimmed : undefined
}

const isEscapable = (line: string): boolean =>
  getHeading(line.replace(/^\\+/, '')) !== undefined || /^\\*<!-- \{/.test(line)

/** Escapes the lines of a text that would be read as headings or fields, with a backslash, which Markdown does not show. */
function escapeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (isEscapable(line) ? `\\${line}` : line))
    .join('\n')
}

/** Reverses {@link escapeLines}. */
function unescapeLines(lines: readonly string[]): string {
  return lines.map((line) => (line.startsWith('\\') && isEscapable(line) ? line.slice(1) : line)).join('\n')
}

/** The word after the fence of a text whose first or last characters Markdown would lose. */
const EXACT = 'exact'

/** Writes a fenced block: the fence is longer than any fence inside of the text. */
export function writeFence(text: string, info: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${text}\n${fence}`
}

/** Writes a text as it is, or in a fence if its first or last line could be lost or read as one. */
export function writeText(text: string): string {
  const isPlain = text !== '' && text === text.trim() && !text.includes('\r') && !isFence(text)
  return isPlain ? escapeLines(text) : writeFence(escapeLines(text), EXACT)
}

const isFence = (text: string): boolean => /^`{3,}(exact|json)\n/.test(text)

/** Returns the lines without blank ones at both ends. */
export function trimBlankLines(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.trim() !== '')
  const end = lines.findLastIndex((line) => line.trim() !== '')
  return start === -1 ? [] : lines.slice(start, end + 1)
}

/** Returns the text of a block that is one fence with an info word; undefined for any other block. */
export function readFence(lines: readonly string[], info: string): string | undefined {
  const fence = /^(`{3,})(\w+)$/.exec(lines[0] ?? '')
  if (fence === null || fence[2] !== info || lines.length < 2 || lines.at(-1) !== fence[1]) return undefined
  return lines.slice(1, -1).join('\n')
}

/** Reads a block of text: the inverse of {@link writeText}, and any other Markdown as it is. */
export function readText(lines: readonly string[]): string {
  const trimmed = trimBlankLines(lines)
  return unescapeLines(readFence(trimmed, EXACT)?.split('\n') ?? trimmed)
}

/** Writes fields as a comment, which Markdown does not show. The text cannot end the comment. */
export function writeComment(fields: JsonObject): string {
  return `<!-- ${JSON.stringify(fields).replaceAll('>', '\\u003e').replaceAll('--', '-\\u002d')} -->`
}

/** Reads the fields of a comment; undefined for any other line. */
export function readComment(line: string | undefined): JsonObject | undefined {
  const found = /^<!-- (\{.*\}) -->$/s.exec(line ?? '')?.[1]
  const value = found === undefined ? undefined : tryParseJson(found)
  return isObject(value) ? value : undefined
}
