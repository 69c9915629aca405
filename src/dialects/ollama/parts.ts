import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createFallback, type FallbackPart } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MovedPartDetector } from '../engine/parts-being-written.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeToolCalls, encodeToolCall } from './tool-calls.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, isThinking } from './reasoning.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { OllamaSlot } from './hints.ts'

/** Returns true for a response of the text completion API. */
export function isTextCompletion({ message, response }: JsonObject): boolean {
  return !isObject(message) && typeof response === 'string'
}

/** Returns the message of a response; a text completion is converted to one. */
export function toChatMessage(wire: JsonObject): JsonObject {
  const { message, response } = wire
  if (isObject(message)) return message
  return typeof response === 'string' ? { ...wire, content: response } : {}
}

/** Decodes an assistant message. The parts have the order in which the server joins the fields. */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: OllamaSlot,
  ids: CallIdGenerator,
): readonly AssistantPart[] {
  return [
    ...decodeReasoning(wire),
    ...decodeMedia(wire['images']),
    ...decodeText(wire),
    ...decodeToolCalls(wire['tool_calls'], slot, ids),
  ]
}

/** Decodes the text of a message; returns no part for empty text. */
export function decodeText({ content }: JsonObject): readonly TextPart[] {
  return typeof content === 'string' && content !== ''
    ? [freezeOwned<TextPart>({ type: 'text', text: content })]
    : []
}

/** Encodes content parts as the fields of a message. */
export function encodeMessageFields(
  parts: readonly Part[],
  role: Message['role'],
  path: Path | undefined,
  context: EncodeContext,
  slot: OllamaSlot,
): JsonObject {
  const order = new MovedPartDetector()
  const movedIndex = parts.findIndex((part) => order.isFirstMove(getPartRank(part)))
  if (movedIndex !== -1) context.report('order-lost', child(path, movedIndex))
  const fields = new MessageFields(role, context, slot)
  for (const [index, part] of parts.entries()) fields.add(part, child(path, index))
  const { texts, reasoning } = fields
  if (texts.length > 1 || reasoning.length > 1) context.report('texts-joined', path)
  // Texts of an assistant message are consecutive pieces; other texts are paragraphs.
  return { content: texts.join(role === 'assistant' ? '' : '\n'), ...fields.writeOthers() }
}

/** Encodes one part of an assistant message as fields of the message, after `callCount` other calls. */
export function encodeAssistantPart(
  part: Part,
  path: Path,
  callCount: number,
  context: EncodeContext,
  slot: OllamaSlot,
): JsonObject {
  const fields = new MessageFields('assistant', context, slot, callCount)
  fields.add(part, path)
  const { texts } = fields
  return { ...(texts.length > 0 && { content: texts.join('') }), ...fields.writeOthers() }
}

/** Collects the encoded content of a message by field. */
class MessageFields {
  readonly reasoning: string[] = []
  readonly texts: string[] = []
  readonly #images: string[] = []
  readonly #calls: JsonObject[] = []
  readonly #role: Message['role']
  readonly #context: EncodeContext
  readonly #slot: OllamaSlot
  readonly #callCount: number

  constructor(role: Message['role'], context: EncodeContext, slot: OllamaSlot, callCount = 0) {
    this.#role = role
    this.#context = context
    this.#slot = slot
    this.#callCount = callCount
  }

  add(part: Part, path: Path): void {
    const context = this.#context
    // A tool result may be empty, so its text may be empty too.
    if (part.type === 'text' && part.text === '' && this.#role !== 'tool') context.report('empty-text', path)
    else if (isApplicationCall(part)) {
      const index = this.#callCount + this.#calls.length
      this.#calls.push(encodeToolCall(part, index, path, context, this.#slot))
    } else this.#addContent(part, path)
  }

  #addContent(part: Part, path: Path): void {
    const context = this.#context
    const image = 'source' in part ? encodeMedia(part, path, context) : undefined
    if (image !== undefined) this.#images.push(image)
    else if (!this.#addText(part, path)) return
    reportUnsupportedFields(part, path, context)
    if (part.type === 'reasoning' && part.summary) context.report('no-field', child(path, 'summary'))
  }

  /** Adds a part as text or as reasoning, which only messages of the model have. Returns false if nothing is sent. */
  #addText(part: Part, path: Path): boolean {
    const context = this.#context
    const isOwnForm = part.type === 'reasoning' && isThinking(part, context)
    const sent = isOwnForm ? part : convertToText(part, path, context)
    const isReasoning = sent?.type === 'reasoning' && this.#role === 'assistant'
    if (isReasoning && !isThinking(sent, context)) return this.#addText(sent, path)
    if (sent !== undefined) (isReasoning ? this.reasoning : this.texts).push(sent.text)
    return sent !== undefined
  }

  /** Returns the fields beside `content`. */
  writeOthers(): JsonObject {
    return {
      ...(this.reasoning.length > 0 && { thinking: this.reasoning.join('') }),
      ...(this.#images.length > 0 && { images: this.#images }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    }
  }
}

/** Returns the text or the reasoning that is sent for a part; undefined if there is nothing to send. */
function convertToText(part: Part, path: Path, context: EncodeContext): FallbackPart | undefined {
  if (part.type === 'text' && (part.citations?.length ?? 0) > 0)
    context.report('citations-dropped', child(path, 'citations'))
  return createFallback(part, path, context)
}

/** Returns the position of a part in the order of the server: reasoning, images, text and tool calls. */
export function getPartRank(part: Part): number {
  if (part.type === 'reasoning') return 0
  if (part.type === 'image') return 1
  return isApplicationCall(part) ? 3 : 2
}
