import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { lifetimes } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

const MARKER = 'prompt_cache_breakpoint'

/** The cache hint of a wire part. */
export function decodeCache(wire: { readonly [key: string]: Json }): CacheHint | undefined {
  const marker = wire[MARKER]
  if (!isObject(marker) || marker['mode'] !== 'explicit') return undefined
  const ttl = lifetimes.fromWire(marker['ttl'])
  return ttl === undefined ? {} : { ttl }
}

/** The marker of a part. Its lifetime is new: it is said where it came, and left to the provider elsewhere. */
export function encodeCache(
  cache: CacheHint,
  hints: Hints<OpenAIResponsesHint>,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const timed = hints['hasCacheLifetime'] === true
  if (!timed && cache.ttl !== undefined) encoding.lose('cache-lifetime', below(below(at, 'cache'), 'ttl'))
  const ttl = timed && cache.ttl !== undefined ? lifetimes.toWire(cache.ttl) : undefined
  return { [MARKER]: { mode: 'explicit', ...(ttl !== undefined && { ttl }) } }
}
