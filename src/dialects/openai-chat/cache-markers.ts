import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { breakpointLifetimeTable, cacheControlLifetimeTable } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

/** A way to ask for caching: the key of the marker, what it always says, and how it names lifetimes. */
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

/** OpenAI's own markers, and those that some hosts take over from Anthropic. */
const cacheStyles: { readonly [name: string]: CacheStyle } = {
  breakpoint: breakpointStyle,
  control: { key: 'cache_control', base: { type: 'ephemeral' }, ttl: cacheControlLifetimeTable },
}

const styleNames = Object.keys(cacheStyles)

/** The cache hint of a wire part, and in which style it came. */
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

/** The marker of a part: in the style that it came in, else in OpenAI's, which answers do not have. */
export function encodePartCacheMarker(
  cache: CacheHint,
  hints: Hints<OpenAIChatHint>,
  speaker: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const asked = speaker === 'response' ? undefined : getFlavor(context.options).cacheStyle
  const spoken = speaker !== 'user' && speaker !== 'system'
  const came =
    asked === 'control' && (hints['cacheMarkerStyle'] !== undefined || !spoken)
      ? asked
      : hints['cacheMarkerStyle']
  const style = typeof came === 'string' && Object.hasOwn(cacheStyles, came) ? cacheStyles[came] : undefined
  if (asked === 'none' || (style === undefined && spoken)) {
    context.report('cache-hint', child(path, 'cache'))
    return {}
  }
  const { key, base, ttl } = style ?? breakpointStyle
  if (style === undefined && cache.ttl !== undefined)
    context.report('cache-lifetime', child(child(path, 'cache'), 'ttl'))
  const lifetime = cache.ttl === undefined || style === undefined ? undefined : ttl.toWire(cache.ttl)
  return { [key]: { ...base, ...(lifetime !== undefined && { ttl: lifetime }) } }
}
