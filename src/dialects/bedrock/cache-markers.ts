import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { CacheMarking } from '../engine/prompt-cache-marking.ts'
import { getModelVendor } from '../engine/model-facts.ts'
import { cacheLifetimeTable } from './constants.ts'
import { getBlockKey } from './part-context.ts'

interface Cacheable {
  readonly type: string
  readonly cache?: CacheHint
}

/** Units that no cache point can follow: reasoning, and what this version does not know. */
const unmarkedTypes: ReadonlySet<string> = new Set(['reasoning', 'opaque'])

/** Returns true if a cache point can follow the block of a part or tool. */
export function canBeCached({ type }: Cacheable): boolean {
  return !unmarkedTypes.has(type)
}

/** Decodes a cache point; undefined for any other block, and for a cache point with unknown fields. */
function decodeCachePoint(block: Json): CacheHint | undefined {
  if (!isObject(block) || getBlockKey(block) !== 'cachePoint' || Object.keys(block).length > 1)
    return undefined
  const point = block['cachePoint']
  if (!isObject(point)) return undefined
  const { type, ttl: lifetime, ...unknown } = point
  const ttl = cacheLifetimeTable.fromWire(lifetime)
  const isKnown = type === 'default' && (lifetime === undefined || ttl !== undefined)
  if (!isKnown || Object.keys(unknown).length > 0) return undefined
  return ttl === undefined ? {} : { ttl }
}

/**
 * Returns the unit before a cache point with the cache hint; undefined if it cannot have one, because there is no unit, it
 * has a hint already, or the API accepts no cache point after it.
 */
export function addCacheHint<T extends Cacheable>(unit: T | undefined, block: Json): T | undefined {
  const cache = decodeCachePoint(block)
  if (cache === undefined || unit === undefined || unit.cache !== undefined || !canBeCached(unit))
    return undefined
  return Object.freeze({ ...unit, cache })
}

/** Encodes the cache point that follows a block. */
export function encodeCachePoint({ ttl }: CacheHint): JsonObject {
  const lifetime = ttl && cacheLifetimeTable.toWire(ttl)
  return { cachePoint: { type: 'default', ...(lifetime !== undefined && { ttl: lifetime }) } }
}

const isUnmarked = (block: Json | undefined): boolean => getBlockKey(block) === 'reasoningContent'

/** Returns a list of blocks with a cache point at its end; undefined if none can be there. */
function markEnd(list: Json | undefined): readonly Json[] | undefined {
  const last = Array.isArray(list) ? (list as readonly Json[]).at(-1) : undefined
  if (last === undefined || isUnmarked(last) || getBlockKey(last) === 'cachePoint') return undefined
  return [...(list as readonly Json[]), encodeCachePoint({})]
}

/** Marks the last tool, the instructions and the last two user turns: four cache points, the maximum. */
export const cacheMarking: CacheMarking = {
  // Other vendors cache without cache points, or refuse them in tools.
  isNeeded: ({ model }) => getModelVendor(model) === 'anthropic',
  markFields(body) {
    const { toolConfig, system } = body
    const tools = isObject(toolConfig) ? markEnd(toolConfig['tools']) : undefined
    const markedSystem = markEnd(system)
    return {
      ...body,
      ...(tools && { toolConfig: { ...(toolConfig as JsonObject), tools } }),
      ...(markedSystem && { system: markedSystem }),
    }
  },
  isInput: ({ role }) => role === 'user',
  markElement(message) {
    const content = markEnd(message['content'])
    return content && { ...message, content }
  },
}
