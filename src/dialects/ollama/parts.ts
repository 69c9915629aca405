import type { Message } from '../../canonical/model/message.ts'
import type { AssistantPart, Part, PartType, TextPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { thoughtInWords } from '../shared/thoughts.ts'
import type { Encoding } from '../encoding.ts'
import type { CallIds } from '../shared/call-ids.ts'
import { reportBare } from '../shared/bare.ts'
import { describeProviderCall, describeProviderResult, mediaInWords } from '../shared/describe.ts'
import { decodeCalls, encodeCall } from './calls.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, isOwn } from './reasoning.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import type { Slot } from '../unit.ts'
import type { OllamaHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Whether an answer completes a prompt instead of a chat. */
export function isCompletion({ message, response }: Wire): boolean {
  return !isObject(message) && typeof response === 'string'
}

/** What an answer says, as the message that it is or would be. */
export function messageOf(wire: Wire): Wire {
  const { message, response } = wire
  if (isObject(message)) return message
  return typeof response === 'string' ? { ...wire, content: response } : {}
}

/** Reads what a message says, in the order in which the server puts it together. */
export function decodeSaid(wire: Wire, slot: Slot<OllamaHint>, ids: CallIds): readonly AssistantPart[] {
  const { images, tool_calls: calls } = wire
  return [
    ...decodeReasoning(wire),
    ...decodeMedia(images),
    ...decodeText(wire),
    ...decodeCalls(calls, slot, ids),
  ]
}

/** Reads the text of a message; none where it is empty. */
export function decodeText({ content }: Wire): readonly TextPart[] {
  return typeof content === 'string' && content !== ''
    ? [sealOwn<TextPart>({ type: 'text', text: content })]
    : []
}

/** What a message says, by field; `before` is how many calls it has already. */
class Fields {
  readonly before: number
  readonly thoughts: string[] = []
  readonly images: string[] = []
  readonly texts: string[] = []
  readonly calls: JsonObject[] = []

  constructor(before = 0) {
    this.before = before
  }
}

/** Where each type of part goes, in the order of the server. */
const ranks: { readonly [type in PartType]: number } = {
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
export function encodeSaid(
  parts: readonly Part[],
  role: Message['role'],
  at: Path | undefined,
  encoding: Encoding,
  slot: Slot<OllamaHint>,
): JsonObject {
  reportOrder(parts, at, encoding)
  const fields = new Fields()
  for (const [index, part] of parts.entries()) {
    // Results may be empty, so their texts may be, too.
    if (role !== 'tool' && part.type === 'text' && part.text === '')
      encoding.lose('empty-text', below(at, index))
    else sort(part, below(at, index), fields, encoding, slot)
  }
  const { thoughts, texts } = fields
  if (texts.length > 1 || thoughts.length > 1) encoding.lose('texts-joined', at)
  // An answer is told in pieces; what others say comes in paragraphs.
  return { content: texts.join(role === 'assistant' ? '' : '\n'), ...saidBeside(fields) }
}

function saidBeside({ thoughts, images, calls }: Fields): JsonObject {
  return {
    ...(thoughts.length > 0 && { thinking: thoughts.join('') }),
    ...(images.length > 0 && { images }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Writes one part of an answer: the fields that say it. */
export function encodeSaidPart(
  part: Part,
  at: Path,
  calls: number,
  encoding: Encoding,
  slot: Slot<OllamaHint>,
): JsonObject {
  const fields = new Fields(calls)
  if (part.type === 'text' && part.text === '') encoding.lose('empty-text', at)
  else sort(part, at, fields, encoding, slot)
  const { texts } = fields
  return { ...(texts.length > 0 && { content: texts.join('') }), ...saidBeside(fields) }
}

function sort(part: Part, at: Path, into: Fields, encoding: Encoding, slot: Slot<OllamaHint>): void {
  if (isOwnCall(part)) {
    into.calls.push(encodeCall(part, into.before + into.calls.length, at, encoding, slot))
    return
  }
  if (part.type === 'reasoning' && isOwn(part)) {
    reportBeside(part, at, encoding)
    into.thoughts.push(part.text)
    return
  }
  const image = 'source' in part ? encodeMedia(part, at, encoding) : undefined
  const text = image === undefined ? textOf(part, at, encoding) : undefined
  if (image !== undefined) into.images.push(image)
  if (text !== undefined) into.texts.push(text)
  if (image !== undefined || text !== undefined) reportBeside(part, at, encoding)
}

/** What stands beside the words of a part has no field. */
function reportBeside(part: Part, at: Path, encoding: Encoding): void {
  reportBare(part, at, encoding)
  if (part.type === 'reasoning' && part.summary) encoding.lose('no-field', below(at, 'summary'))
}

/** What a part says as text; undefined where it leaves nothing to send. */
function textOf(part: Part, at: Path, encoding: Encoding): string | undefined {
  switch (part.type) {
    case 'text':
      if ((part.citations?.length ?? 0) > 0) encoding.lose('citations-dropped', below(at, 'citations'))
      return part.text
    case 'refusal':
      encoding.lose('refusal-as-text', at)
      return part.text
    case 'json':
      encoding.lose('json-as-text', at)
      return JSON.stringify(part.value)
    case 'reasoning':
      return thoughtInWords(part, at, encoding)
    case 'tool-call':
    case 'tool-result':
      encoding.lose('foreign-provider-call', at)
      return part.type === 'tool-call' ? describeProviderCall(part) : describeProviderResult(part)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return mediaInWords(part, at, encoding)
    case 'opaque':
      encoding.lose('foreign-opaque', at)
      return undefined
  }
}

/** This format has no order between thoughts, images, text and calls. */
function reportOrder(parts: readonly Part[], at: Path | undefined, encoding: Encoding): void {
  const moved = parts.findIndex((part, index) => index > 0 && rankOf(part) < rankOf(parts[index - 1] ?? part))
  if (moved !== -1) encoding.lose('order-lost', below(at, moved))
}

/** Where a part goes in the order of the server. */
export function rankOf(part: Part): number {
  return part.type === 'tool-call' && part.executedBy === 'provider' ? 2 : ranks[part.type]
}
