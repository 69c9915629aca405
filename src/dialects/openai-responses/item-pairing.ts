import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { PlacedPart } from './assistant-message.ts'
import { toStringOrEmpty } from '../shared/read-wire.ts'
import type { OpenAIResponsesHint } from './hints.ts'

const NO_HINTS: Hints<OpenAIResponsesHint> = Object.freeze({})

/** Creates the hint of a reasoning item about the item after it. */
function createFollowerHint(item: Json, next: Json | undefined): Hints<OpenAIResponsesHint> {
  if (!isReasoningItem(item)) return NO_HINTS
  if (next === undefined) return { lastItem: true }
  const id = getItemId(next)
  return typeof id === 'string' ? { nextItemId: id } : NO_HINTS
}

/** Creates the hint of an item about the reasoning item before it. */
export function createLeaderHint(previous: Json | undefined): Hints<OpenAIResponsesHint> {
  const id = isReasoningItem(previous) ? getItemId(previous) : undefined
  return typeof id === 'string' ? { previousReasoningId: id } : NO_HINTS
}

/** Creates the hints of an item about its neighbors; most items have none. */
export function createNeighborHints(items: readonly Json[], index: number): Hints<OpenAIResponsesHint> {
  const leader = createLeaderHint(items[index - 1])
  const follower = createFollowerHint(items[index] ?? null, items[index + 1])
  return follower === NO_HINTS ? leader : { ...follower, ...leader }
}

/** An encoded item, the first part that it contains, and a function that encodes it without its id. */
export interface EncodedItem {
  readonly item: JsonObject
  readonly firstPart: PlacedPart<AssistantPart>
  readonly encodeWithoutId: (() => readonly JsonObject[]) | undefined
}

/**
 * Omits reasoning items and ids that the provider would reject: it rejects a reasoning item without the item
 * that followed it, and an item with an id without the reasoning item that preceded it.
 */
export function pairItems(encoded: readonly EncodedItem[], context: EncodeContext): readonly JsonObject[] {
  if (!encoded.some(isReasoningPaired)) return encoded.map(({ item }) => item)
  const kept: EncodedItem[] = []
  for (const each of encoded.toReversed()) {
    const { firstPart } = each
    const { lastItem, nextItemId: next } = getHints(firstPart.part, DIALECT_SLOT)
    const follower = kept[0]
    const isFollowerPresent =
      lastItem === true ||
      (follower !== undefined && (next === undefined || getItemId(follower.item) === next))
    if (firstPart.part.type === 'reasoning' && !isFollowerPresent)
      context.report('unpaired-reasoning', firstPart.path)
    else kept.unshift(each)
  }
  return kept.flatMap(({ item, firstPart, encodeWithoutId }, index) => {
    const { previousReasoningId: previousId } = getHints(firstPart.part, DIALECT_SLOT)
    const previousItem = kept[index - 1]?.item
    const isPreviousMissing =
      previousId !== undefined &&
      !(previousItem !== undefined && isReasoningItem(previousItem) && getItemId(previousItem) === previousId)
    if (!isPreviousMissing || encodeWithoutId === undefined || !isIdOptional(item)) return [item]
    context.report('item-id-dropped', firstPart.path)
    return encodeWithoutId()
  })
}

/** Returns true if an item is reasoning or was preceded by reasoning. */
function isReasoningPaired({ firstPart: { part } }: EncodedItem): boolean {
  return part.type === 'reasoning' || getHints(part, DIALECT_SLOT)['previousReasoningId'] !== undefined
}

function getItemId(item: Json | undefined): unknown {
  return isObject(item) ? item['id'] : undefined
}

function isReasoningItem(item: Json | undefined): boolean {
  return isObject(item) && item['type'] === 'reasoning'
}

/** Returns true if an item has an id that may be omitted. */
function isIdOptional(item: JsonObject): boolean {
  const isOptional = ['message', 'function_call', 'custom_tool_call'].includes(toStringOrEmpty(item['type']))
  return isOptional && item['id'] !== undefined
}
