import type { FunctionTool, Tool } from '../../canonical/model/tool.ts'
import { isEqualJson, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { writeFunctionTools } from '../engine/function-tools.ts'
import { HEADINGS, NAMESPACE } from './constants.ts'
import { readHeaderWord, toHeaderWord } from './messages.ts'
import { TypeReader } from './type-reader.ts'
import { writeComment, writeType } from './type-writer.ts'

const SECTION = `${HEADINGS.tools}\n\n## ${NAMESPACE}\n\nnamespace ${NAMESPACE} {\n`
const SECTION_END = ` // namespace ${NAMESPACE}`

/** Writes the tools as a section of the developer message; an empty text if there are none. */
export function writeToolSection(tools: readonly Tool[], report: FormatReporter): string {
  const written = writeFunctionTools(tools, report)
  if (written.length === 0) return ''
  const lines = written.map((tool) => writeTool(tool))
  const section = `${SECTION}\n${lines.join('\n\n')}\n\n}${SECTION_END}`
  reportSimplified(tools, readToolSection(section)?.tools ?? [], report)
  return section
}

function writeTool({ name, description, parameters }: JsonObject): string {
  const comments = typeof description === 'string' && description !== '' ? writeComment(description) : []
  const type = writeType(parameters)
  const input = type === '{}' || type === 'object' ? '' : `_: ${type}`
  return [...comments, `type ${toHeaderWord(readStringOrEmpty(name))} = (${input}) => any;`].join('\n')
}

/** Reports what the types do not say, by comparing the tools with what a reader gets. */
function reportSimplified(
  tools: readonly Tool[],
  read: readonly FunctionTool[],
  report: FormatReporter,
): void {
  const functions = tools.flatMap((tool, index) => (tool.type === 'function' ? [{ tool, index }] : []))
  functions.forEach(({ tool, index }, position) => {
    const { input, description } = read[position] ?? {}
    const path = child(child(undefined, 'tools'), index)
    const expected = { properties: {}, ...tool.input }
    if (!isEqualJson(expected, input)) report.add('schema-simplified', child(path, 'input'))
    if (tool.description !== description) report.add('schema-simplified', child(path, 'description'))
  })
}

/** The tools of a developer message, and where their section starts and ends. */
export interface ToolSection {
  readonly tools: readonly FunctionTool[]
  readonly start: number
  readonly end: number
}

/** Finds the section of tools; undefined if it is absent, or not written in the types of tools. */
export function readToolSection(content: string): ToolSection | undefined {
  const start = content.startsWith(SECTION) ? 0 : content.indexOf(`\n\n${SECTION}`)
  if (start === -1) return undefined
  const from = start + (start === 0 && content.startsWith(SECTION) ? 0 : 2) + SECTION.length
  try {
    const reader = new TypeReader(content, from)
    const tools = readTools(reader)
    const end = reader.position + SECTION_END.length
    return content.startsWith(SECTION_END, reader.position) ? { tools, start, end } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readTools(reader: TypeReader): readonly FunctionTool[] {
  const tools: FunctionTool[] = []
  for (let description = reader.readComments(); !reader.skip('}'); description = reader.readComments()) {
    reader.expect('type')
    const name = readHeaderWord(reader.take())
    reader.expect('=', '(')
    const hasInput = reader.skip('_')
    if (hasInput) reader.expect(':')
    const input = hasInput ? reader.readType() : { type: 'object', properties: {} }
    reader.expect(')', '=>', 'any', ';')
    tools.push({ type: 'function', name, ...(description !== undefined && { description }), input })
  }
  return tools
}
