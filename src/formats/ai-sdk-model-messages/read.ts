import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezePart, partTypesByContainer } from '../../canonical/shape/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { addProviderMetadata } from '../ai-sdk-shared/provider-metadata.ts'
import type { ReadingContext, MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { MODEL_SLOT, NAME } from './constants.ts'
import { readPart } from './parts.ts'
import { readToolResult } from './tool-results.ts'
import { writeMessages } from './write.ts'

/** Reads model messages, each as one message. */
export const readMessages: MessagesReader = (items, path, context) => {
  return items.map((wire, index) => {
    const at = child(path, index)
    const message = readMessage(wire, at, context)
    const isText = typeof wire['content'] === 'string' && message.role !== 'system'
    const hints = isText ? { textContent: true } : {}
    return attachMessageResidue(message, MODEL_SLOT, hints, wire, at, writeMessages)
  })
}

function readMessage(wire: JsonObject, path: Path, context: ReadingContext): Message {
  const { role, content, providerOptions } = wire
  const contentPath = child(path, 'content')
  const parts =
    typeof content === 'string'
      ? readTextContent(content, role === 'system' ? providerOptions : undefined, contentPath)
      : (content as readonly Json[]).map((part, index) =>
          readMessagePart(part, role, child(contentPath, index)),
        )
  return checkAndFreezeMessage({ id: context.messageId(), role, content: parts } as unknown as Message, path)
}

/** Reads content that is a text. The options of a system message are those of its text. */
function readTextContent(content: string, options: Json | undefined, path: Path): readonly Part[] {
  if (content === '' && options === undefined) return []
  return [addProviderMetadata({ type: 'text', text: content }, options, path)]
}

function readMessagePart(wire: Json, role: Json | undefined, path: Path): Part {
  if (!isObject(wire)) return throwWrongType(wire, path, 'a part: an object')
  const item = wire
  const part = item['type'] === 'tool-result' ? readToolResult(item, path) : readPart(item, path)
  const allowed = partTypesByContainer[role as Message['role']]
  return allowed.includes(part.type)
    ? part
    : checkAndFreezePart({ type: 'opaque', dialect: NAME, value: item }, path)
}
