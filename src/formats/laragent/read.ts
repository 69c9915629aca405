import { attachSignature } from '../../canonical/build/parts.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { readGroupedResults, type ToolMessageFields } from '../engine/read-grouped-results.ts'
import { keepIfMisplaced, readTimestamp } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readOpenaiPart } from '../openai-shared/parts.ts'
import { LARAGENT_SLOT, NAME, PART_FORMAT } from './constants.ts'
import { readCall, readToolMessage } from './tools.ts'
import { writeMessages } from './write.ts'

/** Reads messages of LarAgent. Consecutive tool messages become one message with all results. */
export const readMessages: MessagesReader = (items, path, context) => {
  const readFields = (wire: JsonObject): ToolMessageFields => readMessageFields(wire, context)
  return readGroupedResults(items, path, {
    isResult: ({ role }) => role === 'tool',
    readFields,
    readResult: readToolMessage,
    readMessage: (wire, at) => readMessage(wire, at, readFields(wire)),
  })
}

function readMessageFields(wire: JsonObject, context: ReadingContext): ToolMessageFields {
  const { message_uuid: uuid, message_created: created, metadata } = wire
  return {
    id: context.messageId(uuid),
    ...omitUndefined({
      createdAt: readTimestamp(created),
      metadata: isObject(metadata) ? metadata : undefined,
    }),
  }
}

function readMessage(wire: JsonObject, path: Path, fields: ToolMessageFields): Message {
  const { content, tool_calls: calls, usage } = wire
  const role = wire['role'] as Exclude<Message['role'], 'tool'>
  const parts = readContent(content, role, child(path, 'content'))
  const callParts = role === 'assistant' ? readCalls(calls, child(path, 'tool_calls')) : []
  const signed = callParts.length === 0 && role === 'assistant' ? signText(parts, wire['extras']) : parts
  const counts = role === 'assistant' ? readUsage(usage) : undefined
  const message = {
    ...fields,
    role,
    content: [...signed, ...callParts],
    ...(counts && { usage: counts }),
  }
  const hints = {
    ...(typeof content === 'string' && { form: 'text' }),
    ...(Array.isArray(content) && role === 'assistant' && { form: 'list' }),
    ...(callParts.length > 0 && content !== null && content !== undefined && { together: true }),
  }
  const checked = checkAndFreezeMessage(message as unknown as Message, path)
  return attachMessageResidue(checked, LARAGENT_SLOT, hints, wire, path, writeMessages)
}

/** Reads content: a text, one part, or a list of parts. */
function readContent(content: Json | undefined, role: Message['role'], path: Path): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [checkAndFreezePart({ type: 'text', text: content }, path)]
  if (isObject(content)) return [readPart(content, role, path)]
  if (!Array.isArray(content)) return throwWrongType(content, path, 'content: a text, a part or a list')
  return itemsOf(content).map((part, index) => readPart(part, role, child(path, index)))
}

function readPart(wire: Json, role: Message['role'], path: Path): Part {
  return keepIfMisplaced(readOpenaiPart(wire, path, PART_FORMAT), role, NAME, wire, path)
}

function readCalls(calls: Json | undefined, path: Path): readonly Part[] {
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) return throwWrongType(calls, path, 'the calls: a list')
  return itemsOf(calls).map((call, index) => readCall(call, child(path, index)))
}

/** Gives the thought signature of an answer of Gemini to its last text. */
function signText(parts: readonly Part[], extras: Json | undefined): readonly Part[] {
  const value = isObject(extras) ? extras['thought_signature'] : undefined
  const last = parts.findLastIndex(({ type }) => type === 'text')
  if (typeof value !== 'string' || last === -1) return parts
  return parts.map((part, index) =>
    index === last ? attachSignature(part, { vendor: 'google', value }) : part,
  )
}

function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total } = usage
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined
  const totalTokens = typeof total === 'number' ? total : inputTokens + outputTokens
  return { inputTokens, outputTokens, totalTokens }
}
