import type {
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import {
  createReasoningTextFallback,
  describeProviderCall,
  describeProviderResult,
  createMediaTextFallback,
} from '../engine/text-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { itemIdPrefixes, requiredResponseFields, DIALECT_SLOT } from './constants.ts'
import { decodeProviderCall, encodeProviderCall, getProviderItemType, isOwnResult } from './provider-tools.ts'
import { type EncodedItem, createNeighborHints, pairItems } from './item-pairing.ts'
import { decodeReasoning, encodeReasoning, isOwnReasoning } from './reasoning.ts'
import { decodeToolResult, encodeToolResult, isResultItem } from './tool-results.ts'
import {
  decodeAssistantMessage,
  encodeEasyMessage,
  encodeAssistantMessage,
  isItemStart,
  isItemContinuation,
  type PlacedPart,
  type MessageItemPart,
  type BodyKind,
} from './assistant-message.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** Reads the items of one turn of the model. Thoughts and the item after them know each other. */
export function decodeItems(items: readonly Json[], side: BodyKind): readonly AssistantPart[] {
  return items.flatMap((item, index) => decodeItem(item, side, createNeighborHints(items, index)))
}

/** Reads an item; one that we do not model is kept as it is. */
export function decodeItem(
  item: Json,
  side: BodyKind,
  given: Hints<OpenAIResponsesHint> = {},
): readonly AssistantPart[] {
  if (!isObject(item)) return [createOpaquePart(item)]
  const bare = side === 'response' && hasNoRequiredFields(item)
  const hints = bare ? { ...given, missingDefaults: true } : given
  const wire = side === 'response' && !bare ? omitRequiredDefaults(item) : item
  return readItem(wire, side, hints)?.map((part) => freezeOwned(part)) ?? [createOpaquePart(item)]
}

function createOpaquePart(item: Json): AssistantPart {
  return freezeOwned({ type: 'opaque', dialect: DIALECT_SLOT, value: item })
}

function readItem(
  wire: JsonObject,
  side: BodyKind,
  hints: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const { type } = wire
  if (type === 'message' || (type === undefined && side === 'request'))
    return decodeAssistantMessage(wire, side, hints)
  if (type === 'reasoning') return decodeReasoning(wire, hints)
  if (type === 'function_call' || type === 'custom_tool_call') return toList(decodeToolCall(wire, hints))
  return decodeProviderCall(wire, hints) ?? toList(decodeToolResult(wire))
}

function toList<T>(part: T | undefined): readonly T[] | undefined {
  return part === undefined ? undefined : [part]
}

function getRequiredFields({ type }: JsonObject): JsonObject {
  return typeof type === 'string' && Object.hasOwn(requiredResponseFields, type)
    ? (requiredResponseFields[type] ?? {})
    : {}
}

/** Some hosts leave out what an item of a response must have. */
function hasNoRequiredFields(item: JsonObject): boolean {
  return ['id', ...Object.keys(getRequiredFields(item))].some((key) => !Object.hasOwn(item, key))
}

function omitRequiredDefaults(item: JsonObject): JsonObject {
  const required = getRequiredFields(item)
  return Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) => !(Object.hasOwn(required, key) && isEqualJson(required[key], value)),
    ),
  )
}

/** How items are written: on which side, and what an id is made of where a response needs one. */
export interface ItemEncodeContext {
  readonly bodyKind: BodyKind
  readonly context: EncodeContext
  readonly idSeed?: string
}

/** Writes the parts of one turn of the model as items; `at` is where the parts stand. */
export function encodeItems(
  parts: readonly AssistantPart[],
  path: Path | undefined,
  writing: ItemEncodeContext,
): readonly JsonObject[] {
  const sayable: PlacedPart<AssistantPart>[] = []
  for (const [index, part] of parts.entries()) {
    const here = child(path, index)
    const said = toTextFallback(part, here, writing.context)
    if (said !== undefined) sayable.push({ part: said, path: here })
  }
  const made: EncodedItem[] = []
  for (let index = 0; index < sayable.length;) {
    const group = takeGroup(sayable, index, writing.bodyKind)
    const item = writeGroup(group, writing)
    if (item !== undefined) made.push(item)
    index += group.length
  }
  if (writing.bodyKind === 'request') return pairItems(made, writing.context)
  return made.map(({ item, firstPart }, index) =>
    completeItem(item, firstPart.part, index, writing.idSeed ?? ''),
  )
}

/** A part as it can be said: what this format has no item for is told in words, or dropped. */
function toTextFallback(
  part: AssistantPart,
  path: Path | undefined,
  context: EncodeContext,
): AssistantPart | undefined {
  const text = createTextFallback(part, path, context)
  return text === false ? part : text === undefined ? undefined : { type: 'text', text }
}

