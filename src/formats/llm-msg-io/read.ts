import { parseArguments } from '../../canonical/build/call-arguments.ts'
import { ROLES, type Message } from '../../canonical/model/message.ts'
import {
  type AssistantPart,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwMissing, throwWrongType } from '../../canonical/shape/shape.ts'
import { attachResidue } from '../../dialects/engine/residue-slots.ts'
import { getBlockText, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { silentReporter } from '../engine/format-loss-reporter.ts'
import { readGroupedResults } from '../engine/read-grouped-results.ts'
import { keepIfMisplaced, keepMessage } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { MSG_IO_SLOT, NAME } from './constants.ts'
import { readContent } from './parts.ts'
import { readReasoning, signParts } from './reasoning.ts'
import { writeCall, writeMessages, writeToolMessage } from './write.ts'

/** Reads messages of llm-msg-io. Consecutive tool messages become one message with all results. */
export const readMessages: MessagesReader = (items, path, context) => {
  return readGroupedResults(items, path, {
    isResult: ({ role }) => role === 'tool',
    readFields: () => ({ id: context.messageId() }),
    readResult: readToolMessage,
    readMessage: (wire, at) => readMessage(wire, at, context),
  })
}

function readToolMessage(wire: JsonObject, path: Path): ToolResultPart {
  const { call_id: callId, id, name, content } = wire
  const givenId = callId ?? id
  if (typeof givenId !== 'string') return throwMissing(child(path, 'call_id'), 'the id of the call')
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: givenId,
    ...(typeof name === 'string' && { name }),
    content: readContent(content, child(path, 'content')),
  }
  const hints = Array.isArray(content) ? { parts: true } : {}
  return attachResidue(checkAndFreezePart(result, path), MSG_IO_SLOT, hints, wire, (unit) =>
    writeToolMessage(unit, undefined, silentReporter),
  )
}

function readMessage(wire: JsonObject, path: Path, context: ReadingContext): Message {
  const role = ROLES.find((each) => each === wire['role'])
  if (role === undefined) return keepMessage(NAME, wire, path, context)
  const { id, name, content } = wire
  const contentPath = child(path, 'content')
  const parts = role === 'assistant' ? readAnswer(wire, path) : readContent(content, contentPath)
  const allowed = parts.map((part: Part, index) =>
    keepIfMisplaced(part, role, NAME, itemsOf(content)[index] ?? null, contentPath),
  )
  const fields = {
    id: context.messageId(id),
    role,
    content: allowed,
    ...(typeof name === 'string' && { name }),
  }
  const hints = Array.isArray(content) ? { parts: true } : {}
  const message = checkAndFreezeMessage(fields as unknown as Message, path)
  return attachMessageResidue(message, MSG_IO_SLOT, hints, wire, path, writeMessages)
}

function readAnswer(wire: JsonObject, path: Path): readonly AssistantPart[] {
  const { content, refusal, tool_calls: calls, extra } = wire
  const refused = typeof refusal === 'string' ? refusal : itemsOf(refusal).map(readText).join('\n')
  const parts: readonly AssistantPart[] = [
    ...readReasoning(wire, child(path, 'reasoning')),
    ...readContent(content, child(path, 'content')),
    ...(refused === '' ? [] : [checkAndFreezePart<AssistantPart>({ type: 'refusal', text: refused }, path)]),
    ...itemsOf(calls).map((call, index) => readCall(call, child(child(path, 'tool_calls'), index))),
  ]
  return signParts(parts, extra)
}

function readText(part: Json): string {
  return isObject(part) ? getBlockText(part) : ''
}

function readCall(wire: Json, path: Path): ToolCallPart {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a call: an object')
  const entry = wire
  const { id, call_id: callId, name, arguments: given } = entry
  const givenId = callId ?? id
  const call = {
    type: 'tool-call',
    id: typeof givenId === 'string' && givenId !== '' ? givenId : `call_${path.key}`,
    name: name as string,
    ...parseArguments(typeof given === 'string' ? given : JSON.stringify(given ?? {})),
  } as const
  return attachResidue(checkAndFreezePart<ToolCallPart>(call, path), MSG_IO_SLOT, {}, entry, writeCall)
}
