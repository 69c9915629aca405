import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { breakpointLifetimeTable, cacheControlLifetimeTable } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { ChatHints } from './hints.ts'

/** A wire form of cache markers: the key, the constant fields, and the names of the lifetimes. */
interface CacheStyle {
  readonly key: string
  readonly base: JsonObject
  readonly ttl: TwoWayTable<string, 'short' | 'long'>
}

const breakpointStyle: CacheStyle = {
  key: 'prompt_cache_breakpoint',
  base: { mode: 'explicit' },
  ttl: breakpointLifetimeTable,
}

/** OpenAI's own markers, and Anthropic's, which some hosts accept. */
const cacheStyles: { readonly [name: string]: CacheStyle } = {
  breakpoint: breakpointStyle,
  control: { key: 'cache_control', base: { type: 'ephemeral' }, ttl: cacheControlLifetimeTable },
}

const styleNames = Object.keys(cacheStyles)

/** Decodes the cache marker of a wire part, and the name of its style. */
export function decodeCacheMarker(
  wire: JsonObject,
): { readonly cache: CacheHint; readonly style: string } | undefined {
  for (const style of styleNames) {
    const { key, base, ttl } = cacheStyles[style] ?? breakpointStyle
    const marker = wire[key]
    if (!isObject(marker) || Object.keys(base).some((name) => marker[name] !== base[name])) continue
    const lifetime = ttl.fromWire(marker['ttl'])
    return { cache: lifetime === undefined ? {} : { ttl: lifetime }, style }
  }
  return undefined
}

/**
 * Encodes the cache marker of a part: in the style in which it was received, else in OpenAI's style, which
 * assistant content does not support.
 */
export function encodePartCacheMarker(
  cache: CacheHint,
  hints: ChatHints,
  role: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const flavorStyle = role === 'response' ? undefined : getFlavor(context.options).cacheStyle
  const isAssistant = role !== 'user' && role !== 'system'
  const styleName =
    flavorStyle === 'control' && (hints['cacheMarkerStyle'] !== undefined || !isAssistant)
      ? flavorStyle
      : hints['cacheMarkerStyle']
  const style =
    typeof styleName === 'string' && Object.hasOwn(cacheStyles, styleName)
      ? cacheStyles[styleName]
      : undefined
  if (flavorStyle === 'none' || (style === undefined && isAssistant)) {
    context.report('cache-hint', child(path, 'cache'))
    return {}
  }
  const { key, base, ttl } = style ?? breakpointStyle
  if (style === undefined && cache.ttl !== undefined)
    context.report('cache-lifetime', child(child(path, 'cache'), 'ttl'))
  const lifetime = cache.ttl === undefined || style === undefined ? undefined : ttl.toWire(cache.ttl)
  return { [key]: { ...base, ...(lifetime !== undefined && { ttl: lifetime }) } }
}
