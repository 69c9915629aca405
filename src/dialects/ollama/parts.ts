import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, PartType, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  createReasoningTextFallback,
  describeProviderCall,
  describeProviderResult,
  createMediaTextFallback,
} from '../engine/text-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeToolCalls, encodeToolCall } from './tool-calls.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, isOwnReasoning } from './reasoning.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { Slot } from '../engine/residue-slots.ts'
import type { OllamaHint } from './hints.ts'

/** Whether an answer completes a prompt instead of a chat. */
export function isCompletion({ message, response }: JsonObject): boolean {
  return !isObject(message) && typeof response === 'string'
}

/** What an answer says, as the message that it is or would be. */
export function toChatMessage(wire: JsonObject): JsonObject {
  const { message, response } = wire
  if (isObject(message)) return message
  return typeof response === 'string' ? { ...wire, content: response } : {}
}

/** Reads what a message says, in the order in which the server puts it together. */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: Slot<OllamaHint>,
  ids: CallIdGenerator,
): readonly AssistantPart[] {
  const { images, tool_calls: calls } = wire
  return [
    ...decodeReasoning(wire),
    ...decodeMedia(images),
    ...decodeText(wire),
    ...decodeToolCalls(calls, slot, ids),
  ]
}

/** Reads the text of a message; none where it is empty. */
export function decodeText({ content }: JsonObject): readonly TextPart[] {
  return typeof content === 'string' && content !== ''
    ? [freezeOwned<TextPart>({ type: 'text', text: content })]
    : []
}

/** What a message says, by field; `before` is how many calls it has already. */
class MessageFields {
  readonly callCount: number
  readonly thoughts: string[] = []
  readonly images: string[] = []
  readonly texts: string[] = []
  readonly calls: JsonObject[] = []

  constructor(before = 0) {
    this.callCount = before
  }
}

/** Where each type of part goes, in the order of the server. */
const partRanks: { readonly [type in PartType]: number } = {
  reasoning: 0,
  image: 1,
  text: 2,
  audio: 2,
  video: 2,
  file: 2,
  json: 2,
  refusal: 2,
  'tool-result': 2,
  opaque: 2,
  'tool-call': 3,
}

/** Writes parts into the fields of a message. */
export function encodeMessageFields(
  parts: readonly Part[],
  role: Message['role'],
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): JsonObject {
  reportOrder(parts, path, context)
  const fields = new MessageFields()
  for (const [index, part] of parts.entries()) {
    // Results may be empty, so their texts may be, too.
    if (role !== 'tool' && part.type === 'text' && part.text === '')
      context.report('empty-text', child(path, index))
    else addPart(part, child(path, index), fields, context, slot)
  }
  const { thoughts, texts } = fields
  if (texts.length > 1 || thoughts.length > 1) context.report('texts-joined', path)
  // An answer is told in pieces; what others say comes in paragraphs.
  return { content: texts.join(role === 'assistant' ? '' : '\n'), ...encodeOtherFields(fields) }
}

function encodeOtherFields({ thoughts, images, calls }: MessageFields): JsonObject {
  return {
    ...(thoughts.length > 0 && { thinking: thoughts.join('') }),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Writes one part of an answer: the fields that say it. */
export function encodeAssistantPart(
  part: Part,
  path: Path,
  calls: number,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): JsonObject {
  const fields = new MessageFields(calls)
  if (part.type === 'text' && part.text === '') context.report('empty-text', path)
  else addPart(part, path, fields, context, slot)
  const { texts } = fields
  return { ...(texts.length > 0 && { content: texts.join('') }), ...encodeOtherFields(fields) }
}

function addPart(
  part: Part,
  path: Path,
  into: MessageFields,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): void {
  if (isApplicationCall(part)) {
    into.calls.push(encodeToolCall(part, into.callCount + into.calls.length, path, context, slot))
    return
  }
  if (part.type === 'reasoning' && isOwnReasoning(part)) {
    reportPartFields(part, path, context)
    into.thoughts.push(part.text)
    return
  }
  const image = 'source' in part ? encodeMedia(part, path, context) : undefined
  const text = image === undefined ? getPartText(part, path, context) : undefined
  if (image !== undefined) into.images.push(image)
  if (text !== undefined) into.texts.push(text)
  if (image !== undefined || text !== undefined) reportPartFields(part, path, context)
}

/** What stands beside the words of a part has no field. */
function reportPartFields(part: Part, path: Path, context: EncodeContext): void {
  reportUnsupportedFields(part, path, context)
  if (part.type === 'reasoning' && part.summary) context.report('no-field', child(path, 'summary'))
}

/** What a part says as text; undefined where it leaves nothing to send. */
function getPartText(part: Part, path: Path, context: EncodeContext): string | undefined {
  switch (part.type) {
    case 'text':
      if ((part.citations?.length ?? 0) > 0) context.report('citations-dropped', child(path, 'citations'))
      return part.text
    case 'refusal':
      context.report('refusal-as-text', path)
      return part.text
    case 'json':
      context.report('json-as-text', path)
      return JSON.stringify(part.value)
    case 'reasoning':
      return createReasoningTextFallback(part, path, context)
    case 'tool-call':
    case 'tool-result':
      context.report('foreign-provider-call', path)
      return part.type === 'tool-call' ? describeProviderCall(part) : describeProviderResult(part)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return createMediaTextFallback(part, path, context)
    case 'opaque':
      context.report('foreign-opaque', path)
      return undefined
  }
}

/** This format has no order between thoughts, images, text and calls. */
function reportOrder(parts: readonly Part[], path: Path | undefined, context: EncodeContext): void {
  const moved = parts.findIndex(
    (part, index) => index > 0 && getPartRank(part) < getPartRank(parts[index - 1] ?? part),
  )
  if (moved !== -1) context.report('order-lost', child(path, moved))
}

/** Where a part goes in the order of the server. */
export function getPartRank(part: Part): number {
  return part.type === 'tool-call' && part.executedBy === 'provider' ? 2 : partRanks[part.type]
}
