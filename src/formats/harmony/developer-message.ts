import type { FunctionTool } from '../../canonical/model/tool.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EscapeRecorder, MarkerEscapes } from '../engine/marker-escapes.ts'
import { HEADINGS, markerEscapes } from './constants.ts'
import { readToolSection } from './tools.ts'

const TOOLS_LINE = new RegExp(`^(\\\\*${HEADINGS.tools})$`, 'gm')
const ESCAPED_TOOLS_LINE = new RegExp(`^\\\\(\\\\*${HEADINGS.tools})$`, 'gm')

/** The escapes of a developer message, in which the heading of the tools is structure, too. */
const developerMarkers: MarkerEscapes = {
  escape: (text) => markerEscapes.escape(text).replace(TOOLS_LINE, String.raw`\$1`),
  unescape: (text) => markerEscapes.unescape(text.replace(ESCAPED_TOOLS_LINE, '$1')),
  escapeJson: (json) => markerEscapes.escapeJson(json),
}

/** Writes instructions; the tools follow them. */
export function writeInstructions(text: string, recorder: EscapeRecorder, path: Path): string {
  return `${HEADINGS.instructions}\n\n${recorder.escape(text, developerMarkers, path)}`
}

/** Adds the section of tools to a developer message. */
export function addToolSection(content: string, section: string): string {
  return section === '' ? content : `${content}\n\n${section}`
}

/** The text and the tools of a developer message. */
export interface DeveloperContent {
  /** The instructions; undefined if the message contains only tools. */
  readonly text: string | undefined
  readonly tools: readonly FunctionTool[]
}

/** Reads a developer message: its instructions, and the section of tools, wherever it is. */
export function readDeveloperContent(content: string): DeveloperContent {
  const section = readToolSection(content)
  const { tools = [], start = content.length, end = content.length } = section ?? {}
  const rest = content.slice(0, start) + content.slice(end)
  const heading = `${HEADINGS.instructions}\n\n`
  const text = rest.startsWith(heading) ? rest.slice(heading.length) : rest
  const isToolsOnly = section !== undefined && rest.trim() === ''
  return { text: isToolsOnly ? undefined : developerMarkers.unescape(text), tools }
}
