import type { Message } from '../../canonical/model/message.ts'
import type { CacheHint, Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { MESSAGES_PATH } from '../engine/conversation-encoder.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  type CacheMarking,
  countCacheHints,
  hasBlockContent,
  markLastBlock,
} from '../engine/prompt-cache-marking.ts'
import { cacheControlLifetimeTable, MAX_CACHE_MARKERS } from './constants.ts'

interface Cacheable {
  readonly cache?: CacheHint
}

/** Returns the part with the cache hint of its block. The API rejects markers on reasoning. */
export function decodeCacheMarker<T extends Cacheable>(
  part: T & { readonly type: string },
  { cache_control: control }: { readonly [key: string]: Json },
): T {
  if (part.type === 'reasoning' || !isObject(control) || control['type'] !== 'ephemeral') return part
  const ttl = cacheControlLifetimeTable.fromWire(control['ttl'])
  return { ...part, cache: ttl === undefined ? {} : { ttl } }
}

export function encodeCacheMarker({ cache }: Cacheable): JsonObject {
  if (cache === undefined) return {}
  const ttl = cache.ttl && cacheControlLifetimeTable.toWire(cache.ttl)
  return { cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } }
}

/** Removes cache hints above the limit. The last ones are kept, since they cover the longest prefix. */
export function limitCacheMarkers(
  request: ChatRequest,
  allowed: number,
  context: EncodeContext,
): ChatRequest {
  let excess = countCacheHints(request) - Math.max(MAX_CACHE_MARKERS, allowed)
  if (excess <= 0) return request
  const strip = <T extends Cacheable>(unit: T, path: Path): T => {
    if (unit.cache === undefined || excess <= 0) return unit
    excess -= 1
    context.report('cache-limit', child(path, 'cache'))
    const { cache: _cache, ...rest } = unit
    return rest as T
  }
  const stripContent = <T extends { readonly content: readonly Part[] }>(unit: T, path: Path): T => {
    const contentPath = child(path, 'content')
    const content = unit.content.map((part, index) => {
      const partPath = child(contentPath, index)
      return strip(part.type === 'tool-result' ? stripContent(part, partPath) : part, partPath)
    })
    return { ...unit, content }
  }
  const toolsPath = child(undefined, 'tools')
  const tools = request.tools?.map((tool, index) => strip<Tool & Cacheable>(tool, child(toolsPath, index)))
  const messages = [...request.messages].map((message, index) =>
    excess <= 0 ? message : stripContent<Message>(message, child(MESSAGES_PATH, index)),
  )
  return { ...request, ...(tools !== undefined && { tools }), messages }
}

/** Reasoning cannot be marked, nor tools that are loaded later. */
const UNMARKED_BLOCKS: ReadonlySet<Json | undefined> = new Set(['thinking', 'redacted_thinking'])
const canMarkBlock = (block: JsonObject): boolean =>
  !UNMARKED_BLOCKS.has(block['type']) && hasBlockContent(block)
const canMarkTool = (tool: JsonObject): boolean => tool['defer_loading'] !== true

/** Marks the last tool, the last block of instructions and the last two user turns: four markers, the maximum. */
export const cacheMarking: CacheMarking = {
  isNeeded: () => true,
  markFields(body) {
    const tools = markLastBlock(body['tools'], canMarkTool)
    const system = markLastBlock(body['system'], canMarkBlock)
    return { ...body, ...(tools && { tools }), ...(system && { system }) }
  },
  isInput: ({ role }) => role === 'user',
  markElement(message) {
    const content = markLastBlock(message['content'], canMarkBlock)
    return content && { ...message, content }
  },
}
