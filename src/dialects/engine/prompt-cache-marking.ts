import { CachedMessageFold } from '../../canonical/collections/cached-message-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { rememberTest } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeOptions } from './dialect.ts'

/** Places cache markers in the requests of a dialect whose provider caches only what is marked. */
export interface CacheMarking {
  /** Returns true if the host caches only what is marked. */
  isNeeded(options: EncodeOptions): boolean
  /** Marks the fields beside the conversation: tools and instructions. */
  markFields?(body: JsonObject): JsonObject
  /** Returns true if an element of the conversation contains instructions. */
  isInstruction?(element: JsonObject): boolean
  /** Returns true if an element is input for the model: a user message or tool results. */
  isInput(element: JsonObject): boolean
  /** Returns the element with a marker at its end; undefined if nothing in it can be marked. */
  markElement(element: JsonObject): JsonObject | undefined
}

/** A cache marker with the shortest lifetime, as Anthropic and some other hosts accept it. */
export const CACHE_CONTROL_FIELD: JsonObject = { cache_control: { type: 'ephemeral' } }

/**
 * The number of marked turns. The last one is written to the cache; the one before was written by the last request
 * and is found even if many blocks were added since.
 */
const MARKED_TURNS = 2

/** The number of elements at the end of a conversation in which turns are marked. */
export const MARKED_WINDOW = 16

/** Returns the marking of a request; undefined if it must not be marked, or has cache hints of its own. */
export function findCacheMarking(
  { name, requestWriter }: MarkingCodec,
  request: ChatRequest,
  options: EncodeOptions,
): CacheMarking | undefined {
  const { cacheMarking } = requestWriter
  if (options.promptCaching !== true || cacheMarking === undefined) return undefined
  const model = options.model ?? request.model
  if (!cacheMarking.isNeeded(model === undefined ? options : { ...options, model })) return undefined
  const hasOwnMarkers = countCacheHints(request) > 0 || request.extra?.[name]?.['cache_control'] !== undefined
  return hasOwnMarkers ? undefined : cacheMarking
}

/** The part of a codec that marks requests. */
interface MarkingCodec {
  readonly name: string
  readonly requestWriter: { readonly cacheMarking?: CacheMarking }
}

/** Returns the number of cache hints in a request. */
export function countCacheHints({ tools = [], messages }: ChatRequest): number {
  return tools.reduce(addHint, hintCounts.fold(messages))
}

const hintCounts = new CachedMessageFold(
  () => 0,
  (count, message) =>
    hasNoCacheHints(message) ? count : (message.content as readonly Part[]).reduce(addHint, count),
)

const hasNoCacheHints = /* @__PURE__ */ rememberTest(
  ({ content }: Message) => (content as readonly Part[]).reduce(addHint, 0) === 0,
)

function addHint(count: number, unit: Tool | Part): number {
  const nestedCount = unit.type === 'tool-result' ? unit.content.reduce<number>(addHint, count) : count
  return 'cache' in unit && unit.cache !== undefined ? nestedCount + 1 : nestedCount
}

/** Marks a complete body; a list that is not a conversation stays the same. */
export function markBodyForCaching(body: JsonObject, listKey: string, marking: CacheMarking): JsonObject {
  const list = body[listKey]
  const marked = marking.markFields?.(body) ?? body
  if (!Array.isArray(list)) return marked
  const elements = list as readonly Json[]
  const marks = new Map([...findInstructionMark(elements, marking), ...findTurnMarks(elements, marking)])
  if (marks.size === 0) return marked
  return { ...marked, [listKey]: elements.map((element, index) => marks.get(index) ?? element) }
}

/** Returns the marked element of the leading instructions, by its position. */
export function findInstructionMark(
  elements: readonly Json[],
  marking: CacheMarking,
): ReadonlyMap<number, JsonObject> {
  const end = elements.findIndex((element) => !isObject(element) || marking.isInstruction?.(element) !== true)
  const last = elements[end - 1]
  const marked = isObject(last) ? marking.markElement(last) : undefined
  return new Map(marked && [[end - 1, marked]])
}

/** Returns the marked elements at the ends of the last turns, by their positions. */
export function findTurnMarks(
  elements: readonly Json[],
  marking: CacheMarking,
): ReadonlyMap<number, JsonObject> {
  const marks = new Map<number, JsonObject>()
  const start = Math.max(0, elements.length - MARKED_WINDOW)
  let isEndOfTurn = true
  for (let index = elements.length - 1; index >= start && marks.size < MARKED_TURNS; index--) {
    const element = elements[index] as JsonObject | undefined
    const hasInput = isObject(element) && marking.isInput(element)
    const marked: JsonObject | undefined = hasInput && isEndOfTurn ? marking.markElement(element) : undefined
    if (marked !== undefined) marks.set(index, marked)
    isEndOfTurn = !hasInput || (isEndOfTurn && marked === undefined)
  }
  return marks
}

/** Returns a list of blocks with a marker on the last one that can have one; undefined if none can. */
export function markLastBlock(
  blocks: Json | undefined,
  canMark: (block: JsonObject) => boolean,
): readonly Json[] | undefined {
  const list = typeof blocks === 'string' ? [{ type: 'text', text: blocks }] : blocks
  if (!Array.isArray(list)) return undefined
  const elements = list as readonly Json[]
  const index = elements.findLastIndex((block) => isObject(block) && canMark(block))
  const block = elements[index]
  return isObject(block) ? elements.with(index, { ...block, ...CACHE_CONTROL_FIELD }) : undefined
}

/** Returns true for a block that may have a marker: empty text may not. */
export function hasBlockContent(block: JsonObject): boolean {
  return block['type'] !== 'text' || (typeof block['text'] === 'string' && block['text'].trim() !== '')
}
