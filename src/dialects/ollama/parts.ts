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

/** Returns true for a response of the text completion API. */
export function isTextCompletionBody({ message, response }: JsonObject): boolean {
  return !isObject(message) && typeof response === 'string'
}

/** Returns the message of a response; a text completion is converted to one. */
export function toChatMessage(wire: JsonObject): JsonObject {
  const { message, response } = wire
  if (isObject(message)) return message
  return typeof response === 'string' ? { ...wire, content: response } : {}
}

/**
 * Decodes an assistant message. The parts have the order in which the server joins the fields for the model.
 */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: Slot<OllamaHint>,
  ids: CallIdGenerator,
): readonly AssistantPart[] {
  const { images, tool_calls: toolCalls } = wire
  return [
    ...decodeReasoning(wire),
    ...decodeMedia(images),
    ...decodeText(wire),
    ...decodeToolCalls(toolCalls, slot, ids),
  ]
}

/** Decodes the text of a message; returns no part for empty text. */
export function decodeText({ content }: JsonObject): readonly TextPart[] {
  return typeof content === 'string' && content !== ''
    ? [freezeOwned<TextPart>({ type: 'text', text: content })]
    : []
}

/**
 * The encoded content of a message by field. `callCount` is the number of earlier tool calls of the message.
 */
class MessageFields {
  readonly callCount: number
  readonly reasoning: string[] = []
  readonly images: string[] = []
  readonly texts: string[] = []
  readonly calls: JsonObject[] = []

  constructor(callCount = 0) {
    this.callCount = callCount
  }
}

/** The position of each part type in the order of the server. */
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

/** Encodes content parts as the fields of a message. */
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
    // A tool result may be empty, so its text may be empty too.
    if (role !== 'tool' && part.type === 'text' && part.text === '')
      context.report('empty-text', child(path, index))
    else addPart(part, child(path, index), fields, context, slot)
  }
  const { reasoning, texts } = fields
  if (texts.length > 1 || reasoning.length > 1) context.report('texts-joined', path)
  // Texts of an assistant message are consecutive pieces; other texts are paragraphs.
  return { content: texts.join(role === 'assistant' ? '' : '\n'), ...encodeOtherFields(fields) }
}

function encodeOtherFields({ reasoning, images, calls }: MessageFields): JsonObject {
  return {
    ...(reasoning.length > 0 && { thinking: reasoning.join('') }),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Encodes one part of an assistant message as fields of the message. */
export function encodeAssistantPart(
  part: Part,
  path: Path,
  callCount: number,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): JsonObject {
  const fields = new MessageFields(callCount)
  if (part.type === 'text' && part.text === '') context.report('empty-text', path)
  else addPart(part, path, fields, context, slot)
  const { texts } = fields
  return { ...(texts.length > 0 && { content: texts.join('') }), ...encodeOtherFields(fields) }
}

function addPart(
  part: Part,
  path: Path,
  fields: MessageFields,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): void {
  if (isApplicationCall(part)) {
    fields.calls.push(encodeToolCall(part, fields.callCount + fields.calls.length, path, context, slot))
    return
  }
  if (part.type === 'reasoning' && isOwnReasoning(part)) {
    reportPartFields(part, path, context)
    fields.reasoning.push(part.text)
    return
  }
  const image = 'source' in part ? encodeMedia(part, path, context) : undefined
  const text = image === undefined ? getPartText(part, path, context) : undefined
  if (image !== undefined) fields.images.push(image)
  if (text !== undefined) fields.texts.push(text)
  if (image !== undefined || text !== undefined) reportPartFields(part, path, context)
}

/** Reports the fields of a part that the wire cannot represent. */
function reportPartFields(part: Part, path: Path, context: EncodeContext): void {
  reportUnsupportedFields(part, path, context)
  if (part.type === 'reasoning' && part.summary) context.report('no-field', child(path, 'summary'))
}

/** Returns a part as text; undefined if there is nothing to send. */
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

/** Reports a lost order: the wire has no order between reasoning, images, text and tool calls. */
function reportOrder(parts: readonly Part[], path: Path | undefined, context: EncodeContext): void {
  const movedIndex = parts.findIndex(
    (part, index) => index > 0 && getPartRank(part) < getPartRank(parts[index - 1] ?? part),
  )
  if (movedIndex !== -1) context.report('order-lost', child(path, movedIndex))
}

/** Returns the position of a part in the order of the server. */
export function getPartRank(part: Part): number {
  return part.type === 'tool-call' && part.executedBy === 'provider' ? 2 : partRanks[part.type]
}
