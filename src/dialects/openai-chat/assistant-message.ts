import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ImagePart, RefusalPart, ToolCallPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { createFallback, createReasoningFallback, type FallbackPart } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { MovedPartDetector } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeAudio, decodeImages, encodeAudio, encodeImage, isInImagesField, isOwnAudio } from './media.ts'
import {
  decodeToolCall,
  decodeLegacyCall,
  encodeToolCall,
  encodeLegacyCall,
  isLegacyCall,
} from './tool-calls.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import {
  createContentHints,
  decodeContent,
  type DecodedContent,
  encodeParts,
  type PartWithPath,
  toWireContent,
} from './parts.ts'
import {
  decodeReasoning,
  encodeReasoning,
  chooseReasoningField,
  findRepeatedReasoningFields,
  type ReasoningWithField,
} from './reasoning.ts'
import { isApplicationCall, isMediaPart } from '../../canonical/read/message-content.ts'
import type { OpenAIChatHints, OpenAIChatSlot } from './hints.ts'

/** Decodes the content of an assistant message; fields that it does not model stay residue. */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: OpenAIChatSlot,
  ids: CallIdGenerator,
): DecodedContent<AssistantPart> {
  const { content, refusal, annotations, audio, function_call: legacy } = wire
  const isResponse = slot === RESPONSE_SLOT
  const reasoning = decodeReasoning(wire)
  const repeatedFields = findRepeatedReasoningFields(wire, reasoning)
  const decodedCalls = itemsOf(wire['tool_calls']).map((call, index) =>
    decodeToolCall(call, index, slot, ids),
  )
  const toolCalls = decodedCalls.every((call) => call !== undefined) ? decodedCalls : []
  const legacyCall = toolCalls.length === 0 ? decodeLegacyCall(legacy, ids) : undefined
  const decodedContent = isResponse
    ? decodeContent(content, 'response', decodeCitations(annotations))
    : decodeContent(content, 'assistant')
  const parts: AssistantPart[] = [...reasoning, ...(decodedContent as readonly AssistantPart[])]
  if (typeof refusal === 'string' && refusal !== '')
    parts.push(freezeOwned({ type: 'refusal', text: refusal }))
  for (const list of [decodeImages(wire['images']), decodeAudio(audio, slot), toolCalls]) pushAll(parts, list)
  if (legacyCall !== undefined) parts.push(legacyCall)
  const hints = createContentHints(content, parts)
  return {
    content: parts,
    hints: repeatedFields.length > 0 ? { ...hints, repeatedInFields: repeatedFields } : hints,
  }
}

/** Encodes an assistant message. A response contains every field, and its text is one string. */
export function encodeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: OpenAIChatSlot,
): JsonObject {
  const contentPath = child(path, 'content')
  const movedIndex = findMovedPart(message.content)
  if (movedIndex !== -1) context.report('order-lost', child(contentPath, movedIndex))
  const fields = new MessageFields(context, slot)
  let index = 0
  for (const part of message.content) fields.add(part, child(contentPath, index++))
  return fields.write({ role: 'assistant' }, getHints(message, DIALECT_SLOT), contentPath)
}

/** Encodes a complete part for a stream: the fields of a message that contains only this part. */
export function encodeAssistantPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject {
  const fields = new MessageFields(context, RESPONSE_SLOT)
  fields.add(part, path)
  return fields.write({}, {}, path)
}

/** Groups the parts of an assistant message by the wire field that contains them. */
class MessageFields {
  readonly #context: EncodeContext
  readonly #slot: OpenAIChatSlot
  readonly #flavor: OpenAIChatFlavor
  readonly #reasoning: ReasoningWithField[] = []
  readonly #content: PartWithPath[] = []
  readonly #calls: JsonObject[] = []
  readonly #images: JsonObject[] = []
  #refusal: string | undefined
  #audio: JsonObject | undefined
  #legacyCall: JsonObject | undefined

  constructor(context: EncodeContext, slot: OpenAIChatSlot) {
    this.#context = context
    this.#slot = slot
    // Only requests are sent to a host; a response follows the plain format.
    this.#flavor = getFlavor(slot === RESPONSE_SLOT ? {} : context.options)
  }

