import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { TwoWayTable } from '../../wire/two-way-table.ts'
import type { Encoding } from '../encoding.ts'
import { breakpoints, lifetimes } from './codes.ts'
import { flavorOf } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** A way to ask for caching: the key of the marker, what it always says, and how it names lifetimes. */
interface Style {
  readonly key: string
  readonly base: JsonObject
  readonly ttl: TwoWayTable<string, 'short' | 'long'>
}

const breakpoint: Style = {
  key: 'prompt_cache_breakpoint',
  base: { mode: 'explicit' },
  ttl: breakpoints,
}

/** OpenAI's own markers, and those that some hosts take over from Anthropic. */
const styles: { readonly [name: string]: Style } = {
  breakpoint,
  control: { key: 'cache_control', base: { type: 'ephemeral' }, ttl: lifetimes },
}

const styleNames = Object.keys(styles)

/** The cache hint of a wire part, and in which style it came. */
export function decodeCache(wire: Wire): { readonly cache: CacheHint; readonly style: string } | undefined {
  for (const style of styleNames) {
    const { key, base, ttl } = styles[style] ?? breakpoint
    const marker = wire[key]
    if (!isObject(marker) || Object.keys(base).some((name) => marker[name] !== base[name])) continue
    const lifetime = ttl.fromWire(marker['ttl'])
    return { cache: lifetime === undefined ? {} : { ttl: lifetime }, style }
  }
  return undefined
}

/** The marker of a part: in the style that it came in, else in OpenAI's, which answers do not have. */
export function encodeCache(
  cache: CacheHint,
  hints: Hints<OpenAIChatHint>,
  speaker: string,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const asked = speaker === 'response' ? undefined : flavorOf(encoding.options).cache
  const spoken = speaker !== 'user' && speaker !== 'system'
  const came =
    asked === 'control' && (hints['cacheMarkerStyle'] !== undefined || !spoken)
      ? asked
      : hints['cacheMarkerStyle']
  const style = typeof came === 'string' && Object.hasOwn(styles, came) ? styles[came] : undefined
  if (asked === 'none' || (style === undefined && spoken)) {
    encoding.lose('cache-hint', below(at, 'cache'))
    return {}
  }
  const { key, base, ttl } = style ?? breakpoint
  if (style === undefined && cache.ttl !== undefined)
    encoding.lose('cache-lifetime', below(below(at, 'cache'), 'ttl'))
  const lifetime = cache.ttl === undefined || style === undefined ? undefined : ttl.toWire(cache.ttl)
  return { [key]: { ...base, ...(lifetime !== undefined && { ttl: lifetime }) } }
}
