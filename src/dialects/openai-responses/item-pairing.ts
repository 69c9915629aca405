import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { addHints, getHints } from '../engine/residue-slots.ts'
import type { PartWithPath } from '../shared/item-reasoning.ts'
import { encodeEasyInputMessage, isItemStart, isTextOrRefusalPart } from './assistant-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

const NO_HINTS: OpenAIResponsesHints = Object.freeze({})

/** The id of an item that was not known when the item before it ended. */
const UNKNOWN_ID = ''

/** Creates the hint of a reasoning item about the item after it. */
function createFollowerHint(item: Json | undefined, next: Json | undefined): OpenAIResponsesHints {
  if (!isReasoningItem(item)) return NO_HINTS
  if (next === undefined) return { lastItem: true }
  const id = getItemId(next)
  return typeof id === 'string' ? { nextItemId: id } : NO_HINTS
}

/** Creates the hint of an item about the reasoning item before it. */
function createPreviousReasoningHint(previous: Json | undefined): OpenAIResponsesHints {
  const id = isReasoningItem(previous) ? getItemId(previous) : undefined
  return typeof id === 'string' ? { previousReasoningId: id } : NO_HINTS
}

/** Creates the hints of an item of a stream: the item after it is not known yet. */
export function createStreamedItemHints(item: Json, previous: Json | undefined): OpenAIResponsesHints {
  const leader = createPreviousReasoningHint(previous)
  const isIdentified = isReasoningItem(item) && typeof getItemId(item) === 'string'
  return isIdentified ? { ...leader, nextItemId: UNKNOWN_ID } : leader
}

/** Creates the hints of an item about its neighbors; most items have none. */
export function createNeighborHints(items: readonly Json[], index: number): OpenAIResponsesHints {
  const leader = createPreviousReasoningHint(items[index - 1])
  const follower = createFollowerHint(items[index], items[index + 1])
  return follower === NO_HINTS ? leader : { ...follower, ...leader }
}

/**
 * Returns reasoning that may be sent with another item after it than the one that followed it: the history of a client in another
 * format contains no ids of items. The provider accepts that for encrypted reasoning.
 */
export function unlinkReasoning(part: ReasoningPart): ReasoningPart {
  const { nextItemId } = getHints(part, DIALECT_SLOT)
  return nextItemId === undefined ? part : addHints(part, DIALECT_SLOT, { lastItem: true })
}

/** An encoded item and the parts that it contains. */
export interface EncodedItem {
  readonly item: JsonObject
  readonly group: ItemParts
}

/** The parts of one item. */
export type ItemParts = readonly [PartWithPath<AssistantPart>, ...PartWithPath<AssistantPart>[]]

/**
 * Omits reasoning items and ids that the provider would reject: it rejects a reasoning item without the item
 * that followed it, and an item with an id without the reasoning item that preceded it.
 */
export function enforceItemPairing(
  encoded: readonly EncodedItem[],
  context: EncodeContext,
): readonly JsonObject[] {
  if (!encoded.some(isReasoningPaired)) return encoded.map(({ item }) => item)
  const keptInReverse: EncodedItem[] = []
  for (const each of encoded.toReversed()) {
    const [{ part, path }] = each.group
    const isPaired = part.type !== 'reasoning' || hasFollower(each, keptInReverse.at(-1))
    if (!isPaired) context.report('unpaired-reasoning', path)
    else keptInReverse.push(each)
  }
  const kept = keptInReverse.toReversed()
  return kept.flatMap((each, index) => {
    const [{ part, path }] = each.group
    const { previousReasoningId: id } = getHints(part, DIALECT_SLOT)
    const previous = kept[index - 1]?.item
    if (id === undefined || (isReasoningItem(previous) && getItemId(previous) === id)) return [each.item]
    if (!isIdOptional(each)) return [each.item]
    context.report('item-id-dropped', path)
    return encodeWithoutId(each, context)
  })
}

/**
 * Returns true if the item after a reasoning item is the one that followed it. In a stream, an item ends before the next
 * one is known: the next one contains the id of the reasoning before it.
 */
function hasFollower({ item, group }: EncodedItem, follower: EncodedItem | undefined): boolean {
  const { lastItem, nextItemId } = getHints(group[0].part, DIALECT_SLOT)
  if (lastItem === true) return true
  if (follower === undefined) return false
  if (nextItemId !== UNKNOWN_ID) return nextItemId === undefined || getItemId(follower.item) === nextItemId
  const [{ part }] = follower.group
  return part.type === 'opaque' || getHints(part, DIALECT_SLOT)['previousReasoningId'] === getItemId(item)
}

/** Returns true if an item is reasoning or was preceded by reasoning. */
function isReasoningPaired({ group: [{ part }] }: EncodedItem): boolean {
  return part.type === 'reasoning' || getHints(part, DIALECT_SLOT)['previousReasoningId'] !== undefined
}

function getItemId(item: Json | undefined): unknown {
  return isObject(item) ? item['id'] : undefined
}

function isReasoningItem(item: Json | undefined): boolean {
  return isObject(item) && item['type'] === 'reasoning'
}

/** Returns true if an item has an id that may be omitted. */
function isIdOptional({ item: { id, type }, group: [{ part }] }: EncodedItem): boolean {
  if (id === undefined) return false
  if (part.type === 'tool-call') return type === 'function_call' || type === 'custom_tool_call'
  return isItemStart(part) && type === 'message'
}

function encodeWithoutId({ item, group }: EncodedItem, context: EncodeContext): readonly JsonObject[] {
  const { id: _id, ...itemWithoutId } = item
  if (group[0].part.type === 'tool-call') return [itemWithoutId]
  return group
    .map(({ part, path }) =>
      isTextOrRefusalPart(part) ? encodeEasyInputMessage(part, path, context) : undefined,
    )
    .filter((made) => made !== undefined)
}
