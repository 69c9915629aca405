import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolResultPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { PlacedMessage, MessagesWriter } from '../engine/message-format.ts'
import { UI_SLOT } from './constants.ts'
import { writePart } from './parts.ts'
import { type CallWithResult, writeToolPart } from './tool-parts.ts'

/** A tool part that may still receive its result. */
interface CallEntry extends CallWithResult {
  result?: ToolResultPart | undefined
  resultPath?: Path | undefined
  /** The message of the UI that contains the call. */
  readonly group: MessageGroup
  /** The step that contains the call. */
  readonly step: Message
}

/** The messages that become one message of the UI. */
interface MessageGroup {
  readonly first: Message
  readonly entries: (JsonObject | CallEntry)[]
}

/** A message of the UI, and the first of the messages that became it. */
export interface WrittenGroup {
  readonly first: Message
  readonly wire: JsonObject
}

/** Writes messages as UI messages: consecutive messages of the assistant, with the results between them, become one. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return writeGroups(messages, report).map(({ wire }) => wire)
}

/** Writes messages as UI messages, each with the first message that it contains. */
export function writeGroups(
  messages: readonly PlacedMessage[],
  report: FormatReporter,
): readonly WrittenGroup[] {
  const writer = new GroupWriter(report)
  for (const placed of messages) writer.add(placed)
  return writer.finish()
}

class GroupWriter {
  readonly #report: FormatReporter
  readonly #groups: MessageGroup[] = []
  /** Calls without a result by id, oldest first. */
  readonly #openCalls = new Map<string, CallEntry[]>()

  constructor(report: FormatReporter) {
    this.#report = report
  }

  add({ message, path }: PlacedMessage): void {
    const group = this.#selectGroup(message)
    if (message.role === 'developer') this.#report.add('developer-role', child(path, 'role'))
    if (message.role === 'assistant' && getHints(message, UI_SLOT).noStepStart !== true)
      group.entries.push({ type: 'step-start' })
    if (group.first !== message && message.metadata !== undefined)
      this.#report.add('metadata-dropped', child(path, 'metadata'))
    message.content.forEach((part: Part, index) => {
      this.#addPart(part, child(child(path, 'content'), index), group, message)
    })
  }

  #selectGroup(message: Message): MessageGroup {
    const last = this.#groups.at(-1)
    const isAnswer = message.role === 'assistant' || message.role === 'tool'
    const isLastAnswer = last?.first.role === 'assistant'
    if (last !== undefined && isAnswer && isLastAnswer && getHints(message, UI_SLOT).separate !== true)
      return last
    const group: MessageGroup = { first: message, entries: [] }
    this.#groups.push(group)
    return group
  }

  #addPart(part: Part, path: Path, group: MessageGroup, step: Message): void {
    if (part.type === 'tool-call') {
      const entry: CallEntry = { call: part, callPath: path, group, step }
      group.entries.push(entry)
      if (getHints(part, UI_SLOT).unanswered === true) return
      const open = this.#openCalls.get(part.id)
      if (open === undefined) this.#openCalls.set(part.id, [entry])
      else open.push(entry)
    } else if (part.type === 'tool-result') this.#addResult(part, path, group)
    else if (part.type === 'json') this.#report.add('part-unsupported', path)
    else for (const entry of writePart(part, path, this.#report)) group.entries.push(entry)
  }

  #addResult(result: ToolResultPart, path: Path, group: MessageGroup): void {
    const entry = this.#takeOpenCall(result.callId)
    if (entry === undefined) {
      this.#report.add('result-without-call', path)
      return
    }
    if (entry.group !== group) this.#report.add('order-lost', path)
    entry.result = result
    entry.resultPath = path
  }

  /** Returns the call of a result: of calls with the same id, the first one of the last step that has one. */
  #takeOpenCall(id: string): CallEntry | undefined {
    const open = this.#openCalls.get(id) ?? []
    let position = open.length - 1
    while (position > 0 && open[position - 1]?.step === open[position]?.step) position -= 1
    return open.splice(position, 1)[0]
  }

  finish(): readonly WrittenGroup[] {
    return this.#groups
      .filter(({ first, entries }) => first.role !== 'tool' || entries.length > 0)
      .map(({ first, entries }) => {
        const { id, metadata } = first
        const role = first.role === 'developer' ? 'system' : first.role === 'tool' ? 'assistant' : first.role
        const parts = entries.map((entry) =>
          'call' in entry ? writeToolPart(entry as CallEntry, this.#report) : entry,
        )
        const wire = { id, role, ...(metadata && { metadata }), parts }
        return { first, wire: applyResidue(wire, first, UI_SLOT) }
      })
  }
}
