import type { AssistantMessage } from '../../canonical/model/message.ts'
import type {
  AssistantPart,
  AudioPart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import {
  createReasoningTextFallback,
  describeProviderCall,
  describeProviderResult,
} from '../engine/text-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { getHints, hintsIn, type Slot } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeAudio, encodeAudio, isOwnAudio } from './media.ts'
import {
  decodeToolCall,
  decodeLegacyCall,
  encodeToolCall,
  encodeLegacyCall,
  isLegacyCall,
} from './tool-calls.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { type ChatFlavor, getFlavor } from './flavors.ts'
import { decodeParts, encodeParts, joinText, isTextOnly, type ContentRole } from './parts.ts'
import {
  decodeReasoning,
  encodeReasoning,
  chooseField,
  findRepeatedFields,
  type PlacedReasoning,
} from './reasoning.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { OpenAIChatHint } from './hints.ts'

/** The content of an assistant message, and the hints for its message. */
export interface DecodedAssistantMessage {
  readonly content: readonly AssistantPart[]
  readonly hints: Hints<OpenAIChatHint>
}

/**
 * Decodes the content of an assistant message; fields that it does not model stay residue. `callId` creates
 * the ids of calls that have none.
 */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: Slot<OpenAIChatHint>,
  callId: (name: string, text: string) => string,
): DecodedAssistantMessage {
  const { content, refusal, tool_calls: calls, function_call: legacy } = wire
  const reasoning = decodeReasoning(wire)
  const repeatedFields = findRepeatedFields(wire, reasoning)
  const decodedCalls = isList(calls)
    ? calls.map((call, index) => decodeToolCall(call, index, slot, callId))
    : []
  const toolCalls = decodedCalls.every((call) => call !== undefined) ? decodedCalls : []
  const legacyCall = toolCalls.length === 0 ? decodeLegacyCall(legacy, callId) : undefined
  const parts: AssistantPart[] = [...reasoning, ...readContent(wire, slot)]
  if (typeof refusal === 'string' && refusal !== '')
    parts.push(freezeOwned({ type: 'refusal', text: refusal }))
  parts.push(...decodeAudio(wire['audio'], slot), ...toolCalls)
  if (legacyCall !== undefined) parts.push(legacyCall)
  return {
    content: parts,
    hints: hintsIn(DIALECT_SLOT, {
      ...(Array.isArray(content) && { contentForm: 'parts' }),
      ...(parts.length === 0 && { emptyContent: true }),
      ...(repeatedFields.length > 0 && { repeatedInFields: repeatedFields }),
    }),
  }
}

function readContent(
  { content, annotations }: JsonObject,
  slot: Slot<OpenAIChatHint>,
): readonly AssistantPart[] {
  if (Array.isArray(content)) return decodeParts(content, getContentRole(slot)) as readonly AssistantPart[]
  if (typeof content !== 'string' || content === '') return []
  const citationFields = slot === RESPONSE_SLOT ? decodeCitations(annotations) : {}
  return [freezeOwned<TextPart>({ type: 'text', text: content, ...citationFields })]
}

function getContentRole(slot: Slot<OpenAIChatHint>): ContentRole {
  return slot === RESPONSE_SLOT ? 'response' : 'assistant'
}

/** The parts of an assistant message, grouped by the wire field that contains them. */
interface PartsByField {
  readonly reasoning: PlacedReasoning[]
  readonly content: { readonly part: AssistantPart; readonly path: Path }[]
  readonly calls: JsonObject[]
  refusal?: string
  audio?: JsonObject
  legacy?: JsonObject
}

/** Returns the flavor for a body. Only requests are sent to a host; a response follows the plain format. */
function getFlavorFor(slot: Slot<OpenAIChatHint>, context: EncodeContext): ChatFlavor {
  return slot === RESPONSE_SLOT ? {} : getFlavor(context.options)
}

/** Encodes an assistant message. A response contains every field, and its text is one string. */
export function encodeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  const hints = getHints(message, DIALECT_SLOT)
  const contentPath = child(path, 'content')
  reportOrder(message.content, path, context)
  const partsByField: PartsByField = { reasoning: [], content: [], calls: [] }
  for (const [index, part] of message.content.entries()) {
    addPart(part, child(contentPath, index), partsByField, context, slot)
  }
  return writeFields({ role: 'assistant' }, partsByField, hints, contentPath, context, slot)
}

/** Encodes a complete part for a stream: the fields of a message that contains only this part. */
export function encodeAssistantPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject {
  const partsByField: PartsByField = { reasoning: [], content: [], calls: [] }
  addPart(part, path, partsByField, context, RESPONSE_SLOT)
  return writeFields({}, partsByField, {}, path, context, RESPONSE_SLOT)
}

/**
 * Adds the fields of an assistant message. They are assigned one by one because spreading would
 * account for half of the encoding time.
 */
