import type { ChatEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import { isObject, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import {
  assertElementCount,
  type ElementLimits,
  resolveStreamLimits,
  type StreamLimits,
} from '../../wire/stream-limits.ts'

/** The lists of all wire formats whose elements are counted. */
const LIMITS_BY_KEY: ReadonlyMap<string, keyof ElementLimits> = new Map(
  (
    [
      ['maxCandidates', 'choices candidates'],
      ['maxParts', 'content parts output summary images'],
      ['maxToolCalls', 'tool_calls'],
      ['maxCitations', 'annotations citations groundingChunks groundingSupports'],
      ['maxTools', 'tools functionDeclarations function_declarations'],
    ] as const
  ).flatMap(([limit, keys]) => keys.split(' ').map((key) => [key, limit] as const)),
)

/** Keys whose values are data of the user, in which a key has no meaning. */
const DATA_KEYS: ReadonlySet<string> = new Set(
  [
    'args arguments input parameters parametersJsonSchema parameters_json_schema input_schema schema response_schema',
    'responseSchema responseJsonSchema functionResponse function_response metadata extra logprobs embedding format',
  ].flatMap((keys) => keys.split(' ')),
)

/** Returns true if the list under a key has more elements than its limit allows. */
export function exceedsElementLimit(key: string, length: number, limits: Required<ElementLimits>): boolean {
  const limit = LIMITS_BY_KEY.get(key)
  return limit !== undefined && length > limits[limit]
}

/** Throws if a body has a list with more elements than the limits allow. */
export function checkListLengths(body: object, limits: Required<ElementLimits>): void {
  visit(body, undefined, limits)
}

/** The limits that apply to lists. */
const LIST_LIMITS = [...new Set(LIMITS_BY_KEY.values())]

/** Returns the length up to which a list is within every limit. */
export function findSmallestLimit(limits: Required<ElementLimits>): number {
  return LIST_LIMITS.reduce((least, name) => Math.min(least, limits[name]), Infinity)
}

/** Returns true if a list in the value, whatever its key, is longer than `most`. Allocates nothing. */
function hasLongList(value: unknown, most: number, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_JSON_DEPTH) return false
  if (Array.isArray(value)) {
    if (value.length > most) return true
    for (const item of value) if (hasLongList(item, most, depth + 1)) return true
    return false
  }
  for (const key in value)
    if (hasLongList((value as { readonly [key: string]: unknown })[key], most, depth + 1)) return true
  return false
}

function visit(value: object, path: Path | undefined, limits: Required<ElementLimits>, depth = 0): void {
  // Deeper values are refused, or kept as they are.
  if (depth > MAX_JSON_DEPTH) return
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && item !== null) visit(item, child(path, index), limits, depth + 1)
    }
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'object' || item === null) continue
    const isList = Array.isArray(item)
    // `input` is a list of messages or the arguments of a call.
    if (!isList && DATA_KEYS.has(key)) continue
    const limit = isList ? LIMITS_BY_KEY.get(key) : undefined
    if (limit !== undefined)
      assertElementCount(limit, (item as unknown[]).length, limits, toPointer(child(path, key)))
    visit(item as object, child(path, key), limits, depth + 1)
  }
}

/** Counts the elements of a stream as its events are decoded. */
export class StreamElementCounter {
  readonly #limits: Required<ElementLimits>
  /** A list of this length is within every limit. */
  readonly #smallestLimit: number
  readonly #candidates = new Set<number>()
  readonly #citations = new Map<string, number>()
  #parts = 0
  #toolCalls = 0
  #emptyEvents = 0

  constructor(limits: StreamLimits | undefined) {
    this.#limits = resolveStreamLimits(limits)
    this.#smallestLimit = findSmallestLimit(this.#limits)
  }

  /** Checks the lists of a payload, which was parsed from a text of so many characters, before it is decoded. */
  checkPayload(wire: unknown, characters: number = Infinity): void {
    // Each element of a list takes two characters. Most other payloads have no long list either, which is found faster than the
    // keys and paths of their lists.
    const isShort = characters <= 2 * this.#smallestLimit
    if (!isShort && isObject(wire) && hasLongList(wire, this.#smallestLimit))
      visit(wire, undefined, this.#limits)
  }

  noteEvent(event: ChatEvent): void {
    if (event.candidate !== undefined && !this.#candidates.has(event.candidate)) {
      this.#candidates.add(event.candidate)
      this.#assert('maxCandidates', this.#candidates.size)
    }
    if (event.type === 'opaque') this.#assert('maxEmptyEvents', ++this.#emptyEvents)
    if (event.type === 'part-update' && event.citations !== undefined)
      this.#addCitations(event, event.citations.length)
    if (event.type !== 'part-start') return
    this.#assert('maxParts', ++this.#parts)
    if (event.part.type === 'tool-call') this.#assert('maxToolCalls', ++this.#toolCalls)
  }

  /** Counts the citations of a part, which may arrive one by one. */
  #addCitations({ candidate = 0, index }: PartUpdateEvent, count: number): void {
    const key = `${candidate} ${index}`
    const total = (this.#citations.get(key) ?? 0) + count
    this.#citations.set(key, total)
    this.#assert('maxCitations', total)
  }

  #assert(name: keyof ElementLimits, count: number): void {
    assertElementCount(name, count, this.#limits)
  }
}
