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

/** What thoughts remember of the item that followed them. */
function createFollowerHint(item: Json, next: Json | undefined): Hints<OpenAIResponsesHint> {
  if (!isReasoningItem(item)) return NO_HINTS
  if (next === undefined) return { lastItem: true }
  const id = getItemId(next)
  return typeof id === 'string' ? { nextItemId: id } : NO_HINTS
}

/** What an item remembers of the thoughts that stood before it. */
export function createLeaderHint(before: Json | undefined): Hints<OpenAIResponsesHint> {
  const id = isReasoningItem(before) ? getItemId(before) : undefined
  return typeof id === 'string' ? { previousReasoningId: id } : NO_HINTS
}

/** What an item remembers of its neighbours: mostly nothing. */
export function createNeighborHints(items: readonly Json[], index: number): Hints<OpenAIResponsesHint> {
  const leader = createLeaderHint(items[index - 1])
  const follower = createFollowerHint(items[index] ?? null, items[index + 1])
  return follower === NO_HINTS ? leader : { ...follower, ...leader }
}

/** An item that goes out, the part that it begins with, and how to write it without its id. */
export interface EncodedItem {
  readonly item: JsonObject
  readonly firstPart: PlacedPart<AssistantPart>
  readonly encodeWithoutId: (() => readonly JsonObject[]) | undefined
}

/**
 * Thoughts are refused without the item that followed them, and an item is refused by its id without the thoughts that
 * stood before it.
 */
export function pairItems(made: readonly EncodedItem[], context: EncodeContext): readonly JsonObject[] {
  if (!made.some(isReasoningPaired)) return made.map(({ item }) => item)
  const kept: EncodedItem[] = []
  for (const each of made.toReversed()) {
    const { firstPart: head } = each
    const { lastItem, nextItemId: next } = getHints(head.part, DIALECT_SLOT)
    const follower = kept[0]
    const fits =
      lastItem === true ||
      (follower !== undefined && (next === undefined || getItemId(follower.item) === next))
    if (head.part.type === 'reasoning' && !fits) context.report('unpaired-reasoning', head.path)
    else kept.unshift(each)
  }
  return kept.flatMap(({ item, firstPart, encodeWithoutId }, index) => {
    const { previousReasoningId: after } = getHints(firstPart.part, DIALECT_SLOT)
    const before = kept[index - 1]?.item
    const alone =
      after !== undefined && !(before !== undefined && isReasoningItem(before) && getItemId(before) === after)
    if (!alone || encodeWithoutId === undefined || !isIdOptional(item)) return [item]
    context.report('item-id-dropped', firstPart.path)
    return encodeWithoutId()
  })
}

/** Whether an item is thoughts, or remembers some. */
function isReasoningPaired({ firstPart: { part } }: EncodedItem): boolean {
  return part.type === 'reasoning' || getHints(part, DIALECT_SLOT)['previousReasoningId'] !== undefined
}

function getItemId(item: Json | undefined): unknown {
  return isObject(item) ? item['id'] : undefined
}

function isReasoningItem(item: Json | undefined): boolean {
  return isObject(item) && item['type'] === 'reasoning'
}

/** Items that may go without an id, and have one. */
function isIdOptional(item: JsonObject): boolean {
  const free = ['message', 'function_call', 'custom_tool_call'].includes(toStringOrEmpty(item['type']))
  return free && item['id'] !== undefined
}
