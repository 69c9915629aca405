import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { equalJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { thoughtInWords } from '../shared/thoughts.ts'
import type { Encoding } from '../encoding.ts'
import { describeProviderCall, describeProviderResult, mediaInWords } from '../shared/describe.ts'
import { hintsFor } from '../unit.ts'
import { decodeCall, encodeCall } from './calls.ts'
import { idPrefixes, requiredFields, SLOT } from './codes.ts'
import { decodeHosted, encodeHosted, hostedKind, isOutcome } from './hosted.ts'
import { type Made, neighbourHints, paired } from './pairing.ts'
import { decodeReasoning, encodeReasoning, isOwn } from './reasoning.ts'
import { decodeResult, encodeResult, isItem } from './results.ts'
import {
  decodeSaid,
  encodeEasy,
  encodeSaid,
  isHead,
  isJoiner,
  type Placed,
  type SaidPart,
  type Side,
} from './said.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the items of one turn of the model. Thoughts and the item after them know each other. */
export function decodeRun(items: readonly Json[], side: Side): readonly AssistantPart[] {
  return items.flatMap((item, index) => decodeItem(item, side, neighbourHints(items, index)))
}

/** Reads an item; one that we do not model is kept as it is. */
export function decodeItem(
  item: Json,
  side: Side,
  given: Hints<OpenAIResponsesHint> = {},
): readonly AssistantPart[] {
  if (!isObject(item)) return [opaque(item)]
  const bare = side === 'response' && isBare(item)
  const hints = bare ? { ...given, missingDefaults: true } : given
  const wire = side === 'response' && !bare ? withoutRequired(item) : item
  return readItem(wire, side, hints)?.map((part) => sealOwn(part)) ?? [opaque(item)]
}

function opaque(item: Json): AssistantPart {
  return sealOwn({ type: 'opaque', dialect: SLOT, value: item })
}

function readItem(
  wire: Wire,
  side: Side,
  hints: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const { type } = wire
  if (type === 'message' || (type === undefined && side === 'request')) return decodeSaid(wire, side, hints)
  if (type === 'reasoning') return decodeReasoning(wire, hints)
  if (type === 'function_call' || type === 'custom_tool_call') return listed(decodeCall(wire, hints))
  return decodeHosted(wire, hints) ?? listed(decodeResult(wire))
}

function listed<T>(part: T | undefined): readonly T[] | undefined {
  return part === undefined ? undefined : [part]
}

function requiredOf({ type }: Wire): JsonObject {
  return typeof type === 'string' && Object.hasOwn(requiredFields, type) ? (requiredFields[type] ?? {}) : {}
}

/** Some hosts leave out what an item of a response must have. */
function isBare(item: Wire): boolean {
  return ['id', ...Object.keys(requiredOf(item))].some((key) => !Object.hasOwn(item, key))
}

function withoutRequired(item: Wire): JsonObject {
  const required = requiredOf(item)
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) => !(Object.hasOwn(required, key) && equalJson(required[key], value)),
    ),
  )
}

/** How items are written: on which side, and what an id is made of where a response needs one. */
export interface ItemWriting {
  readonly side: Side
  readonly encoding: Encoding
  readonly seed?: string
}

/** Writes the parts of one turn of the model as items; `at` is where the parts stand. */
export function encodeRun(
  parts: readonly AssistantPart[],
  at: Path | undefined,
  writing: ItemWriting,
): readonly JsonObject[] {
  const sayable: Placed<AssistantPart>[] = []
  for (const [index, part] of parts.entries()) {
    const here = below(at, index)
    const said = inWords(part, here, writing.encoding)
    if (said !== undefined) sayable.push({ part: said, at: here })
  }
  const made: Made[] = []
  for (let index = 0; index < sayable.length;) {
    const group = groupAt(sayable, index, writing.side)
    const item = writeGroup(group, writing)
    if (item !== undefined) made.push(item)
    index += group.length
  }
  if (writing.side === 'request') return paired(made, writing.encoding)
  return made.map(({ item, head }, index) => whole(item, head.part, index, writing.seed ?? ''))
}

/** A part as it can be said: what this format has no item for is told in words, or dropped. */
function inWords(part: AssistantPart, at: Path | undefined, encoding: Encoding): AssistantPart | undefined {
  const text = wordsFor(part, at, encoding)
  return text === false ? part : text === undefined ? undefined : { type: 'text', text }
}

