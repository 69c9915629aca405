import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import type { Placed } from './said.ts'
import { wordOf } from '../shared/wire-text.ts'
import type { OpenAIResponsesHint } from './hints.ts'

const NONE: Hints<OpenAIResponsesHint> = Object.freeze({})

/** What thoughts remember of the item that followed them. */
function followerHint(item: Json, next: Json | undefined): Hints<OpenAIResponsesHint> {
  if (!isThought(item)) return NONE
  if (next === undefined) return { lastItem: true }
  const id = idOf(next)
  return typeof id === 'string' ? { nextItemId: id } : NONE
}

/** What an item remembers of the thoughts that stood before it. */
export function leaderHint(before: Json | undefined): Hints<OpenAIResponsesHint> {
  const id = isThought(before) ? idOf(before) : undefined
  return typeof id === 'string' ? { previousReasoningId: id } : NONE
}

/** What an item remembers of its neighbours: mostly nothing. */
export function neighbourHints(items: readonly Json[], index: number): Hints<OpenAIResponsesHint> {
  const leader = leaderHint(items[index - 1])
  const follower = followerHint(items[index] ?? null, items[index + 1])
  return follower === NONE ? leader : { ...follower, ...leader }
}

/** An item that goes out, the part that it begins with, and how to write it without its id. */
export interface Made {
  readonly item: JsonObject
  readonly head: Placed<AssistantPart>
  readonly anonymous: (() => readonly JsonObject[]) | undefined
}

/**
 * Thoughts are refused without the item that followed them, and an item is refused by its id without the thoughts that
 * stood before it.
 */
export function paired(made: readonly Made[], encoding: Encoding): readonly JsonObject[] {
  if (!made.some(isPaired)) return made.map(({ item }) => item)
  const kept: Made[] = []
  for (const each of made.toReversed()) {
    const { head } = each
    const { lastItem, nextItemId: next } = hintsFor(head.part, SLOT)
    const follower = kept[0]
    const fits =
      lastItem === true || (follower !== undefined && (next === undefined || idOf(follower.item) === next))
    if (head.part.type === 'reasoning' && !fits) encoding.lose('unpaired-reasoning', head.at)
    else kept.unshift(each)
  }
  return kept.flatMap(({ item, head, anonymous }, index) => {
    const { previousReasoningId: after } = hintsFor(head.part, SLOT)
    const before = kept[index - 1]?.item
    const alone =
      after !== undefined && !(before !== undefined && isThought(before) && idOf(before) === after)
    if (!alone || anonymous === undefined || !isPlain(item)) return [item]
    encoding.lose('item-id-dropped', head.at)
    return anonymous()
  })
}

/** Whether an item is thoughts, or remembers some. */
function isPaired({ head: { part } }: Made): boolean {
  return part.type === 'reasoning' || hintsFor(part, SLOT)['previousReasoningId'] !== undefined
}

function idOf(item: Json | undefined): unknown {
  return isObject(item) ? item['id'] : undefined
}

function isThought(item: Json | undefined): boolean {
  return isObject(item) && item['type'] === 'reasoning'
}

/** Items that may go without an id, and have one. */
function isPlain(item: JsonObject): boolean {
  const free = ['message', 'function_call', 'custom_tool_call'].includes(wordOf(item['type']))
  return free && item['id'] !== undefined
}
