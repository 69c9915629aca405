// For dialects whose conversation is a list with one element for each message and for each tool result.
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { OpaquePart, ToolResultPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getOpaqueMessage } from './opaque-content.ts'
import { createUsualMessage } from './usual-parts.ts'

/** Decodes a conversation; consecutive tool results, which `decodeResult` returns frozen, form one tool message. */
export function decodeGroupingToolResults(
  wire: Json | undefined,
  options: DecodeOptions,
  decodeResult: (
    wire: JsonObject,
    last: Message | undefined,
    results: readonly ToolResultPart[],
  ) => ToolResultPart | undefined,
  decodeMessage: (wire: Json) => Message,
): readonly Message[] {
  const messages: Message[] = []
  let results: ToolResultPart[] = []
  const endToolMessage = (): void => {
    if (results.length === 0) return
    messages.push(createUsualMessage('tool', results, options))
    results = []
  }
  for (const each of itemsOf(wire)) {
    const result = isObject(each) ? decodeResult(each, messages.at(-1), results) : undefined
    if (result !== undefined) results.push(result)
    else {
      endToolMessage()
      messages.push(decodeMessage(each))
    }
  }
  endToolMessage()
  return messages
}

/** Encodes a tool message as one wire message for each result. */
export function encodeToolMessage(
  { name, content }: ToolMessage,
  path: Path | undefined,
  context: EncodeContext,
  encodeResult: (result: ToolResultPart, path: Path, context: EncodeContext) => JsonObject,
): readonly JsonObject[] {
  if (name !== undefined) context.report('message-name', child(path, 'name'))
  const contentPath = child(path, 'content')
  const encoded: JsonObject[] = []
  for (const [index, part] of content.entries()) {
    const partPath = child(contentPath, index)
    if (part.type === 'tool-result') encoded.push(encodeResult(part, partPath, context))
    else context.report('foreign-opaque', (part satisfies OpaquePart) && partPath)
  }
  return encoded
}

/** Encodes a message: as none if it is empty, as several if it contains several tool results. */
export function encodeMessageOrResults(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  slot: string,
  encodeResult: (result: ToolResultPart, path: Path, context: EncodeContext) => JsonObject,
  encodeSingle: (message: Message, path: Path | undefined, context: EncodeContext) => JsonObject | undefined,
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, slot)
  if (opaque !== undefined) return [opaque]
  if (message.role === 'tool') return encodeToolMessage(message, path, context, encodeResult)
  const encoded = encodeSingle(message, path, context)
  if (encoded !== undefined) return [encoded]
  context.report('empty-message', path)
  return []
}