/** The words for a part; undefined where it is dropped, false where it needs none. */
export function wordsFor(
  part: AssistantPart,
  at: Path | undefined,
  encoding: Encoding,
): string | undefined | false {
  switch (part.type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return mediaInWords(part, at, encoding)
    case 'reasoning':
      return isOwn(part) ? false : thoughtInWords(part, at, encoding)
    case 'tool-call':
      if (part.executedBy !== 'provider' || hostedKind(part) !== undefined) return false
      encoding.lose('foreign-provider-call', at)
      return describeProviderCall(part)
    case 'tool-result':
      if (isItem(part) || hintsFor(part, SLOT)['resultInCallItem'] === true) return false
      encoding.lose('foreign-provider-call', at)
      return describeProviderResult(part)
    case 'opaque':
      if (part.dialect === SLOT) return false
      encoding.lose('foreign-opaque', at)
      return undefined
    case 'text':
    case 'refusal':
      return false
  }
}

/** The parts from a place on that are one item. */
function groupAt(
  parts: readonly Placed<AssistantPart>[],
  start: number,
  side: Side,
): readonly Placed<AssistantPart>[] {
  const first = parts[start]
  if (first === undefined) return []
  const { part } = first
  if (part.type === 'tool-call') {
    const next = parts[start + 1]
    const outcome = hostedKind(part) !== undefined && next !== undefined && isOutcome(next.part, part)
    return parts.slice(start, start + (outcome ? 2 : 1))
  }
  let end = start + 1
  while (end < parts.length && joins(parts[end]?.part, part, side)) end += 1
  return parts.slice(start, end)
}

function joins(part: AssistantPart | undefined, head: AssistantPart, side: Side): boolean {
  if (part === undefined) return false
  if (head.type === 'reasoning')
    return (
      part.type === 'reasoning' &&
      hintsFor(part, SLOT)['continuesItem'] === true &&
      hintsFor(head, SLOT)['startsItem'] === 'reasoning'
    )
  if (!standsInMessage(head) || !standsInMessage(part)) return false
  if (isJoiner(part)) return isHead(head) || side === 'response'
  return side === 'response' && !isHead(part)
}

/** Text, refusals, and content of a message item that we do not model. */
function standsInMessage(part: AssistantPart): boolean {
  if (part.type === 'opaque') return isHead(part) || isJoiner(part)
  return part.type === 'text' || part.type === 'refusal'
}

function writeGroup(group: readonly Placed<AssistantPart>[], writing: ItemWriting): Made | undefined {
  const [head, second] = group
  if (head === undefined) return undefined
  const { part, at } = head
  const { side, encoding } = writing
  const one = (item: JsonObject | undefined, anonymous?: Made['anonymous']): Made | undefined =>
    item && { item, head, anonymous }
  if (part.type === 'reasoning')
    return one(encodeReasoning(group as readonly Placed<ReasoningPart>[], encoding))
  if (part.type === 'tool-call') {
    const item = writeCall(part, at, second, writing)
    return one(item, () => [withoutId(item)])
  }
  if (part.type === 'tool-result') return one(encodeResult(part, undefined, at, encoding))
  // What came as something else than an object goes back as that.
  if (part.type === 'opaque' && !standsInMessage(part))
    return { item: part.value as JsonObject, head, anonymous: undefined }
  const said = group as readonly Placed<SaidPart>[]
  if (side === 'request' && (part.type === 'text' || part.type === 'refusal') && !isHead(part))
    return one(encodeEasy(part, at, encoding))
  return one(encodeSaid(said, side, encoding), () => easyItems(said, encoding))
}

function writeCall(
  call: ToolCallPart,
  at: Path | undefined,
  outcome: Placed<AssistantPart> | undefined,
  { side, encoding }: ItemWriting,
): JsonObject {
  if (hostedKind(call) === undefined) return encodeCall(call, at, encoding, side)
  const result = outcome?.part as ToolResultPart | undefined
  return encodeHosted(call, result, { call: at, result: outcome?.at }, encoding)
}

function withoutId({ id: _id, ...item }: JsonObject): JsonObject {
  return item
}

function easyItems(said: readonly Placed<SaidPart>[], encoding: Encoding): readonly JsonObject[] {
  return said.flatMap(({ part, at }) => {
    const made = part.type === 'opaque' ? undefined : encodeEasy(part, at, encoding, true)
    return made === undefined ? [] : [made]
  })
}

/** An item of a response with everything that it must have, unless it came without. */
function whole(item: JsonObject, head: AssistantPart, index: number, seed: string): JsonObject {
  const verbatim = head.type === 'opaque' && !standsInMessage(head)
  if (verbatim || hintsFor(head, SLOT)['missingDefaults'] === true) return item
  return { id: derivedId(item['type'], index, seed), ...requiredOf(item), ...item }
}

/** An id for an item that has none: the same each time the same response is written. */
export function derivedId(type: Json | undefined, index: number, seed: string): string {
  return `${idPrefixes.get(type) ?? 'item_'}${digestText(JSON.stringify([seed, index])).slice(0, 40)}`
}
