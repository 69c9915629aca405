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

/** Decodes the items of one turn of the model, with hints that pair a reasoning item with the item after it. */
export function decodeItems(items: readonly Json[], bodyKind: BodyKind): readonly AssistantPart[] {
  return items.flatMap((item, index) => decodeItem(item, bodyKind, createNeighborHints(items, index)))
}

/** Decodes an item; an unknown one is kept as an opaque part. */
export function decodeItem(
  item: Json,
  bodyKind: BodyKind,
  neighborHints: Hints<OpenAIResponsesHint> = {},
): readonly AssistantPart[] {
  if (!isObject(item)) return [createOpaquePart(item)]
  const lacksRequiredFields = bodyKind === 'response' && lacksRequiredField(item)
  const hints = lacksRequiredFields ? { ...neighborHints, missingDefaults: true } : neighborHints
  const wire = bodyKind === 'response' && !lacksRequiredFields ? omitRequiredDefaults(item) : item
  return readItem(wire, bodyKind, hints)?.map((part) => freezeOwned(part)) ?? [createOpaquePart(item)]
}

function createOpaquePart(item: Json): AssistantPart {
  return freezeOwned({ type: 'opaque', dialect: DIALECT_SLOT, value: item })
}

function readItem(
  wire: JsonObject,
  bodyKind: BodyKind,
  hints: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const { type } = wire
  if (type === 'message' || (type === undefined && bodyKind === 'request'))
    return decodeAssistantMessage(wire, bodyKind, hints)
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

/** Returns true if an item lacks a field that a response requires; some hosts omit them. */
function lacksRequiredField(item: JsonObject): boolean {
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

/** The context of encoding items: the kind of body, and the seed of the ids that a response requires. */
export interface ItemEncodeContext {
  readonly bodyKind: BodyKind
  readonly context: EncodeContext
  readonly idSeed?: string
}

/** Encodes the parts of one turn of the model as items; `path` is the path of the list of parts. */
export function encodeItems(
  parts: readonly AssistantPart[],
  path: Path | undefined,
  itemContext: ItemEncodeContext,
): readonly JsonObject[] {
  const placedParts: PlacedPart<AssistantPart>[] = []
  for (const [index, part] of parts.entries()) {
    const partPath = child(path, index)
    const supportedPart = toTextFallback(part, partPath, itemContext.context)
    if (supportedPart !== undefined) placedParts.push({ part: supportedPart, path: partPath })
  }
  const encodedItems: EncodedItem[] = []
  for (let index = 0; index < placedParts.length;) {
    const group = takeGroup(placedParts, index, itemContext.bodyKind)
    const item = writeGroup(group, itemContext)
    if (item !== undefined) encodedItems.push(item)
    index += group.length
  }
  if (itemContext.bodyKind === 'request') return pairItems(encodedItems, itemContext.context)
  return encodedItems.map(({ item, firstPart }, index) =>
    completeItem(item, firstPart.part, index, itemContext.idSeed ?? ''),
  )
}

/**
 * Returns the part, or a text part that describes it if the format has no item for it; undefined if it is
 * dropped.
 */
function toTextFallback(
  part: AssistantPart,
  path: Path | undefined,
  context: EncodeContext,
): AssistantPart | undefined {
  const text = createTextFallback(part, path, context)
  return text === false ? part : text === undefined ? undefined : { type: 'text', text }
}

/**
 * Returns the text that describes a part; undefined if the part is dropped, false if the format has an item
 * for it.
 */
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

/** Returns the parts, from an index on, that form one item. */
function takeGroup(
  parts: readonly PlacedPart<AssistantPart>[],
  start: number,
  bodyKind: BodyKind,
): readonly PlacedPart<AssistantPart>[] {
  const first = parts[start]
  if (first === undefined) return []
  const { part } = first
  if (part.type === 'tool-call') {
    const next = parts[start + 1]
    const hasResult =
      getProviderItemType(part) !== undefined && next !== undefined && isOwnResult(next.part, part)
    return parts.slice(start, start + (hasResult ? 2 : 1))
  }
  let end = start + 1
  while (end < parts.length && isSameItem(parts[end]?.part, part, bodyKind)) end += 1
  return parts.slice(start, end)
}

function isSameItem(part: AssistantPart | undefined, head: AssistantPart, bodyKind: BodyKind): boolean {
  if (part === undefined) return false
  if (head.type === 'reasoning')
    return (
      part.type === 'reasoning' &&
      getHints(part, DIALECT_SLOT)['continuesItem'] === true &&
      getHints(head, DIALECT_SLOT)['startsItem'] === 'reasoning'
    )
  if (!isMessagePart(head) || !isMessagePart(part)) return false
  if (isItemContinuation(part)) return isItemStart(head) || bodyKind === 'response'
  return bodyKind === 'response' && !isItemStart(part)
}

/** Returns true for text, refusals, and unknown content of a message item. */
function isMessagePart(part: AssistantPart): boolean {
  if (part.type === 'opaque') return isItemStart(part) || isItemContinuation(part)
  return part.type === 'text' || part.type === 'refusal'
}

function writeGroup(
  group: readonly PlacedPart<AssistantPart>[],
  itemContext: ItemEncodeContext,
): EncodedItem | undefined {
  const [head, second] = group
  if (head === undefined) return undefined
  const { part, path } = head
  const { bodyKind, context } = itemContext
  const createEncodedItem = (
    item: JsonObject | undefined,
    encodeWithoutId?: EncodedItem['encodeWithoutId'],
  ): EncodedItem | undefined => item && { item, firstPart: head, encodeWithoutId }
  if (part.type === 'reasoning')
    return createEncodedItem(encodeReasoning(group as readonly PlacedPart<ReasoningPart>[], context))
  if (part.type === 'tool-call') {
    const item = writeCall(part, path, second, itemContext)
    return createEncodedItem(item, () => [omitId(item)])
  }
  if (part.type === 'tool-result') return createEncodedItem(encodeToolResult(part, undefined, path, context))
  // An opaque value that is not an object is sent back unchanged, too.
  if (part.type === 'opaque' && !isMessagePart(part))
    return { item: part.value as JsonObject, firstPart: head, encodeWithoutId: undefined }
  const messageParts = group as readonly PlacedPart<MessageItemPart>[]
  if (bodyKind === 'request' && (part.type === 'text' || part.type === 'refusal') && !isItemStart(part))
    return createEncodedItem(encodeEasyMessage(part, path, context))
  return createEncodedItem(encodeAssistantMessage(messageParts, bodyKind, context), () =>
    encodeEasyItems(messageParts, context),
  )
}

function writeCall(
  call: ToolCallPart,
  path: Path | undefined,
  resultPart: PlacedPart<AssistantPart> | undefined,
  { bodyKind, context }: ItemEncodeContext,
): JsonObject {
  if (getProviderItemType(call) === undefined) return encodeToolCall(call, path, context, bodyKind)
  const result = resultPart?.part as ToolResultPart | undefined
  return encodeProviderCall(call, result, { call: path, result: resultPart?.path }, context)
}

function omitId({ id: _id, ...item }: JsonObject): JsonObject {
  return item
}

function encodeEasyItems(
  messageParts: readonly PlacedPart<MessageItemPart>[],
  context: EncodeContext,
): readonly JsonObject[] {
  return messageParts.flatMap(({ part, path }) => {
    const made = part.type === 'opaque' ? undefined : encodeEasyMessage(part, path, context, true)
    return made === undefined ? [] : [made]
  })
}

/** Adds the fields that an item of a response requires, unless it was received without them. */
function completeItem(item: JsonObject, head: AssistantPart, index: number, seed: string): JsonObject {
  const isOpaqueItem = head.type === 'opaque' && !isMessagePart(head)
  if (isOpaqueItem || getHints(head, DIALECT_SLOT)['missingDefaults'] === true) return item
  return { id: createItemId(item['type'], index, seed), ...getRequiredFields(item), ...item }
}

/** Creates an item id that is the same each time the same response is encoded. */
export function createItemId(type: Json | undefined, index: number, seed: string): string {
  return `${itemIdPrefixes.get(type) ?? 'item_'}${digestText(JSON.stringify([seed, index])).slice(0, 40)}`
}
