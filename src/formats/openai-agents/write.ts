import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, ToolResultPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { AGENTS_SLOT, NAME } from './constants.ts'
import { writeContent, writePart } from './content.ts'
import { writeReasoning } from './reasoning.ts'
import { writeCall, writeHostedCall, writeResult } from './tool-items.ts'

/** Writes items: one for each message, and one for each part of an answer that is no content, and for each result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const callNames = new Map<string, string>()
  return messages.flatMap(({ message, path }): readonly JsonObject[] => {
    for (const part of message.content) if (part.type === 'tool-call') callNames.set(part.id, part.name)
    if (message.role === 'assistant') return writeAnswer(message, path, callNames, report)
    if (message.role === 'tool') return writeToolMessage(message, path, callNames, report)
    return [writeMessage(message, path, report)]
  })
}

function writeToolMessage(
  { content }: Message,
  path: Path,
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): readonly JsonObject[] {
  return content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-result') return [writeResult(part, callNames.get(part.callId), at, report)]
    const item = part.type === 'opaque' ? writeOpaquePart(part, NAME, at, report) : undefined
    return item === undefined ? [] : [item]
  })
}

/** Writes a message of a user, or instructions as one text. */
export function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const { role, content } = message
  if (role === 'developer') report.add('developer-role', child(path, 'role'))
  const isList = getHints(message, AGENTS_SLOT).parts === true
  const wire = {
    type: 'message',
    role: role === 'developer' ? 'system' : role,
    content:
      role === 'user'
        ? writeContent(content, 'user', isList, path, report)
        : joinTexts(content, path, report),
  }
  return applyResidue(wire, message, AGENTS_SLOT)
}

function joinTexts(parts: readonly Part[], path: Path, report: FormatReporter): string {
  const texts = parts.flatMap((part, index) => {
    const at = child(child(path, 'content'), index)
    if (part.signature !== undefined) report.add('signature-dropped', child(at, 'signature'))
    if (part.type === 'text') return [[part.text, child(at, 'text')] as const]
    report.add('foreign-opaque', at)
    return []
  })
  if (texts.length > 1) for (const [, at] of texts) report.add('texts-concatenated', at)
  return texts.map(([text]) => text).join('\n\n')
}

/** Returns true for a part that is content of a message item; other parts of an answer are items of their own. */
function isContent({ type }: Part): boolean {
  return type !== 'reasoning' && type !== 'tool-call' && type !== 'tool-result' && type !== 'opaque'
}

/** Writes an answer. Consecutive content becomes one message item; what was read from an item is restored in the first. */
function writeAnswer(
  message: AssistantMessage,
  path: Path,
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): readonly JsonObject[] {
  const items: JsonObject[] = []
  const outputs = pairHostedResults(message.content)
  const consumed = new Set(outputs.values())
  let open: JsonObject[] | undefined
  let isFirst = true
  const closeMessage = (): void => {
    if (open === undefined) return
    items.push(isFirst ? writeMessageItem(message, open) : createMessageItem(open))
    isFirst = false
    open = undefined
  }
  message.content.forEach((part, index) => {
    const at = child(child(path, 'content'), index)
    if (isContent(part) || isBlock(part)) {
      const block = writePart(part, 'assistant', at, report)
      if (block !== undefined) (open ??= []).push(block)
      return
    }
    if (consumed.has(index)) return
    closeMessage()
    const item = writeItem(part, at, outputs, message, path, callNames, report)
    if (item !== undefined) items.push(item)
  })
  closeMessage()
  return message.content.length === 0 ? [writeMessageItem(message, [])] : items
}

/** Returns true for an unknown block that was content of a message, unlike an unknown item. */
function isBlock(part: Part): boolean {
  return part.type === 'opaque' && getHints(part, AGENTS_SLOT).parts === true
}

function writeItem(
  part: AssistantPart,
  path: Path,
  outputs: ReadonlyMap<Part, number>,
  message: AssistantMessage,
  messagePath: Path,
  callNames: ReadonlyMap<string, string>,
  report: FormatReporter,
): JsonObject | undefined {
  if (part.type === 'reasoning') return writeReasoning(part, path, report)
  if (part.type === 'opaque') return writeOpaquePart(part, NAME, path, report)
  if (part.type === 'tool-result') return writeResult(part, callNames.get(part.callId), path, report)
  if (part.type !== 'tool-call') return undefined
  if (part.executedBy === undefined) return writeCall(part, path, report)
  const index = outputs.get(part) ?? -1
  const result = message.content[index] as ToolResultPart | undefined
  return writeHostedCall(part, result, path, child(child(messagePath, 'content'), index), report)
}

/**
 * Returns the positions of the results of calls that the provider executed. A result belongs to the call directly before
 * it, or to the first one of its id.
 */
function pairHostedResults(parts: readonly AssistantPart[]): ReadonlyMap<Part, number> {
  const waiting = new Map<string, Set<Part>>()
  const pairs = new Map<Part, number>()
  let previous: Part | undefined
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-call' && part.executedBy === 'provider') {
      const calls = waiting.get(part.id) ?? new Set()
      waiting.set(part.id, calls.add(part))
    } else if (part.type === 'tool-result') {
      const calls = waiting.get(part.callId) ?? new Set()
      const call = previous && calls.has(previous) ? previous : calls.values().next().value
      if (call !== undefined) pairs.set(call, index)
      if (call !== undefined) calls.delete(call)
    }
    previous = part
  }
  return pairs
}

/** Writes the message item of an answer, with what was read from it. */
function writeMessageItem(message: AssistantMessage, content: readonly JsonObject[]): JsonObject {
  return applyResidue(createMessageItem(content), message, AGENTS_SLOT)
}

function createMessageItem(content: readonly JsonObject[]): JsonObject {
  return { type: 'message', role: 'assistant', status: 'completed', content }
}
