import type { ProviderTool, Tool } from '../../canonical/model/tool.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getPlainToolName, toHostedTool } from '../shared/hosted-tools.ts'
import { DIALECT_VENDOR } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIChatHints } from './hints.ts'

/** Names of the models whose Chat API searches the web. */
const searchModelPattern = /search/

/** The id of the plugin with which OpenRouter searches the web. */
const WEB_PLUGIN_ID = 'web'

/** The vendors of both fields: their options differ. */
const fieldVendors = { web_search_options: DIALECT_VENDOR, plugins: 'openrouter' } as const

/** Decodes the fields of the body that make the host search the web: a field of OpenAI, or a plugin of OpenRouter. */
export function decodeWebSearch({ web_search_options: options, plugins }: JsonObject): readonly Tool[] {
  if (isObject(options))
    return [createSearchTool('web_search_options', { ...options, ...flattenLocation(options) })]
  const [plugin, ...others] = itemsOf(plugins)
  if (!isObject(plugin) || plugin['id'] !== WEB_PLUGIN_ID || others.length > 0) return []
  const { id: _id, ...settings } = plugin
  return [createSearchTool('plugins', settings)]
}

function createSearchTool(field: WebSearchField, options: JsonObject): ProviderTool {
  return Object.freeze({ type: 'provider', provider: fieldVendors[field], name: 'web_search', options })
}

/** The Responses API has the fields of the location one level higher. */
function flattenLocation({ user_location: place }: JsonObject): JsonObject {
  const fields = isObject(place) ? place['approximate'] : undefined
  return isObject(fields) ? { user_location: { type: 'approximate', ...fields } } : {}
}

function nestLocation({ user_location: place, ...options }: JsonObject): JsonObject {
  if (!isObject(place)) return options
  const { type, ...approximate } = place
  return { ...options, user_location: { type: type ?? 'approximate', approximate } }
}

/** Returns the hints of a request whose host searches the web, so that it is encoded the same way for any model. */
export function createWebSearchHint(body: JsonObject): OpenAIChatHints {
  const [search] = decodeWebSearch(body)
  if (search === undefined) return {}
  return { webSearchField: isObject(body['web_search_options']) ? 'web_search_options' : 'plugins' }
}

/** Encodes a web search that the host runs as fields of the body. Other hosted tools have no form in this dialect. */
export function encodeHostedTools(
  tools: readonly Tool[],
  hints: OpenAIChatHints,
  context: EncodeContext,
): JsonObject {
  const path = child(undefined, 'tools')
  const fields: Record<string, Json> = {}
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'provider') continue
    const toolPath = child(path, index)
    const field = getPlainToolName(tool) === 'web_search' ? chooseField(hints, context) : undefined
    if (field === undefined || Object.hasOwn(fields, field)) {
      context.report(field === undefined ? 'foreign-tool' : 'hosted-tool-repeated', toolPath)
      continue
    }
    const { options = {} } = toHostedTool(tool, fieldVendors[field], toolPath, context) ?? {}
    const isReceived = hints['webSearchField'] === field
    const sent = isReceived ? options : pickOptions(options, field, child(toolPath, 'options'), context)
    fields[field] = field === 'plugins' ? [{ id: WEB_PLUGIN_ID, ...sent }] : nestLocation(sent)
  }
  return fields
}

type WebSearchField = keyof typeof searchOptions

/** The options of a web search in each field. Sources: OpenAI's API reference, openrouter.ai/docs/features/web-search */
const searchOptions = {
  web_search_options: ['search_context_size', 'user_location'],
  plugins: ['engine', 'max_results', 'search_prompt'],
} as const

/** Returns the options that a field has; the others are reported. */
function pickOptions(
  options: JsonObject,
  field: WebSearchField,
  path: Path,
  context: EncodeContext,
): JsonObject {
  const known: readonly string[] = searchOptions[field]
  const entries = Object.entries(options).filter(([key]) => {
    if (!known.includes(key)) context.report('no-field', child(path, key))
    return known.includes(key)
  })
  return Object.fromEntries(entries)
}

function chooseField(
  { webSearchField: received }: OpenAIChatHints,
  { options }: EncodeContext,
): WebSearchField | undefined {
  if (received === 'web_search_options' || received === 'plugins') return received
  const { webSearch } = getFlavor(options)
  if (webSearch !== undefined || options.flavor !== undefined) return webSearch
  return searchModelPattern.test(options.model ?? '') ? 'web_search_options' : undefined
}
