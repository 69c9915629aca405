import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type CacheMarking, hasBlockContent, markLastBlock } from '../engine/prompt-cache-marking.ts'
import { cacheControlLifetimeTable } from './constants.ts'

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

/** Reasoning cannot be marked, nor tools that are loaded later. */
const UNMARKED_BLOCKS: ReadonlySet<Json | undefined> = new Set(['thinking', 'redacted_thinking'])
export const canMarkBlock = (block: JsonObject): boolean =>
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
