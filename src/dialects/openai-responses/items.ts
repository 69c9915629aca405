import type { AssistantPart, ReasoningPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { BodyKind } from '../engine/unsupported-policy.ts'
import { digestText } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { createFallback } from '../engine/content-fallback.ts'
import {
  decodeAssistantMessage,
  encodeEasyInputMessage,
  encodeAssistantMessage,
  isItemStart,
  isItemContinuation,
  isTextOrRefusalPart,
  type PartInMessageItem,
} from './assistant-message.ts'
import { itemIdPrefixes, DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { type EncodedItem, type ItemParts, createNeighborHints, enforceItemPairing } from './item-pairing.ts'
import type { PartWithPath } from '../shared/item-reasoning.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'
import {
  decodeProviderCall,
  encodeProviderCall,
  getProviderItemType,
  isResultInCallItem,
} from './provider-tools.ts'
import { decodeReasoning, encodeReasoning, reasoningItemCodec } from './reasoning.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { decodeToolResult, encodeToolResult, isFromSeparateItem } from './tool-results.ts'
import { decodeUsualModelItem } from './usual-form-decoder.ts'

/** Decodes the items of one turn of the model, with hints that pair a reasoning item with the item after it. */
export function decodeItems(items: readonly Json[], bodyKind: BodyKind): readonly AssistantPart[] {
  const parts: AssistantPart[] = []
  let index = 0
  for (const item of items) pushAll(parts, decodeItem(item, bodyKind, createNeighborHints(items, index++)))
  return parts
}

/** Decodes an item; an unknown one is kept as an opaque part. */
export function decodeItem(
  item: Json,
  bodyKind: BodyKind,
  neighborHints: OpenAIResponsesHints = {},
): readonly AssistantPart[] {
  if (!isObject(item)) return [createOpaquePart(DIALECT_SLOT, item)]
  const usual =
    bodyKind === 'request' && isEmptyObject(neighborHints) ? decodeUsualModelItem(item) : undefined
  if (usual !== undefined) return [usual]
  const missingDefaults = bodyKind === 'response' && lacksRequiredField(item)
  const hints = missingDefaults ? { ...neighborHints, missingDefaults } : neighborHints
  const wire = bodyKind === 'response' && !missingDefaults ? omitRequiredStatus(item) : item
  return (
    readItem(wire, bodyKind, hints)?.map((part) => freezeOwned(part)) ?? [
      createOpaquePart(DIALECT_SLOT, item),
    ]
  )
}

function readItem(
  wire: JsonObject,
  bodyKind: BodyKind,
  hints: OpenAIResponsesHints,
): readonly AssistantPart[] | undefined {
  const { type } = wire
  if (type === 'message' || (type === undefined && bodyKind === 'request'))
    return decodeAssistantMessage(wire, bodyKind, hints)
  if (type === 'reasoning') return decodeReasoning(wire, hints)
  const isPlainCall = type === 'function_call' || type === 'custom_tool_call'
  const providerParts = isPlainCall ? undefined : decodeProviderCall(wire, hints)
  if (providerParts !== undefined) return providerParts
  const part = isPlainCall ? decodeToolCall(wire, hints) : decodeToolResult(wire)
  return part && [part]
}

/** The field, besides the id, that a function call of a response must have; any other call may omit it. */
const requiredStatus = { status: 'completed' } as const

/** Returns true if an item lacks a field that a response requires; some hosts omit them. */
function lacksRequiredField(item: JsonObject): boolean {
  return item['id'] === undefined || (item['type'] === 'function_call' && item['status'] === undefined)
}

function omitRequiredStatus(item: JsonObject): JsonObject {
  if (item['type'] !== 'function_call' || item['status'] !== requiredStatus.status) return item
  const { status: _status, ...rest } = item
  return rest
}

/** The context of encoding items: the kind of body, and the seed of the ids that a response requires. */
interface ItemEncodeContext {
  readonly bodyKind: BodyKind
  readonly context: EncodeContext
  readonly idSeed?: string
}

/** Encodes the parts of one turn of the model as items; `path` is the path of the list of parts. */
export function encodeItems(
  parts: readonly AssistantPart[],
  path: Path | undefined,
  { bodyKind, context, idSeed = '' }: ItemEncodeContext,
): readonly JsonObject[] {
  const groups: [PartWithPath<AssistantPart>, ...PartWithPath<AssistantPart>[]][] = []
  let index = 0
  for (const original of parts) {
    const partPath = child(path, index++)
    const part = convertPart(original, partPath, context, bodyKind)
    if (part === undefined) continue
    const group = groups.at(-1)
    if (group !== undefined && isSameItem(part, group, bodyKind)) group.push({ part, path: partPath })
    else groups.push([{ part, path: partPath }])
  }
  const encodedItems: EncodedItem[] = []
  for (const group of groups) {
    const item = encodeGroup(group, bodyKind, context)
    if (item !== undefined) encodedItems.push({ item, group })
  }
  if (bodyKind === 'request') return enforceItemPairing(encodedItems, context)
  return encodedItems.map(({ item, group: [{ part }] }, place) => completeItem(item, part, place, idSeed))
}

/** Returns the part that is written for a part; undefined if it is omitted. */
function convertPart(
  part: AssistantPart,
  path: Path,
  context: EncodeContext,
  bodyKind: BodyKind,
): AssistantPart | undefined {
  if (part.type === 'reasoning' && bodyKind === 'response' && reasoningItemCodec.isShown(part, context))
    return reasoningItemCodec.toSummary(part, path, context)
  if (!isUnsupportedPart(part)) return part
  const fallback = createFallback(part, path, context)
  return fallback?.type === 'reasoning' ? convertPart(fallback, path, context, bodyKind) : fallback
}

/** Returns whether the dialect has no item for a part, which is then described as text or omitted. */
export function isUnsupportedPart(part: AssistantPart): boolean {
  switch (part.type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return true
    case 'text':
    case 'refusal':
      return false
    case 'reasoning':
      return !reasoningItemCodec.isOwn(part)
    case 'tool-call':
      return part.executedBy === 'provider' && getProviderItemType(part) === undefined
    case 'tool-result':
      return !isFromSeparateItem(part) && getHints(part, DIALECT_SLOT)['resultInCallItem'] !== true
    case 'opaque':
      return part.dialect !== DIALECT_SLOT
  }
}

/** Returns whether a part joins the item of the parts before it. */
function isSameItem(part: AssistantPart, group: ItemParts, bodyKind: BodyKind): boolean {
  const [{ part: head }] = group
  if (head.type === 'tool-call')
    return group.length === 1 && getProviderItemType(head) !== undefined && isResultInCallItem(part, head)
  if (head.type === 'reasoning')
    return (
      part.type === 'reasoning' &&
      isItemContinuation(part) &&
      getHints(head, DIALECT_SLOT)['startsItem'] === 'reasoning'
    )
  if (!isMessagePart(head) || !isMessagePart(part)) return false
  if (isItemContinuation(part)) return isItemStart(head) || bodyKind === 'response'
  return bodyKind === 'response' && !isItemStart(part)
}

/** Returns true for text, refusals, and unknown content of a message item. */
function isMessagePart(part: AssistantPart): boolean {
  return (
    isTextOrRefusalPart(part) || (part.type === 'opaque' && (isItemStart(part) || isItemContinuation(part)))
  )
}

function encodeGroup(group: ItemParts, bodyKind: BodyKind, context: EncodeContext): JsonObject | undefined {
  const [{ part, path }, second] = group
  if (part.type === 'reasoning')
    return encodeReasoning(group as readonly PartWithPath<ReasoningPart>[], context)
  if (part.type === 'tool-call') {
    if (getProviderItemType(part) === undefined) return encodeToolCall(part, path, context, bodyKind)
    const paths = { call: path, result: second?.path }
    return encodeProviderCall(part, second?.part as ToolResultPart | undefined, paths, context)
  }
  if (part.type === 'tool-result') return encodeToolResult(part, undefined, path, context)
  // An opaque value that is not an object is sent back unchanged, too.
  if (part.type === 'opaque' && !isMessagePart(part)) return part.value as JsonObject
  if (bodyKind === 'request' && isTextOrRefusalPart(part) && !isItemStart(part))
    return encodeEasyInputMessage(part, path, context)
  return encodeAssistantMessage(group as readonly PartWithPath<PartInMessageItem>[], bodyKind, context)
}

/** Adds the fields that an item of a response requires, unless it was received without them. */
function completeItem(item: JsonObject, head: AssistantPart, index: number, seed: string): JsonObject {
  const isOpaqueItem = head.type === 'opaque' && !isMessagePart(head)
  if (isOpaqueItem || getHints(head, DIALECT_SLOT)['missingDefaults'] === true) return item
  const id = createItemId(item['type'], index, seed)
  return item['type'] === 'function_call' ? { id, ...requiredStatus, ...item } : { id, ...item }
}

/** Creates an item id that is the same each time the same response is encoded. */
export function createItemId(type: Json | undefined, index: number, seed: string): string {
  return `${itemIdPrefixes.get(type) ?? 'item_'}${digestText(JSON.stringify([seed, index])).slice(0, 40)}`
}