  add(part: AssistantPart, path: Path): void {
    if (part.type === 'reasoning') {
      const field = chooseReasoningField(part, this.#flavor, this.#context, this.#slot)
      if (field !== undefined) this.#reasoning.push({ part, path, field })
      else this.#addFallback(createReasoningFallback(part, path, this.#context), path)
    } else if (
      part.type === 'tool-result' ||
      (part.type === 'tool-call' && part.executedBy === 'provider') ||
      (part.type === 'refusal' && this.#flavor.supportsRefusals === false)
    )
      this.#addFallback(createFallback(part, path, this.#context), path)
    else if (part.type === 'refusal' && !isRefusalInContent(part)) this.#addRefusal(part, path)
    else if (part.type === 'tool-call') this.#addCall(part, path)
    else {
      const isAudioFree = part.type === 'audio' && this.#audio === undefined
      const audio = isAudioFree ? encodeAudio(part, path, this.#context, this.#slot) : undefined
      const image = part.type === 'image' ? this.#encodeImage(part) : undefined
      if (image !== undefined) {
        reportUnsupportedFields(part, path, this.#context)
        this.#images.push(image)
      } else if (audio !== undefined) this.#audio = audio
      else if (isMediaPart(part)) this.#addFallback(createFallback(part, path, this.#context), path)
      else this.#content.push({ part, path })
    }
  }

  /** Encodes an image for the field `images` if it was received there and the host accepts the field. */
  #encodeImage(part: ImagePart): JsonObject | undefined {
    const isHost = this.#slot !== RESPONSE_SLOT && this.#context.options.flavor !== undefined
    return isHost && this.#flavor.supportsImagesField !== true ? undefined : encodeImage(part)
  }

  #addFallback(fallback: FallbackPart | undefined, path: Path): void {
    if (fallback?.type === 'reasoning') this.add(fallback, path)
    else if (fallback !== undefined) this.#content.push({ part: fallback, path })
  }

  #addRefusal(part: RefusalPart, path: Path): void {
    reportUnsupportedFields(part, path, this.#context)
    if (part.text === '') this.#context.report('empty-text', path)
    else {
      if (this.#refusal !== undefined) this.#context.report('texts-joined', path.parent)
      this.#refusal = `${this.#refusal ?? ''}${part.text}`
    }
  }

  #addCall(part: ToolCallPart, path: Path): void {
    const context = this.#context
    if (isLegacyCall(part) && this.#legacyCall === undefined)
      this.#legacyCall = encodeLegacyCall(part, path, context)
    else this.#calls.push(encodeToolCall(part, this.#calls.length, path, context, this.#slot))
  }

  /** Returns true if all other fields are extensions: hosts refuse such a message if its content is null. */
  #needsContent(): boolean {
    const others = [this.#refusal, this.#audio, this.#legacyCall, this.#calls[0]]
    const hasExtension = this.#reasoning.length > 0 || this.#images.length > 0
    return hasExtension && others.every((field) => field === undefined)
  }

  /** Adds the fields to `fields`, one by one: spreading would account for half of the encoding time. */
  write(fields: Record<string, Json>, hints: OpenAIChatHints, path: Path): JsonObject {
    const context = this.#context
    const isResponse = this.#slot === RESPONSE_SLOT
    const role = isResponse ? 'response' : 'assistant'
    const parts = encodeParts(this.#content, context, role)
    const content = toWireContent(parts, role, hints, path, context)
    fields['content'] = content === null && !isResponse && this.#needsContent() ? '' : content
    if (isResponse) {
      fields['refusal'] = this.#refusal ?? null
      fields['annotations'] = encodeCitations(this.#content, context)
    } else if (this.#refusal !== undefined) fields['refusal'] = this.#refusal
    if (this.#images.length > 0) fields['images'] = this.#images
    if (this.#audio !== undefined) fields['audio'] = this.#audio
    if (this.#reasoning.length > 0) {
      const { repeatedInFields } = hints
      Object.assign(fields, encodeReasoning(this.#reasoning, repeatedInFields, this.#flavor, context))
    }
    if (this.#calls.length > 0) fields['tool_calls'] = this.#calls
    if (this.#legacyCall !== undefined) fields['function_call'] = this.#legacyCall
    return fields
  }
}

/** Returns the index of the first part that follows a part of a later field; -1 if no part does. */
function findMovedPart(content: readonly AssistantPart[]): number {
  if (content.length < 2) return -1
  const order = new MovedPartDetector()
  return content.findIndex((part) => order.isFirstMove(getPartRank(part)))
}

function isRefusalInContent(part: RefusalPart): boolean {
  return getHints(part, DIALECT_SLOT)['refusalInContent'] === true
}

/** Returns the position of a part's wire field: the order between fields is not recorded. */
export function getPartRank(part: AssistantPart): number {
  if (part.type === 'reasoning') return 0
  if (part.type === 'refusal') return isRefusalInContent(part) ? 1 : 2
  if (part.type === 'image') return isInImagesField(part) ? 3 : 1
  if (part.type === 'audio') return isOwnAudio(part) ? 4 : 1
  return isApplicationCall(part) ? 5 : 1
}
