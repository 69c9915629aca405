import { PrefixFold } from '../../canonical/collections/prefix-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { CacheHint, Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { cacheControlLifetimeTable } from './constants.ts'
import type { BlockLocation } from './part-context.ts'

/** How many markers the provider takes in a request. */
const MAX_MARKERS = 4

interface Cacheable {
  readonly cache?: CacheHint
}

/** The part with the cache hint that its block carries. Thoughts have none: a marker there is refused. */
export function decodeCacheMarker<T extends Cacheable>(
  part: T & { readonly type: string },
  { cache_control: control }: { readonly [key: string]: Json },
): T {
  if (part.type === 'reasoning' || !isObject(control) || control['type'] !== 'ephemeral') return part
  const ttl = cacheControlLifetimeTable.fromWire(control['ttl'])
  return { ...part, cache: ttl === undefined ? {} : { ttl } }
}

/** The marker of a part or tool. */
export function encodeCacheMarker({ cache }: Cacheable): JsonObject {
  if (cache === undefined) return {}
  const ttl = cache.ttl === undefined ? undefined : cacheControlLifetimeTable.toWire(cache.ttl)
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } }
}

/** The marker of a part where its block may have one: neither in answers, nor on thoughts. */
export function encodePartCacheMarker(
  part: Part,
  { type }: JsonObject,
  path: Path | undefined,
  context: EncodeContext,
  location: BlockLocation,
): JsonObject {
  if (type !== 'thinking' && type !== 'redacted_thinking' && location !== 'response')
    return encodeCacheMarker(part)
  context.report('cache-hint', child(path, 'cache'))
  return {}
}

/** How many places of a request ask for caching. */
export function countCacheMarkers({ tools = [], messages }: ChatRequest): number {
  return tools.reduce(countMarker, markerCounts.fold(messages))
}

const markerCounts = new PrefixFold(
  () => 0,
  (count, { content }) => (content as readonly Part[]).reduce(countMarker, count),
)

function countMarker(count: number, unit: Tool | Part): number {
  const inside = unit.type === 'tool-result' ? unit.content.reduce<number>(countMarker, count) : count
  return 'cache' in unit && unit.cache !== undefined ? inside + 1 : inside
}

/** The request with no more markers than the provider takes: the last ones stay, since they reach furthest. */
export function limitCacheMarkers(
  request: ChatRequest,
  allowed: number,
  context: EncodeContext,
): ChatRequest {
  let excess = countCacheMarkers(request) - Math.max(MAX_MARKERS, allowed)
  if (excess <= 0) return request
  const strip = <T extends Cacheable>(unit: T, path: Path): T => {
    if (unit.cache === undefined || excess <= 0) return unit
    excess -= 1
    context.report('cache-limit', child(path, 'cache'))
    const { cache: _cache, ...rest } = unit
    return rest as T
  }
  const parts = <T extends Part>(content: readonly T[], path: Path): readonly T[] =>
    content.map((part, index) => {
      const partPath = child(path, index)
      const inner =
        part.type === 'tool-result'
          ? { ...part, content: parts(part.content, child(partPath, 'content')) }
          : part
      return strip(inner, partPath)
    })
  const root = child(undefined, 'messages')
  const { tools } = request
  const path = child(undefined, 'tools')
  return {
    ...request,
    ...(tools !== undefined && {
      tools: tools.map((tool, index) => strip(tool as Tool & Cacheable, child(path, index))),
    }),
    messages: [...request.messages].map((message, index) => {
      if (excess <= 0) return message
      return {
        ...message,
        content: parts(message.content as readonly Part[], child(child(root, index), 'content')),
      } as Message
    }),
  }
}