function writeFields(
  fields: Record<string, Json>,
  { reasoning, content, calls, refusal, audio, legacy }: PartsByField,
  hints: Hints<OpenAIChatHint>,
  contentPath: Path,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  fields['content'] = writeContent(content, hints, contentPath, context, slot)
  if (slot === RESPONSE_SLOT) {
    fields['refusal'] = refusal ?? null
    fields['annotations'] = encodeCitations(content.filter(isText), context)
  } else if (refusal !== undefined) fields['refusal'] = refusal
  if (audio !== undefined) fields['audio'] = audio
  if (reasoning.length > 0)
    Object.assign(
      fields,
      encodeReasoning(reasoning, hints['repeatedInFields'], getFlavorFor(slot, context), context),
    )
  if (calls.length > 0) fields['tool_calls'] = calls
  if (legacy !== undefined) fields['function_call'] = legacy
  return fields
}

function addPart(
  part: AssistantPart,
  path: Path,
  partsByField: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): void {
  const hints = getHints(part, DIALECT_SLOT)
  const flavor = getFlavorFor(slot, context)
  if (part.type === 'reasoning') {
    const field = chooseField(part, flavor)
    if (field !== undefined) partsByField.reasoning.push({ part, path, field })
    else partsByField.content.push(...createReasoningText(part, path, context))
  } else if (part.type === 'refusal' && flavor.supportsRefusals === false) {
    context.report('refusal-as-text', path)
    partsByField.content.push({ part: { type: 'text', text: part.text }, path })
  } else if (part.type === 'refusal' && hints['refusalInContent'] !== true) {
    reportUnsupportedFields(part, path, context)
    if (part.text === '') context.report('empty-text', path)
    else {
      if (partsByField.refusal !== undefined) context.report('texts-joined', path.parent)
      partsByField.refusal = `${partsByField.refusal ?? ''}${part.text}`
    }
  } else if (isApplicationCall(part)) {
    addCall(part, path, partsByField, context, slot)
  } else {
    const isAudioField = part.type === 'audio' ? addAudio(part, path, partsByField, context, slot) : false
    if (!isAudioField) partsByField.content.push({ part: toTextFallback(part, path, context), path })
  }
}

function addCall(
  part: ToolCallPart,
  path: Path,
  partsByField: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): void {
  if (isLegacyCall(part) && partsByField.legacy === undefined)
    partsByField.legacy = encodeLegacyCall(part, path, context)
  else partsByField.calls.push(encodeToolCall(part, partsByField.calls.length, path, context, slot))
}

/** Returns true if the audio was written to the `audio` field, which has room for one. */
function addAudio(
  part: AudioPart,
  path: Path,
  partsByField: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): boolean {
  const audio = partsByField.audio === undefined ? encodeAudio(part, path, context, slot) : undefined
  if (audio === undefined) return false
  partsByField.audio = audio
  return true
}

function writeContent(
  content: PartsByField['content'],
  hints: Hints<OpenAIChatHint>,
  path: Path,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): Json {
  const parts = encodeParts(content, context, getContentRole(slot))
  const text = slot === RESPONSE_SLOT ? undefined : joinText(parts, '', path, context)
  if (text !== undefined) return text
  const isListForm = hints['contentForm'] === 'parts'
  if (parts.length === 0) return isListForm ? [] : null
  if (isListForm || !parts.every(isTextOnly)) return parts
  if (slot !== RESPONSE_SLOT) return parts.length === 1 ? getBlockText(parts[0]) : parts
  if (parts.length > 1) context.report('texts-joined', path)
  return parts.map(getBlockText).join('')
}

function isText(
  entry: PartsByField['content'][number],
): entry is { readonly part: TextPart; readonly path: Path } {
  return entry.part.type === 'text' && entry.part.text !== ''
}

function createReasoningText(
  part: ReasoningPart,
  path: Path,
  context: EncodeContext,
): PartsByField['content'] {
  const text = createReasoningTextFallback(part, path, context)
  return text === undefined ? [] : [{ part: { type: 'text', text }, path }]
}

function toTextFallback(part: AssistantPart, path: Path, context: EncodeContext): AssistantPart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  context.report('foreign-provider-call', path)
  return {
    type: 'text',
    text: part.type === 'tool-call' ? describeProviderCall(part) : describeProviderResult(part),
  }
}

/**
 * Returns the position of a part's wire field. The format does not record the order of reasoning, content,
 * refusal, audio and calls.
 */
export function getPartRank(part: AssistantPart): number {
  switch (part.type) {
    case 'reasoning':
      return 0
    case 'refusal':
      return getHints(part, DIALECT_SLOT)['refusalInContent'] === true ? 1 : 2
    case 'audio':
      return isOwnAudio(part) ? 3 : 1
    case 'tool-call':
      return isApplicationCall(part) ? 4 : 1
    case 'text':
    case 'image':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return 1
  }
}

function reportOrder(parts: readonly AssistantPart[], path: Path | undefined, context: EncodeContext): void {
  const movedIndex = parts.findIndex(
    (part, index) => index > 0 && getPartRank(part) < getPartRank(parts[index - 1] ?? part),
  )
  if (movedIndex !== -1) context.report('order-lost', child(child(path, 'content'), movedIndex))
}
