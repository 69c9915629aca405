import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isEqualJson, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { EscapeRecorder } from '../engine/marker-escapes.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { PlacedMessage } from '../engine/message-format.ts'
import { toJsonArguments } from '../engine/object-arguments.ts'
import { type PlainTurn, PlainTurnSplitter } from '../engine/plain-turn-splitter.ts'
import { CHATML_SLOT, markerEscapes, NAME, ROLE_NAMES, TAGS, TURN_END, TURN_START } from './constants.ts'
import { readSystemContent, writeToolSection } from './tools.ts'
import type { TaggedContentKind } from './types.ts'

/** A turn: the header after the marker, and the content before the end. */
interface WrittenTurn {
  readonly header: string
  readonly content: string
}

/** Writes a conversation as one text. Texts that contain markers are escaped and reported. */
export function writeRecord({ request, messages }: PlacedConversation, report: FormatReporter): JsonObject {
  const splitter = new PlainTurnSplitter(report, { hasReasoning: true, pairsByOrder: true })
  const recorder = new EscapeRecorder()
  const { tools = [] } = request
  const isDescribed = describesTools(messages[0]?.message, tools)
  const turns = messages.flatMap((placed, index) =>
    writeMessage(placed, splitter, report, recorder, isDescribed && index === 0),
  )
  const section = isDescribed ? '' : writeToolSection(tools, report)
  const text = addToolSection(turns, section)
    .map(({ header, content }) => `${TURN_START}${header}\n${content}${TURN_END}\n`)
    .join('')
  const record = applyResidue({ text }, request, CHATML_SLOT)
  // The text that was read is restored as it was.
  if (record.text === text) recorder.reportTo(report)
  return record
}

/** Adds the tools to the end of the first turn if it is a system turn, or else to one before it. */
function addToolSection(turns: readonly WrittenTurn[], section: string): readonly WrittenTurn[] {
  const [first, ...rest] = turns
  if (section === '') return turns
  if (first?.header !== 'system') return [{ header: 'system', content: section }, ...turns]
  return [{ header: 'system', content: `${first.content}\n\n${section}` }, ...rest]
}

/** Returns true if the first message is a system text that describes exactly these tools, in a form of its own. */
function describesTools(message: Message | undefined, tools: readonly Tool[]): boolean {
  const [only, ...others] = message?.role === 'system' ? message.content : []
  if (only?.type !== 'text' || others.length > 0) return false
  const { text, tools: described } = readSystemContent(only.text)
  return described.length > 0 && text === only.text && isEqualJson(described, tools)
}

/** The place of the texts of each role. Texts of tool messages are results. */
const PLACES: { readonly [role in Message['role']]: TaggedContentKind } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'result',
}

function writeMessage(
  { message, path }: PlacedMessage,
  splitter: PlainTurnSplitter,
  report: FormatReporter,
  recorder: EscapeRecorder,
  isDescription: boolean,
): readonly WrittenTurn[] {
  const kept = getKeptMessage(message, NAME)
  if (kept !== undefined) return writeKept(kept, path, report)
  if (message.role === 'developer') report.add('developer-role', child(path, 'role'))
  const header = writeHeader(message, path, report)
  const place = isDescription ? 'plain' : PLACES[message.role]
  const written: WrittenTurn[] = []
  let open: PlainTurn[] = []
  let isResults = false
  const flush = (): void => {
    if (open.length > 0)
      written.push(
        isResults
          ? writeResults(open, message, recorder)
          : { header, content: writeContent(open, place, recorder) },
      )
    open = []
  }
  for (const turn of splitter.split(message, path)) {
    if ((turn.type === 'result') !== isResults) flush()
    isResults = turn.type === 'result'
    open.push(turn)
  }
  flush()
  if (written.length === 0 && message.role !== 'tool') written.push({ header, content: '' })
  // The turn of results has no name.
  if (message.name !== undefined && !written.some((turn) => turn.header === header))
    report.add('message-name', child(path, 'name'))
  return written
}

/** Names that a header can contain. */
const HEADER_NAME = /^[\w.@-]+$/

function writeHeader(message: Message, path: Path, report: FormatReporter): string {
  const role = ROLE_NAMES[message.role]
  const { name } = message
  if (name === undefined) return role
  if (HEADER_NAME.test(name) && message.role !== 'tool') return `${role} name=${name}`
  report.add('message-name', child(path, 'name'))
  return role
}

/** Writes a turn of an unknown role as it was read. A value that was not read is no turn. */
function writeKept(
  { header, content }: JsonObject,
  path: Path,
  report: FormatReporter,
): readonly WrittenTurn[] {
  const isHeader = typeof header === 'string' && !/[\n<]/.test(header)
  if (isHeader && typeof content === 'string' && !content.includes(TURN_START) && !content.includes(TURN_END))
    return [{ header, content }]
  report.add('foreign-opaque', path)
  return []
}

function writeResults(turns: readonly PlainTurn[], message: Message, recorder: EscapeRecorder): WrittenTurn {
  const { role } = getHints(message, CHATML_SLOT)
  const responses = turns.map((turn) => {
    const text = turn.type === 'result' ? recorder.escape(turn.text, markerEscapes.result, turn.path) : ''
    return `<${TAGS.result}>\n${text}\n</${TAGS.result}>`
  })
  return { header: role === 'tool' ? role : ROLE_NAMES.tool, content: responses.join('\n') }
}

/** Writes texts, reasoning and calls in their order. The reader removes the line breaks between them. */
function writeContent(
  turns: readonly PlainTurn[],
  place: TaggedContentKind,
  recorder: EscapeRecorder,
): string {
  const pieces = turns.filter((turn) => turn.type !== 'text' || turn.texts.join('\n') !== '')
  return pieces
    .map((turn, index) => {
      const before = index > 0 && pieces[index - 1]?.type !== 'reasoning' ? '\n' : ''
      if (turn.type === 'calls') return before + turn.calls.map(writeCall).join('\n')
      if (turn.type === 'result') return ''
      const text = recorder.escape(turn.texts.join('\n'), markerEscapes[place], turn.path)
      return turn.type === 'text'
        ? before + text
        : `${before}<${TAGS.reasoning}>\n${text}\n</${TAGS.reasoning}>\n\n`
    })
    .join('')
}

/** Writes a call as JSON, in which a marker is written with an escape sequence. */
function writeCall(call: ToolCallPart): string {
  const json = `{"name": ${JSON.stringify(call.name)}, "arguments": ${JSON.stringify(toJsonArguments(call))}}`
  return `<${TAGS.call}>\n${markerEscapes.assistant.escapeJson(json)}\n</${TAGS.call}>`
}
