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

/** What an answer says, and the forms to remember. */
export interface DecodedAssistantMessage {
  readonly content: readonly AssistantPart[]
  readonly hints: Hints<OpenAIChatHint>
}

/** Reads what an assistant message says; what it cannot take apart stays residue. `callId` makes ids where none came. */
export function decodeAssistantMessage(
  wire: JsonObject,
  slot: Slot<OpenAIChatHint>,
  callId: (name: string, text: string) => string,
): DecodedAssistantMessage {
  const { content, refusal, tool_calls: calls, function_call: legacy } = wire
  const thoughts = decodeReasoning(wire)
  const repeated = findRepeatedFields(wire, thoughts)
  const called = isList(calls) ? calls.map((call, index) => decodeToolCall(call, index, slot, callId)) : []
  const known = called.every((call) => call !== undefined) ? called : []
  const old = known.length === 0 ? decodeLegacyCall(legacy, callId) : undefined
  const said: AssistantPart[] = [...thoughts, ...readContent(wire, slot)]
  if (typeof refusal === 'string' && refusal !== '')
    said.push(freezeOwned({ type: 'refusal', text: refusal }))
  said.push(...decodeAudio(wire['audio'], slot), ...known)
  if (old !== undefined) said.push(old)
  return {
    content: said,
    hints: hintsIn(DIALECT_SLOT, {
      ...(Array.isArray(content) && { contentForm: 'parts' }),
      ...(said.length === 0 && { emptyContent: true }),
      ...(repeated.length > 0 && { repeatedInFields: repeated }),
    }),
  }
}

function readContent(
  { content, annotations }: JsonObject,
  slot: Slot<OpenAIChatHint>,
): readonly AssistantPart[] {
  if (Array.isArray(content)) return decodeParts(content, getContentRole(slot)) as readonly AssistantPart[]
  if (typeof content !== 'string' || content === '') return []
  const cited = slot === RESPONSE_SLOT ? decodeCitations(annotations) : {}
  return [freezeOwned<TextPart>({ type: 'text', text: content, ...cited })]
}

function getContentRole(slot: Slot<OpenAIChatHint>): ContentRole {
  return slot === RESPONSE_SLOT ? 'response' : 'assistant'
}

/** The parts of an answer by the field that they go to. */
interface PartsByField {
  readonly reasoning: PlacedReasoning[]
  readonly content: { readonly part: AssistantPart; readonly path: Path }[]
  readonly calls: JsonObject[]
  refusal?: string
  audio?: JsonObject
  legacy?: JsonObject
}

/** Hosts differ in what they take; whoever reads an answer takes what the format says. */
function getFlavorFor(slot: Slot<OpenAIChatHint>, context: EncodeContext): ChatFlavor {
  return slot === RESPONSE_SLOT ? {} : getFlavor(context.options)
}

/** Writes what an answer says. In a response every field stands, and the text is one string. */
export function encodeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  const hints = getHints(message, DIALECT_SLOT)
  const place = child(path, 'content')
  reportOrder(message.content, path, context)
  const sorted: PartsByField = { reasoning: [], content: [], calls: [] }
  for (const [index, part] of message.content.entries()) {
    addPart(part, child(place, index), sorted, context, slot)
  }
  return writeFields({ role: 'assistant' }, sorted, hints, place, context, slot)
}

/** What a stream says of a part that is whole: the fields of an answer that has nothing else. */
export function encodeAssistantPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject {
  const sorted: PartsByField = { reasoning: [], content: [], calls: [] }
  addPart(part, path, sorted, context, RESPONSE_SLOT)
  return writeFields({}, sorted, {}, path, context, RESPONSE_SLOT)
}

/** Adds the fields of an answer. They are set one by one: spreading each would take half of the time of an encoding. */
function writeFields(
  fields: Record<string, Json>,
  { reasoning, content, calls, refusal, audio, legacy }: PartsByField,
  hints: Hints<OpenAIChatHint>,
  place: Path,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  fields['content'] = writeContent(content, hints, place, context, slot)
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
  into: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): void {
  const hints = getHints(part, DIALECT_SLOT)
  const flavor = getFlavorFor(slot, context)
  if (part.type === 'reasoning') {
    const field = chooseField(part, flavor)
    if (field !== undefined) into.reasoning.push({ part, path, field })
    else into.content.push(...createReasoningText(part, path, context))
  } else if (part.type === 'refusal' && flavor.supportsRefusals === false) {
    context.report('refusal-as-text', path)
    into.content.push({ part: { type: 'text', text: part.text }, path })
  } else if (part.type === 'refusal' && hints['refusalInContent'] !== true) {
    reportUnsupportedFields(part, path, context)
    if (part.text === '') context.report('empty-text', path)
    else {
      if (into.refusal !== undefined) context.report('texts-joined', path.parent)
      into.refusal = `${into.refusal ?? ''}${part.text}`
    }
  } else if (isApplicationCall(part)) {
    addCall(part, path, into, context, slot)
  } else {
    const audio = part.type === 'audio' ? addAudio(part, path, into, context, slot) : false
    if (!audio) into.content.push({ part: toTextFallback(part, path, context), path })
  }
}

function addCall(
  part: ToolCallPart,
  path: Path,
  into: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): void {
  if (isLegacyCall(part) && into.legacy === undefined) into.legacy = encodeLegacyCall(part, path, context)
  else into.calls.push(encodeToolCall(part, into.calls.length, path, context, slot))
}

/** True where the sound went to its own field: there is one for it. */
function addAudio(
  part: AudioPart,
  path: Path,
  into: PartsByField,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): boolean {
  const audio = into.audio === undefined ? encodeAudio(part, path, context, slot) : undefined
  if (audio === undefined) return false
  into.audio = audio
  return true
}

function writeContent(
  spoken: PartsByField['content'],
  hints: Hints<OpenAIChatHint>,
  path: Path,
  context: EncodeContext,
  slot: Slot<OpenAIChatHint>,
): Json {
  const parts = encodeParts(spoken, context, getContentRole(slot))
  const text = slot === RESPONSE_SLOT ? undefined : joinText(parts, '', path, context)
  if (text !== undefined) return text
  const listed = hints['contentForm'] === 'parts'
  if (parts.length === 0) return listed ? [] : null
  if (listed || !parts.every(isTextOnly)) return parts
  if (slot !== RESPONSE_SLOT) return parts.length === 1 ? getBlockText(parts[0]) : parts
  if (parts.length > 1) context.report('texts-joined', path)
  return parts.map(getBlockText).join('')
}

function isText(
  said: PartsByField['content'][number],
): said is { readonly part: TextPart; readonly path: Path } {
  return said.part.type === 'text' && said.part.text !== ''
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

/** This format has no order between thoughts, text, a refusal, a sound and calls: where a part goes. */
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
  const moved = parts.findIndex(
    (part, index) => index > 0 && getPartRank(part) < getPartRank(parts[index - 1] ?? part),
  )
  if (moved !== -1) context.report('order-lost', child(child(path, 'content'), moved))
}
