import { type Message, ROLES } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepIfMisplaced, keepMessage, keepPart } from '../engine/keep-unknown-values.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readOptionalText, requireObject } from '../engine/require-fields.ts'
import { NAME, TELEMETRY_SLOT } from './constants.ts'
import { readContentPart } from './parts.ts'
import { readCall, readResult } from './tool-parts.ts'
import { finishWords, writeMessages } from './write.ts'

/** Reads messages of spans, each as one message. */
export const readMessages: MessagesReader = (items, path, context) => {
  return items.map((wire, index) => {
    const at = child(path, index)
    const role = ROLES.find((each) => each === wire['role'])
    if (role === undefined) return keepMessage(NAME, wire, at, context)
    const message = readMessage(wire, role, at, context)
    return attachMessageResidue(message, TELEMETRY_SLOT, {}, wire, at, writeMessages)
  })
}

function readMessage(wire: JsonObject, role: Message['role'], path: Path, context: ReadingContext): Message {
  const at = child(path, 'parts')
  const content = (wire['parts'] as readonly Json[]).map((each, index) => {
    const partPath = child(at, index)
    const part = requireObject(each, partPath, 'a part')
    return keepIfMisplaced(readPart(part, role, partPath), role, NAME, part, partPath)
  })
  const fields = {
    id: context.messageId(),
    role,
    content,
    ...omitUndefined({
      name: readOptionalText(wire, 'name', path),
      finish: role === 'assistant' ? finishWords.read(wire['finish_reason']) : undefined,
    }),
  }
  return checkAndFreezeMessage(fields as unknown as Message, path)
}

function readPart(part: JsonObject, role: Message['role'], path: Path): Part {
  const type = readStringOrEmpty(part['type'])
  if (type === 'tool_call' || type === 'server_tool_call') return readCall(part, path)
  // A result in an answer is that of a tool that the provider executed, and has a type of its own.
  const resultType = role === 'assistant' ? 'server_tool_call_response' : 'tool_call_response'
  if (type === resultType) return readResult(part, path)
  return readContentPart(part, path) ?? keepPart(NAME, part, path)
}
