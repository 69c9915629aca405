import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isList, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MovedPartDetector } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { DIALECT_SLOT, RESPONSE_SLOT } from './constants.ts'
import type { MistralHints, MistralSlot } from './hints.ts'
import { decodeContent, encodeParts, type PartWithPath, toWireContent } from './parts.ts'
import { decodeToolCalls, encodeToolCall } from './tool-calls.ts'

/** Decodes an assistant message; fields that it does not model stay residue. */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: MistralSlot,
  ids: CallIdGenerator,
): { readonly content: readonly AssistantPart[]; readonly hints: MistralHints } {
  const { content: wireContent, tool_calls: wireCalls } = wire
  const role = slot === RESPONSE_SLOT ? 'response' : 'assistant'
  const content = [
    ...(decodeContent(wireContent, role) as readonly AssistantPart[]),
    ...decodeToolCalls(wireCalls, slot, ids),
  ]
  return { content, hints: createEmptyHint(wireContent, content.length) }
}

/** Returns the hint for a message without content. */
export function createEmptyHint(wire: JsonObject[string] | undefined, partCount: number): MistralHints {
  if (isList(wire) && wire.length === 0) return { emptyContent: 'list' }
  return partCount === 0 ? { emptyContent: true } : {}
}

/** Encodes an assistant message: chunks in their order, then the calls. */
export function encodeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: MistralSlot,
): JsonObject {
  const contentPath = child(path, 'content')
  const order = new MovedPartDetector()
  const movedIndex = message.content.findIndex((part) => order.isFirstMove(getPartRank(part)))
  if (movedIndex !== -1) context.report('order-lost', child(contentPath, movedIndex))
  const parts = message.content.map((part, index) => ({ part, path: child(contentPath, index) }))
  return { role: 'assistant', ...writeFields(parts, getHints(message, DIALECT_SLOT), context, slot) }
}

/** Encodes a complete part for a stream: the fields of a message that contains only this part. */
export function encodeAssistantPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject {
  return writeFields([{ part, path }], {}, context, RESPONSE_SLOT)
}

function writeFields(
  parts: readonly PartWithPath[],
  hints: MistralHints,
  context: EncodeContext,
  slot: MistralSlot,
): JsonObject {
  const isResponse = slot === RESPONSE_SLOT
  const contentParts: PartWithPath[] = []
  const calls: JsonObject[] = []
  for (const each of parts) {
    if (isApplicationCall(each.part))
      calls.push(encodeToolCall(each.part, calls.length, each.path, context, slot))
    else contentParts.push(each)
  }
  const chunks = encodeParts(contentParts, context, isResponse ? 'response' : 'assistant')
  return {
    content: toWireContent(chunks, contentParts, hints),
    ...((calls.length > 0 || isResponse) && { tool_calls: calls.length > 0 ? calls : null }),
  }
}

/** Returns the position of a part's wire field: calls follow the content. */
export function getPartRank(part: AssistantPart): number {
  return isApplicationCall(part) ? 1 : 0
}
