import type { CacheHint } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createTwoWayTable, type TwoWayTable } from '../../wire/two-way-table.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  CACHE_CONTROL_FIELD,
  type CacheMarking,
  hasBlockContent,
  markLastBlock,
} from '../engine/prompt-cache-marking.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** A wire form of cache markers: the key, the constant fields, and the names of the lifetimes. */
interface CacheStyle {
  readonly key: string
  readonly base: JsonObject
  readonly ttl: TwoWayTable<string, 'short' | 'long'>
}

/** OpenAI's own markers. */
const breakpointStyle: CacheStyle = {
  key: 'prompt_cache_breakpoint',
  base: { mode: 'explicit' },
  ttl: createTwoWayTable([
    ['30m', 'short'],
    ['12h', 'long'],
  ]),
}

/** Anthropic's markers, which some hosts accept. */
const controlStyle: CacheStyle = {
  key: 'cache_control',
  base: { type: 'ephemeral' },
  ttl: createTwoWayTable([
    ['5m', 'short'],
    ['1h', 'long'],
  ]),
}

const cacheStyles: ReadonlyMap<string, CacheStyle> = new Map([
  ['breakpoint', breakpointStyle],
  ['control', controlStyle],
])

/** Decodes the cache marker of a wire part, and the name of its style. */
export function decodeCacheMarker(
  wire: JsonObject,
): { readonly cache: CacheHint; readonly style: string } | undefined {
  for (const [style, { key, base, ttl }] of cacheStyles) {
    const marker = wire[key]
    if (!isObject(marker) || Object.keys(base).some((name) => marker[name] !== base[name])) continue
    const lifetime = ttl.fromWire(marker['ttl'])
    return { cache: lifetime === undefined ? {} : { ttl: lifetime }, style }
  }
  return undefined
}

/** Encodes a cache marker in the received style, else in OpenAI's, which assistant content does not support. */
export function encodePartCacheMarker(
  cache: CacheHint,
  { cacheMarkerStyle: receivedStyle }: OpenAIChatHints,
  role: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const flavorStyle = role === 'response' ? undefined : getFlavor(context.options).cacheStyle
  const isAssistant = role !== 'user' && role !== 'system'
  const isControl = flavorStyle === 'control' && (receivedStyle !== undefined || !isAssistant)
  const styleName = typeof receivedStyle === 'string' ? receivedStyle : ''
  const style = isControl ? controlStyle : cacheStyles.get(styleName)
  if (flavorStyle === 'none' || (style === undefined && isAssistant)) {
    context.report('cache-hint', child(path, 'cache'))
    return {}
  }
  const { key, base } = style ?? breakpointStyle
  if (key === breakpointStyle.key && context.facts.supportsCacheMarkers === false) {
    context.report('model-cache-marker', child(path, 'cache'))
    return {}
  }
  if (style === undefined && cache.ttl !== undefined)
    context.report('cache-lifetime', child(child(path, 'cache'), 'ttl'))
  const ttl = cache.ttl && style?.ttl.toWire(cache.ttl)
  return { [key]: { ...base, ...(ttl !== undefined && { ttl }) } }
}

const isTextBlock = (part: JsonObject): boolean => part['type'] === 'text' && hasBlockContent(part)

/** Marks the instructions and the last two turns. Instructions follow the tools in Claude's prompt, so they cover them. */
export const cacheMarking: CacheMarking = {
  isNeeded: (options) => getFlavor(options).markedCacheModels?.test(options.model ?? '') === true,
  isInstruction: ({ role }) => role === 'system' || role === 'developer',
  isInput: ({ role }) => role === 'user' || role === 'tool',
  markElement(message) {
    if (message['role'] === 'tool') return { ...message, ...CACHE_CONTROL_FIELD }
    const content = markLastBlock(message['content'], isTextBlock)
    return content && { ...message, content }
  },
}
