import type { AssistantMessage } from '../../canonical/model/message.ts'
import type {
  AssistantPart,
  AudioPart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { thoughtInWords } from '../shared/thoughts.ts'
import type { Encoding } from '../encoding.ts'
import { describeProviderCall, describeProviderResult } from '../shared/describe.ts'
import { wireText } from '../shared/wire-text.ts'
import { hintsFor, hintsIn, type Slot } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { decodeCitations, encodeCitations } from './citations.ts'
import { decodeAudio, encodeAudio, isOwnSound } from './audio.ts'
import { decodeCall, decodeLegacyCall, encodeCall, encodeLegacyCall, isLegacy } from './calls.ts'
import { RESPONSE, SLOT } from './codes.ts'
import { type ChatFlavor, flavorOf } from './flavors.ts'
import { decodeParts, encodeParts, joinedText, onlyText, type Speaker } from './parts.ts'
import { decodeReasoning, encodeReasoning, fieldFor, repeatedFields, type Thought } from './reasoning.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** What an answer says, and the forms to remember. */
export interface Said {
  readonly content: readonly AssistantPart[]
  readonly hints: Hints<OpenAIChatHint>
}

/** Reads what an assistant message says; what it cannot take apart stays residue. `callId` makes ids where none came. */
export function decodeSaid(
  wire: Wire,
  slot: Slot<OpenAIChatHint>,
  callId: (name: string, text: string) => string,
): Said {
  const { content, refusal, tool_calls: calls, function_call: legacy } = wire
  const thoughts = decodeReasoning(wire)
  const repeated = repeatedFields(wire, thoughts)
  const called = isList(calls) ? calls.map((call, index) => decodeCall(call, index, slot, callId)) : []
  const known = called.every((call) => call !== undefined) ? called : []
  const old = known.length === 0 ? decodeLegacyCall(legacy, callId) : undefined
  const said: AssistantPart[] = [...thoughts, ...readContent(wire, slot)]
  if (typeof refusal === 'string' && refusal !== '') said.push(sealOwn({ type: 'refusal', text: refusal }))
  said.push(...decodeAudio(wire['audio'], slot), ...known)
  if (old !== undefined) said.push(old)
  return {
    content: said,
    hints: hintsIn(SLOT, {
      ...(Array.isArray(content) && { contentForm: 'parts' }),
      ...(said.length === 0 && { emptyContent: true }),
      ...(repeated.length > 0 && { repeatedInFields: repeated }),
    }),
  }
}

function readContent({ content, annotations }: Wire, slot: Slot<OpenAIChatHint>): readonly AssistantPart[] {
  if (Array.isArray(content)) return decodeParts(content, speakerOf(slot)) as readonly AssistantPart[]
  if (typeof content !== 'string' || content === '') return []
  const cited = slot === RESPONSE ? decodeCitations(annotations) : {}
  return [sealOwn<TextPart>({ type: 'text', text: content, ...cited })]
}

function speakerOf(slot: Slot<OpenAIChatHint>): Speaker {
  return slot === RESPONSE ? 'response' : 'assistant'
}

/** The parts of an answer by the field that they go to. */
interface Sorted {
  readonly thoughts: Thought[]
  readonly spoken: { readonly part: AssistantPart; readonly at: Path }[]
  readonly calls: JsonObject[]
  refusal?: string
  audio?: JsonObject
  legacy?: JsonObject
}

/** Hosts differ in what they take; whoever reads an answer takes what the format says. */
function flavorFor(slot: Slot<OpenAIChatHint>, encoding: Encoding): ChatFlavor {
  return slot === RESPONSE ? {} : flavorOf(encoding.options)
}

/** Writes what an answer says. In a response every field stands, and the text is one string. */
export function encodeSaid(
  message: AssistantMessage,
  at: Path | undefined,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  const hints = hintsFor(message, SLOT)
  const place = below(at, 'content')
  reportOrder(message.content, at, encoding)
  const sorted: Sorted = { thoughts: [], spoken: [], calls: [] }
  for (const [index, part] of message.content.entries()) {
    sort(part, below(place, index), sorted, encoding, slot)
  }
  return writeSorted({ role: 'assistant' }, sorted, hints, place, encoding, slot)
}

/** What a stream says of a part that is whole: the fields of an answer that has nothing else. */
export function encodeSaidPart(part: AssistantPart, at: Path, encoding: Encoding): JsonObject {
  const sorted: Sorted = { thoughts: [], spoken: [], calls: [] }
  sort(part, at, sorted, encoding, RESPONSE)
  return writeSorted({}, sorted, {}, at, encoding, RESPONSE)
}

/** Adds the fields of an answer. They are set one by one: spreading each would take half of the time of an encoding. */
function writeSorted(
  said: Record<string, Json>,
  { thoughts, spoken, calls, refusal, audio, legacy }: Sorted,
  hints: Hints<OpenAIChatHint>,
  place: Path,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  said['content'] = writeContent(spoken, hints, place, encoding, slot)
  if (slot === RESPONSE) {
    said['refusal'] = refusal ?? null
    said['annotations'] = encodeCitations(spoken.filter(isText), encoding)
  } else if (refusal !== undefined) said['refusal'] = refusal
  if (audio !== undefined) said['audio'] = audio
  if (thoughts.length > 0)
    Object.assign(
      said,
      encodeReasoning(thoughts, hints['repeatedInFields'], flavorFor(slot, encoding), encoding),
    )
  if (calls.length > 0) said['tool_calls'] = calls
  if (legacy !== undefined) said['function_call'] = legacy
  return said
}

function sort(
  part: AssistantPart,
  at: Path,
  into: Sorted,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): void {
  const hints = hintsFor(part, SLOT)
  const flavor = flavorFor(slot, encoding)
  if (part.type === 'reasoning') {
    const field = fieldFor(part, flavor)
    if (field !== undefined) into.thoughts.push({ part, at, field })
    else into.spoken.push(...showThought(part, at, encoding))
  } else if (part.type === 'refusal' && flavor.refusals === false) {
    encoding.lose('refusal-as-text', at)
    into.spoken.push({ part: { type: 'text', text: part.text }, at })
  } else if (part.type === 'refusal' && hints['refusalInContent'] !== true) {
    reportBare(part, at, encoding)
    if (part.text === '') encoding.lose('empty-text', at)
    else {
      if (into.refusal !== undefined) encoding.lose('texts-joined', at.parent)
      into.refusal = `${into.refusal ?? ''}${part.text}`
    }
  } else if (isOwnCall(part)) {
    sortCall(part, at, into, encoding, slot)
  } else {
    const audio = part.type === 'audio' ? sortAudio(part, at, into, encoding, slot) : false
    if (!audio) into.spoken.push({ part: inWords(part, at, encoding), at })
  }
}

function sortCall(
  part: ToolCallPart,
  at: Path,
  into: Sorted,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): void {
  if (isLegacy(part) && into.legacy === undefined) into.legacy = encodeLegacyCall(part, at, encoding)
  else into.calls.push(encodeCall(part, into.calls.length, at, encoding, slot))
}

/** True where the sound went to its own field: there is one for it. */
function sortAudio(
  part: AudioPart,
  at: Path,
  into: Sorted,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): boolean {
  const audio = into.audio === undefined ? encodeAudio(part, at, encoding, slot) : undefined
  if (audio === undefined) return false
  into.audio = audio
  return true
}

function writeContent(
  spoken: Sorted['spoken'],
  hints: Hints<OpenAIChatHint>,
  at: Path,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): Json {
  const parts = encodeParts(spoken, encoding, speakerOf(slot))
  const text = slot === RESPONSE ? undefined : joinedText(parts, '', at, encoding)
  if (text !== undefined) return text
  const listed = hints['contentForm'] === 'parts'
  if (parts.length === 0) return listed ? [] : null
  if (listed || !parts.every(onlyText)) return parts
  if (slot !== RESPONSE) return parts.length === 1 ? wireText(parts[0]) : parts
  if (parts.length > 1) encoding.lose('texts-joined', at)
  return parts.map(wireText).join('')
}

function isText(said: Sorted['spoken'][number]): said is { readonly part: TextPart; readonly at: Path } {
  return said.part.type === 'text' && said.part.text !== ''
}

function showThought(part: ReasoningPart, at: Path, encoding: Encoding): Sorted['spoken'] {
  const text = thoughtInWords(part, at, encoding)
  return text === undefined ? [] : [{ part: { type: 'text', text }, at }]
}

function inWords(part: AssistantPart, at: Path, encoding: Encoding): AssistantPart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  encoding.lose('foreign-provider-call', at)
  return {
    type: 'text',
    text: part.type === 'tool-call' ? describeProviderCall(part) : describeProviderResult(part),
  }
}

/** This format has no order between thoughts, text, a refusal, a sound and calls: where a part goes. */
export function rankOf(part: AssistantPart): number {
  switch (part.type) {
    case 'reasoning':
      return 0
    case 'refusal':
      return hintsFor(part, SLOT)['refusalInContent'] === true ? 1 : 2
    case 'audio':
      return isOwnSound(part) ? 3 : 1
    case 'tool-call':
      return isOwnCall(part) ? 4 : 1
    case 'text':
    case 'image':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return 1
  }
}

function reportOrder(parts: readonly AssistantPart[], at: Path | undefined, encoding: Encoding): void {
  const moved = parts.findIndex((part, index) => index > 0 && rankOf(part) < rankOf(parts[index - 1] ?? part))
  if (moved !== -1) encoding.lose('order-lost', below(below(at, 'content'), moved))
}
