import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { HasExtra } from '../../canonical/model/extra.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { PlacedConversation } from '../engine/conversation-codec.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import { EscapeRecorder } from '../engine/marker-escapes.ts'
import type { PlacedMessage } from '../engine/message-format.ts'
import { type PlainTurn, PlainTurnSplitter } from '../engine/plain-turn-splitter.ts'
import { HARMONY_SLOT, markerEscapes, NAME, NAMESPACE, TOKENS } from './constants.ts'
import { addToolSection, writeInstructions } from './developer-message.ts'
import { writeHeader } from './message-header.ts'
import { type HarmonyMessage, toHeaderWord, writeHarmonyMessage } from './messages.ts'
import { writeToolSection } from './tools.ts'

/** Writes a conversation as one text. Texts that contain tokens are escaped and reported. */
export function writeRecord({ request, messages }: PlacedConversation, report: FormatReporter): JsonObject {
  const writer = new MessageWriter(report)
  const section = writeToolSection(request.tools ?? [], report)
  const written = addTools(
    messages.flatMap((placed) => writer.write(placed)),
    section,
  )
  const header = writeHeader(getHints(request, HARMONY_SLOT).header, request, section !== '', report)
  const all = header === '' ? written : [{ role: 'system', content: header }, ...written]
  const last = all.at(-1)
  // The last answer of an example for training ends as a model ends it.
  const ended = last?.channel === 'final' ? [...all.slice(0, -1), { ...last, end: TOKENS.return }] : all
  const text = ended.map(writeHarmonyMessage).join('')
  const record = applyResidue({ text }, request, HARMONY_SLOT)
  // The text that was read is restored as it was.
  if (record.text === text) writer.recorder.reportTo(report)
  return record
}

/** Adds the tools to the first message if it is one of the developer, or else to one before it. */
function addTools(messages: readonly HarmonyMessage[], section: string): readonly HarmonyMessage[] {
  const [first, ...rest] = messages
  if (section === '') return messages
  if (first?.role !== 'developer') return [{ role: 'developer', content: section }, ...messages]
  return [{ ...first, content: addToolSection(first.content, section) }, ...rest]
}

/** Returns for each turn whether calls follow it in the same answer, which a result ends. */
function findPreambles(turns: readonly PlainTurn[]): readonly boolean[] {
  let isBeforeCalls = false
  return turns
    .toReversed()
    .map(({ type }) => {
      const isPreamble = isBeforeCalls
      if (type === 'calls' || type === 'result') isBeforeCalls = type === 'calls'
      return isPreamble
    })
    .toReversed()
}

/** Writes canonical messages as messages of the format: each text, reasoning, call and result is one. */
class MessageWriter {
  readonly recorder = new EscapeRecorder()
  readonly #report: FormatReporter
  readonly #splitter: PlainTurnSplitter

  constructor(report: FormatReporter) {
    this.#report = report
    this.#splitter = new PlainTurnSplitter(report, {
      hasReasoning: true,
      hasResultNames: true,
      pairsByOrder: true,
    })
  }

  write({ message, path }: PlacedMessage): readonly HarmonyMessage[] {
    const kept = getKeptMessage(message, NAME)
    if (kept !== undefined) return this.#writeKept(kept, path)
    const turns = this.#splitter.split(message, path)
    if (message.role === 'assistant' || message.role === 'tool') {
      const preambles = findPreambles(turns)
      const written = turns.flatMap((turn, index) => this.#writeTurn(turn, preambles[index] === true))
      const isEmpty = written.length === 0 && message.role === 'assistant'
      return isEmpty ? [{ role: 'assistant', channel: 'final', content: '' }] : written
    }
    const texts = turns.flatMap((turn) => (turn.type === 'text' ? turn.texts : []))
    return [this.#writeText(message, texts.join('\n'), path)]
  }

  #writeText(message: Message, text: string, path: Path): HarmonyMessage {
    const at = child(child(path, 'content'), 0)
    const isSystem = message.role === 'system'
    if (message.role === 'user' || (isSystem && getHints(message, HARMONY_SLOT).system === true))
      return { role: message.role, content: this.recorder.escape(text, markerEscapes, at) }
    if (isSystem) this.#report.add('system-as-developer', child(path, 'role'))
    return { role: 'developer', content: writeInstructions(text, this.recorder, at) }
  }

  #writeTurn(turn: PlainTurn, isBeforeCalls: boolean): readonly HarmonyMessage[] {
    switch (turn.type) {
      case 'calls':
        return turn.calls.map((call) => this.#writeCall(call, turn.path))
      case 'result': {
        const { result, name, text, path } = turn
        const role = name === undefined ? 'tool' : toRecipient(name, result)
        const content = this.recorder.escape(text, markerEscapes, path)
        return [{ role, recipient: 'assistant', channel: 'commentary', content }]
      }
      case 'text':
      case 'reasoning': {
        const text = turn.texts.join('\n')
        if (turn.type === 'text' && text === '') return []
        const content = this.recorder.escape(text, markerEscapes, turn.path)
        const channel = turn.type === 'reasoning' ? 'analysis' : isBeforeCalls ? 'commentary' : 'final'
        return [{ role: 'assistant', channel, content }]
      }
    }
  }

  #writeCall(call: ToolCallPart, path: Path): HarmonyMessage {
    const recipient = toRecipient(call.name, call)
    const isBuiltIn = !recipient.startsWith(`${NAMESPACE}.`)
    const text = stringifyArguments(call)
    const isJson = isObject(tryParseJson(text))
    return {
      role: 'assistant',
      channel: isBuiltIn ? 'analysis' : 'commentary',
      recipient,
      ...(isJson && { contentType: 'json' }),
      content: isJson ? markerEscapes.escapeJson(text) : this.recorder.escape(text, markerEscapes, path),
      end: TOKENS.call,
    }
  }

  /** Writes a message of an unknown role as it was read. A value that was not read is no message. */
  #writeKept({ role, content }: JsonObject, path: Path): readonly HarmonyMessage[] {
    const isRole = typeof role === 'string' && /^[\w.-]+$/.test(role) && !KNOWN_ROLES.includes(role)
    if (isRole && typeof content === 'string') return [{ role, content: markerEscapes.escape(content) }]
    this.#report.add('foreign-opaque', path)
    return []
  }
}

const KNOWN_ROLES: readonly string[] = ['system', 'developer', 'user', 'assistant', 'tool']

/** Returns the name of a tool with its namespace. Tools of the model have none, or one of their own. */
function toRecipient(name: string, unit: HasExtra): string {
  const { recipient } = getHints(unit, HARMONY_SLOT)
  return recipient === name && /^[\w.-]+$/.test(name) ? name : `${NAMESPACE}.${toHeaderWord(name)}`
}