/** The words for a part; undefined where it is dropped, false where it needs none. */
export function createTextFallback(
  part: AssistantPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined | false {
  switch (part.type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return createMediaTextFallback(part, path, context)
    case 'reasoning':
      return isOwnReasoning(part) ? false : createReasoningTextFallback(part, path, context)
    case 'tool-call':
      if (part.executedBy !== 'provider' || getProviderItemType(part) !== undefined) return false
      context.report('foreign-provider-call', path)
      return describeProviderCall(part)
    case 'tool-result':
      if (isResultItem(part) || getHints(part, DIALECT_SLOT)['resultInCallItem'] === true) return false
      context.report('foreign-provider-call', path)
      return describeProviderResult(part)
    case 'opaque':
      if (part.dialect === DIALECT_SLOT) return false
      context.report('foreign-opaque', path)
      return undefined
    case 'text':
    case 'refusal':
      return false
  }
}

/** The parts from a place on that are one item. */
function takeGroup(
  parts: readonly PlacedPart<AssistantPart>[],
  start: number,
  side: BodyKind,
): readonly PlacedPart<AssistantPart>[] {
  const first = parts[start]
  if (first === undefined) return []
  const { part } = first
  if (part.type === 'tool-call') {
    const next = parts[start + 1]
    const outcome =
      getProviderItemType(part) !== undefined && next !== undefined && isOwnResult(next.part, part)
    return parts.slice(start, start + (outcome ? 2 : 1))
  }
  let end = start + 1
  while (end < parts.length && isSameItem(parts[end]?.part, part, side)) end += 1
  return parts.slice(start, end)
}

function isSameItem(part: AssistantPart | undefined, head: AssistantPart, side: BodyKind): boolean {
  if (part === undefined) return false
  if (head.type === 'reasoning')
    return (
      part.type === 'reasoning' &&
      getHints(part, DIALECT_SLOT)['continuesItem'] === true &&
      getHints(head, DIALECT_SLOT)['startsItem'] === 'reasoning'
    )
  if (!isMessagePart(head) || !isMessagePart(part)) return false
  if (isItemContinuation(part)) return isItemStart(head) || side === 'response'
  return side === 'response' && !isItemStart(part)
}

/** Text, refusals, and content of a message item that we do not model. */
function isMessagePart(part: AssistantPart): boolean {
  if (part.type === 'opaque') return isItemStart(part) || isItemContinuation(part)
  return part.type === 'text' || part.type === 'refusal'
}

function writeGroup(
  group: readonly PlacedPart<AssistantPart>[],
  writing: ItemEncodeContext,
): EncodedItem | undefined {
  const [head, second] = group
  if (head === undefined) return undefined
  const { part, path } = head
  const { bodyKind, context } = writing
  const one = (
    item: JsonObject | undefined,
    anonymous?: EncodedItem['encodeWithoutId'],
  ): EncodedItem | undefined => item && { item, firstPart: head, encodeWithoutId: anonymous }
  if (part.type === 'reasoning')
    return one(encodeReasoning(group as readonly PlacedPart<ReasoningPart>[], context))
  if (part.type === 'tool-call') {
    const item = writeCall(part, path, second, writing)
    return one(item, () => [omitId(item)])
  }
  if (part.type === 'tool-result') return one(encodeToolResult(part, undefined, path, context))
  // What came as something else than an object goes back as that.
  if (part.type === 'opaque' && !isMessagePart(part))
    return { item: part.value as JsonObject, firstPart: head, encodeWithoutId: undefined }
  const said = group as readonly PlacedPart<MessageItemPart>[]
  if (bodyKind === 'request' && (part.type === 'text' || part.type === 'refusal') && !isItemStart(part))
    return one(encodeEasyMessage(part, path, context))
  return one(encodeAssistantMessage(said, bodyKind, context), () => encodeEasyItems(said, context))
}

function writeCall(
  call: ToolCallPart,
  path: Path | undefined,
  outcome: PlacedPart<AssistantPart> | undefined,
  { bodyKind, context }: ItemEncodeContext,
): JsonObject {
  if (getProviderItemType(call) === undefined) return encodeToolCall(call, path, context, bodyKind)
  const result = outcome?.part as ToolResultPart | undefined
  return encodeProviderCall(call, result, { call: path, result: outcome?.path }, context)
}

function omitId({ id: _id, ...item }: JsonObject): JsonObject {
  return item
}

function encodeEasyItems(
  said: readonly PlacedPart<MessageItemPart>[],
  context: EncodeContext,
): readonly JsonObject[] {
  return said.flatMap(({ part, path }) => {
    const made = part.type === 'opaque' ? undefined : encodeEasyMessage(part, path, context, true)
    return made === undefined ? [] : [made]
  })
}

/** An item of a response with everything that it must have, unless it came without. */
function completeItem(item: JsonObject, head: AssistantPart, index: number, seed: string): JsonObject {
  const verbatim = head.type === 'opaque' && !isMessagePart(head)
  if (verbatim || getHints(head, DIALECT_SLOT)['missingDefaults'] === true) return item
  return { id: createItemId(item['type'], index, seed), ...getRequiredFields(item), ...item }
}

/** An id for an item that has none: the same each time the same response is written. */
export function createItemId(type: Json | undefined, index: number, seed: string): string {
  return `${itemIdPrefixes.get(type) ?? 'item_'}${digestText(JSON.stringify([seed, index])).slice(0, 40)}`
}
