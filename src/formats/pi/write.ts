import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { Part, ToolResultPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { type Json, type JsonObject, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { getVendor, writeApi, writeFinish, writeOrigin, writeUsage } from './answer-fields.ts'
import { writeBlock } from './blocks.ts'
import { NAME, PI_SLOT } from './constants.ts'

/** The roles whose messages have a summary instead of content. */
export const SUMMARY_ROLES: ReadonlySet<Json | undefined> = new Set(['branchSummary', 'compactionSummary'])

/** Writes messages of pi: one for each message, and one for each tool result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const callNames = new Map<string, string>()
  return messages.flatMap(({ message, path }): readonly JsonObject[] => {
    const kept = getKeptMessage(message, NAME)
    if (kept !== undefined) return [kept]
    for (const part of message.content) if (part.type === 'tool-call') callNames.set(part.id, part.name)
    const results = message.content.flatMap((part: Part, index): readonly JsonObject[] => {
      const at = child(child(path, 'content'), index)
      if (part.type === 'tool-result')
        return [writeResult(part, callNames.get(part.callId), writeTime(message), at, report)]
      if (message.role === 'tool') report.add('foreign-opaque', at)
      return []
    })
    return message.role === 'tool' ? results : [writeMessage(message, path, report), ...results]
  })
}

/** Writes a message that is no result. */
export function writeMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const wire =
    message.role === 'assistant'
      ? writeAnswer(message, path, report)
      : message.role === 'user'
        ? writeUserMessage(message, path, report)
        : writeSystemMessage(message, path, report)
  return applyResidue({ ...wire, timestamp: writeTime(message) }, message, PI_SLOT)
}

/** Returns the time of a message in milliseconds. pi requires one: zero is an unknown time. */
function writeTime({ createdAt }: Message): number {
  const time = createdAt === undefined ? 0 : Date.parse(createdAt)
  return Number.isNaN(time) ? 0 : time
}

function writeAnswer(message: AssistantMessage, path: Path, report: FormatReporter): JsonObject {
  const content = writeBlocks(message.content, getVendor(writeApi(message)), path, report)
  const stopReason = writeFinish(message, path, report)
  return { role: 'assistant', content, ...writeOrigin(message), usage: writeUsage(message.usage), stopReason }
}

function writeUserMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  const { role, parts } = getHints(message, PI_SLOT)
  const content = writeContent(message.content, parts === true, path, report)
  if (SUMMARY_ROLES.has(role) && typeof content === 'string') return { role: role as Json, summary: content }
  return { role: role === 'custom' ? role : 'user', content }
}

/** Writes instructions: texts that were sections of the prompt are sections again. */
function writeSystemMessage(message: Message, path: Path, report: FormatReporter): JsonObject {
  if (message.role === 'developer') report.add('developer-role', child(path, 'role'))
  const sections = {}
  const others = (message.content as readonly Part[]).filter((part) => {
    const { section } = getHints(part, PI_SLOT)
    if (typeof section !== 'string' || part.type !== 'text') return true
    setKey(sections, section, part.text)
    return false
  })
  const isList = getHints(message, PI_SLOT).parts === true
  const content = writeContent(others, isList, path, report)
  return { role: 'system', content, ...(Object.keys(sections).length > 0 && { sections }) }
}

function writeBlocks(
  parts: readonly Part[],
  vendor: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): readonly JsonObject[] {
  return parts.flatMap((part, index): readonly JsonObject[] => {
    const block = writeBlock(part, vendor, child(child(path, 'content'), index), report)
    return block === undefined ? [] : [block]
  })
}

/** Writes content: one text as it is, and anything else as a list. */
function writeContent(parts: readonly Part[], isList: boolean, path: Path, report: FormatReporter): Json {
  const blocks = writeBlocks(parts, undefined, path, report)
  if (isList) return blocks
  const [only] = blocks
  if (only === undefined) return ''
  const isText = blocks.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2
  return isText && only['text'] !== '' ? (only['text'] as Json) : blocks
}

/** Writes a result. A result that was read from pi has its own time. */
export function writeResult(
  result: ToolResultPart,
  callName: string | undefined,
  time: number,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, name, isError = false } = result
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  const wire = {
    role: 'toolResult',
    toolCallId: callId,
    toolName: name ?? callName ?? callId,
    content: writeBlocks(result.content, undefined, path, report),
    isError,
    timestamp: getHints(result, PI_SLOT).timestamp ?? time,
  }
  return applyResidue(wire, result, PI_SLOT)
}
