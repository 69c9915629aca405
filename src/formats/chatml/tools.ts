import type { FunctionTool, Tool } from '../../canonical/model/tool.ts'
import { tryParseJson } from '../../wire/json.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { readFunctionTools, writeFunctionTools } from '../engine/function-tools.ts'
import { markerEscapes, TAGS, TOOLS_HEADING } from './constants.ts'
import { findTaggedBlocks } from './tagged-blocks.ts'

/** Writes the tools as the last section of the system turn; an empty text if there are none. */
export function writeToolSection(tools: readonly Tool[], report: FormatReporter): string {
  const lines = writeFunctionTools(tools, report).map((tool) =>
    markerEscapes.system.escapeJson(JSON.stringify({ type: 'function', function: tool })),
  )
  if (lines.length === 0) return ''
  return [
    TOOLS_HEADING,
    '',
    `These functions can be called. Each line inside of <${TAGS.tools}></${TAGS.tools}> describes one:`,
    `<${TAGS.tools}>`,
    ...lines,
    `</${TAGS.tools}>`,
    '',
    'To call a function, write its name and its arguments as JSON:',
    `<${TAGS.call}>`,
    '{"name": <function-name>, "arguments": <arguments-object>}',
    `</${TAGS.call}>`,
  ].join('\n')
}

/** The text and the tools of a system turn. */
export interface SystemContent {
  /** The text without the section of tools; undefined if the turn contains only the section. */
  readonly text: string | undefined
  readonly tools: readonly FunctionTool[]
}

const SECTION_START = new RegExp(`(?:^|\\n\\n)${TOOLS_HEADING}\\n`, 'g')

/** Reads a system turn: a section of tools at its end, as Qwen and this format write it, is not a part of its text. */
export function readSystemContent(content: string): SystemContent {
  // A sentence before the block may name its tags.
  const block = [...findTaggedBlocks(content, [TAGS.tools])].find((each) => each.content.trim() !== '')
  const tools = block === undefined ? undefined : readLines(block.content)
  if (block === undefined || tools === undefined || tools.length === 0) return { text: content, tools: [] }
  const start = [...content.slice(0, block.start).matchAll(SECTION_START)].at(-1)?.index
  // Tools that a text of another form describes are known, and the text stays complete.
  if (start === undefined) return { text: content, tools }
  return {
    text: start === 0 && content.startsWith(TOOLS_HEADING) ? undefined : content.slice(0, start),
    tools,
  }
}

/** Reads a description on each line, or one list of them. */
function readLines(text: string): readonly FunctionTool[] | undefined {
  const list = tryParseJson(text)
  if (Array.isArray(list)) return readFunctionTools(list)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return readFunctionTools(lines.map((line) => tryParseJson(line) ?? null))
}
