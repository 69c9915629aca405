import { PrefixFold } from '../../canonical/collections/prefix-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { CacheHint, Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { lifetimes } from './codes.ts'
import type { Place } from './parts.ts'

/** How many markers the provider takes in a request. */
const MAX_MARKERS = 4

interface Cached {
  readonly cache?: CacheHint
}

/** The part with the cache hint that its block carries. Thoughts have none: a marker there is refused. */
export function decodeCache<T extends Cached>(
  part: T & { readonly type: string },
  { cache_control: control }: { readonly [key: string]: Json },
): T {
  if (part.type === 'reasoning' || !isObject(control) || control['type'] !== 'ephemeral') return part
  const ttl = lifetimes.fromWire(control['ttl'])
  return { ...part, cache: ttl === undefined ? {} : { ttl } }
}

/** The marker of a part or tool. */
export function markerOf({ cache }: Cached): JsonObject {
  if (cache === undefined) return {}
  const ttl = cache.ttl === undefined ? undefined : lifetimes.toWire(cache.ttl)
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } }
}

/** The marker of a part where its block may have one: neither in answers, nor on thoughts. */
export function encodeCache(
  part: Part,
  { type }: JsonObject,
  at: Path | undefined,
  encoding: Encoding,
  place: Place,
): JsonObject {
  if (type !== 'thinking' && type !== 'redacted_thinking' && place !== 'response') return markerOf(part)
  encoding.lose('cache-hint', below(at, 'cache'))
  return {}
}

/** How many places of a request ask for caching. */
export function countMarkers({ tools = [], messages }: ChatRequest): number {
  return tools.reduce(countMarker, markers.of(messages))
}

const markers = new PrefixFold(
  () => 0,
  (count, { content }) => (content as readonly Part[]).reduce(countMarker, count),
)

function countMarker(count: number, unit: Tool | Part): number {
  const inside = unit.type === 'tool-result' ? unit.content.reduce<number>(countMarker, count) : count
  return 'cache' in unit && unit.cache !== undefined ? inside + 1 : inside
}

/** The request with no more markers than the provider takes: the last ones stay, since they reach furthest. */
export function limitMarkers(request: ChatRequest, allowed: number, encoding: Encoding): ChatRequest {
  let excess = countMarkers(request) - Math.max(MAX_MARKERS, allowed)
  if (excess <= 0) return request
  const strip = <T extends Cached>(unit: T, at: Path): T => {
    if (unit.cache === undefined || excess <= 0) return unit
    excess -= 1
    encoding.lose('cache-limit', below(at, 'cache'))
    const { cache: _cache, ...rest } = unit
    return rest as T
  }
  const parts = <T extends Part>(content: readonly T[], at: Path): readonly T[] =>
    content.map((part, index) => {
      const here = below(at, index)
      const inner =
        part.type === 'tool-result' ? { ...part, content: parts(part.content, below(here, 'content')) } : part
      return strip(inner, here)
    })
  const root = below(undefined, 'messages')
  const { tools } = request
  const at = below(undefined, 'tools')
  return {
    ...request,
    ...(tools !== undefined && {
      tools: tools.map((tool, index) => strip(tool as Tool & Cached, below(at, index))),
    }),
    messages: [...request.messages].map((message, index) => {
      if (excess <= 0) return message
      return {
        ...message,
        content: parts(message.content as readonly Part[], below(below(root, index), 'content')),
      } as Message
    }),
  }
}
