import type { Message } from '../../canonical/model/message.ts'
import type { Part, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isEmptyObject, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { readGroupedResults, type ToolMessageFields } from '../engine/read-grouped-results.ts'
import { keepIfMisplaced, readTimestamp } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readOpenaiPart } from '../openai-shared/parts.ts'
import { INSTRUCTOR_SLOT, NAME, PART_FORMAT } from './constants.ts'
import { listMessageItems, type MessageItem } from './session-lines.ts'
import { readCalls, readResult } from './tools.ts'
import { writeMessages, writeResultItem } from './write.ts'

/** Reads messages, or the lines of a session file. Consecutive tool messages become one message with all results. */
export const readMessages: MessagesReader = (items, path, context) => {
  const found = listMessageItems(items, path, context)
  const itemOf = new Map(found.map((item) => [item.wire, item]))
  const open = (wire: JsonObject): MessageItem => itemOf.get(wire) as MessageItem
  const readFields = (wire: JsonObject): ToolMessageFields => readMessageFields(open(wire).data, context)
  return readGroupedResults(
    found.map(({ wire }) => wire),
    path,
    {
      isResult: (wire) => open(wire).data['role'] === 'tool',
      readFields,
      readResult: (wire, _, fields) => readToolMessage(open(wire), fields),
      readMessage: (wire) => readMessage(open(wire), readFields(wire)),
    },
  )
}

function readMessageFields(data: JsonObject, context: ReadingContext): ToolMessageFields {
  const { id, createdAt, parentId, name } = data
  const { tool_calls: _calls, tool_result: _result, ...metadata } = readMetadata(data)
  return {
    id: context.messageId(id),
    ...omitUndefined({
      createdAt: readTimestamp(createdAt),
      parentId: typeof parentId === 'string' && parentId !== '' ? parentId : undefined,
      name: typeof name === 'string' && name !== '' && data['role'] !== 'tool' ? name : undefined,
      metadata: isEmptyObject(metadata) ? undefined : metadata,
    }),
  }
}

function readMetadata({ _metadata: own, metadata: old }: JsonObject): JsonObject {
  const given = own ?? old
  return isObject(given) ? given : {}
}

function readToolMessage(item: MessageItem, fields: ToolMessageFields | undefined): ToolResultPart {
  const { wire, data, path } = item
  const hints = wire === data ? {} : { entry: true }
  return attachResidue(readResult(data, path), INSTRUCTOR_SLOT, hints, wire, (unit) =>
    writeResultItem(unit, fields, undefined, undefined, silentReporter),
  )
}

function readMessage({ wire, data, path }: MessageItem, fields: ToolMessageFields): Message {
  const { content } = data
  const role = data['role'] as Exclude<Message['role'], 'tool'>
  if (typeof role !== 'string') return throwWrongType(role, child(path, 'role'), 'the role of the message')
  const parts = readContent(content, role, child(path, 'content'))
  const calls = role === 'assistant' ? readCalls(data, path) : []
  const message = { ...fields, role, content: [...parts, ...calls] }
  const hints = {
    ...(Array.isArray(content) && { parts: true }),
    ...(wire !== data && { entry: true }),
  }
  const checked = checkAndFreezeMessage(message as unknown as Message, path)
  return attachMessageResidue(checked, INSTRUCTOR_SLOT, hints, wire, path, writeMessages)
}

/** Reads content: a text, one part, or a list of parts and texts. */
function readContent(content: Json | undefined, role: Message['role'], path: Path): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [checkAndFreezePart({ type: 'text', text: content }, path)]
  if (isObject(content)) return [readPart(content, role, path)]
  if (!Array.isArray(content)) return throwWrongType(content, path, 'content: a text, a part or a list')
  return content.map((part: Json, index) => readPart(part, role, child(path, index)))
}

function readPart(wire: Json, role: Message['role'], path: Path): Part {
  if (typeof wire === 'string') return checkAndFreezePart({ type: 'text', text: wire }, path)
  return keepIfMisplaced(readOpenaiPart(wire, path, PART_FORMAT), role, NAME, wire, path)
}
