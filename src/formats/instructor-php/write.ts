import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolResultPart } from '../../canonical/model/part.ts'
import { applyResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { digestText } from '../../wire/digest.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import type { ToolMessageFields } from '../engine/read-grouped-results.ts'
import { isReadFrom } from '../engine/keep-unknown-values.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { writeTextResult } from '../engine/result-content.ts'
import { writeOpenaiPart } from '../openai-shared/parts.ts'
import { INSTRUCTOR_SECTION, INSTRUCTOR_SLOT, PART_FORMAT } from './constants.ts'
import { writeCall } from './tools.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Writes messages: one for each message, and one for each tool result. */
export const writeMessages: MessagesWriter = (messages, report) => {
  const isSession = messages.some(({ message }) => [message, ...message.content].some(isEntry))
  return messages.flatMap(({ message, path }) => {
    reportIds(message, path, report)
    const results = writeResults(message, path, isSession, report)
    return message.role === 'tool' ? results : [writeMessage(message, path, isSession, report), ...results]
  })
}

const isEntry = (unit: Message | Part): boolean => getHints(unit, INSTRUCTOR_SLOT).entry === true

/** Reports ids that become UUIDs; the residue of a message that was read restores its own. */
function reportIds(message: Message, path: Path, report: FormatReporter): void {
  const isRead = [message, ...message.content].some((unit) => isReadFrom(unit, INSTRUCTOR_SLOT))
  if (!isRead && !isUuid(message.id)) report.add('message-id', child(path, 'id'))
}

function writeResults(
  message: Message,
  path: Path,
  isSession: boolean,
  report: FormatReporter,
): readonly JsonObject[] {
  let fields: ToolMessageFields | undefined = message.role === 'tool' ? message : undefined
  // The name of a tool message is that of its tool.
  if (fields?.name !== undefined) report.add('message-name', child(path, 'name'))
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type !== 'tool-result') {
      if (message.role === 'tool') report.add('foreign-opaque', at)
      return []
    }
    const own = fields
    fields = undefined
    // A line of a session file needs an id; Instructor generates those of messages without one.
    const newId = isSession && !isEntry(part) ? toUuid(`${message.id}/${index}`) : undefined
    return [writeResultItem(part, own, newId, at, report)]
  })
}

/**
 * Writes a result as a message. The fields of the canonical message are those of its first result; `newId` is the id of a
 * result that is added to a session file.
 */
export function writeResultItem(
  result: ToolResultPart,
  fields: ToolMessageFields | undefined,
  newId: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { callId, name, isError } = result
  // The mark of an error is a field of the result.
  const { isError: _error, ...plain } = result
  const content = writeTextResult(plain, path, report)
  const data = {
    ...(fields ? writeFields(fields) : newId !== undefined && { id: newId }),
    role: 'tool',
    content,
    tool_result: { content, call_id: callId, tool_name: name ?? null, is_error: isError === true },
  }
  const isLine = isEntry(result) || newId !== undefined
  return applyResidue(isLine ? toEntry(data) : data, result, INSTRUCTOR_SLOT)
}

function writeFields({ id, createdAt, parentId, metadata }: ToolMessageFields): JsonObject {
  return {
    id: toUuid(id),
    ...omitUndefined({
      createdAt,
      parentId: parentId === undefined ? undefined : toUuid(parentId),
      _metadata: metadata,
    }),
  }
}

/** Returns the line of a session file that contains a message. */
function toEntry(data: JsonObject): JsonObject {
  const { id = null, parentId = null, createdAt } = data
  return {
    type: 'message',
    id,
    parentId,
    section: INSTRUCTOR_SECTION,
    ...omitUndefined({ timestamp: createdAt }),
    data,
  }
}

function writeMessage(message: Message, path: Path, isSession: boolean, report: FormatReporter): JsonObject {
  const parts: readonly Part[] = message.content
  const lastContent = parts.findLastIndex(({ type }) => type !== 'tool-call' && type !== 'tool-result')
  const calls: JsonObject[] = []
  const blocks = parts.flatMap((part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-call') {
      if (index < lastContent) report.add('order-lost', at)
      calls.push(writeCall(part, at, report))
    }
    const block = writeOpenaiPart(part, at, report, PART_FORMAT)
    return block === undefined ? [] : [block]
  })
  const data = {
    ...writeFields(message),
    role: message.role,
    ...omitUndefined({ name: message.name }),
    content: writeContent(message, blocks),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return applyResidue(isSession || isEntry(message) ? toEntry(data) : data, message, INSTRUCTOR_SLOT)
}

/** Writes content: one text as it is, and anything else as a list. */
function writeContent(message: Message, blocks: readonly JsonObject[]): Json {
  if (getHints(message, INSTRUCTOR_SLOT).parts === true) return blocks
  const [only] = blocks
  if (only === undefined) return ''
  const isText =
    blocks.length === 1 && only['type'] === 'text' && only['text'] !== '' && Object.keys(only).length === 2
  return isText ? (only['text'] ?? '') : blocks
}

/** Returns true for an id that Instructor accepts. */
function isUuid(id: string): boolean {
  return UUID.test(id)
}

/** Returns the id, or a UUID (version 8) that is derived from it: the same id always has the same UUID. */
function toUuid(id: string): string {
  if (isUuid(id)) return id
  const digits = digestText(id)
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
