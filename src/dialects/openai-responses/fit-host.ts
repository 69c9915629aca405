import type { ChatRequest } from '../../canonical/model/request.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext } from '../engine/encode-context.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import type { HostStreamForm } from '../engine/stream-codec.ts'
import {
  directSetting,
  type SettingTables,
  unsupportedSetting,
  valueChecks,
} from '../engine/setting-tables.ts'
import { digestSettings } from '../engine/reasoning-origin.ts'
import { modelFactUse } from './constants.ts'
import { getFlavor } from './flavors.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import { settings } from './settings.ts'

type HostOptions = { readonly flavor?: string }

const penaltySettings = {
  presencePenalty: directSetting('presence_penalty', valueChecks.number),
  frequencyPenalty: directSetting('frequency_penalty', valueChecks.number),
} as const

/** Returns the support of each setting on a host. */
export function getFlavorSettings(options: HostOptions): SettingTables {
  const { supportsPenalties, supportsUser } = getFlavor(options)
  if (!supportsPenalties && supportsUser !== false) return settings
  return {
    ...settings,
    request: {
      ...settings.request,
      ...(supportsPenalties && penaltySettings),
      ...(supportsUser === false && { user: unsupportedSetting() }),
    },
  }
}

/** Returns how facts about models apply to a host. */
export function getModelFactUse(options: HostOptions): ModelFactUse {
  const { efforts } = getFlavor(options)
  return efforts === undefined
    ? modelFactUse
    : { ...modelFactUse, reasoning: { ...modelFactUse.reasoning, efforts } }
}

/**
 * Adapts a request to the limits of its host: its tools and its output format. Those that the host accepted against its row
 * are sent back to it.
 */
export function fitRequestToHost(
  request: ChatRequest,
  { acceptedByHost: accepted }: OpenAIResponsesHints,
  context: EncodeContext,
): ChatRequest {
  const { supportsProviderTools, supportsJsonWithoutSchema } = getFlavor(context.options)
  const isAccepted =
    isObject(accepted) &&
    accepted['flavor'] === context.options.flavor &&
    accepted['digest'] === digestSettings(request)
  if (isAccepted) return request
  const fitted = supportsProviderTools === false ? omitProviderTools(request, context) : request
  const { output } = fitted
  if (supportsJsonWithoutSchema !== false || output?.type !== 'json' || output.schema !== undefined)
    return fitted
  context.report('output-schema-made', child(undefined, 'output'))
  return { ...fitted, output: { ...output, schema: { type: 'object' } } }
}

/** Returns the hint for a received request that the host accepted against its row. */
export function createHostHint(request: ChatRequest, { flavor }: DecodeOptions): OpenAIResponsesHints {
  if (flavor === undefined || fitRequestToHost(request, {}, createNoReport({ flavor })) === request) return {}
  return { acceptedByHost: { flavor, digest: digestSettings(request) } }
}

/** Omits the tools that a provider runs. An extension of the host (`slug:name`) is an opaque tool, and is sent back to it. */
function omitProviderTools(request: ChatRequest, context: EncodeContext): ChatRequest {
  const { tools = [] } = request
  const kept = tools.filter((tool, index) => {
    if (tool.type !== 'provider') return true
    context.report('foreign-tool', child(child(undefined, 'tools'), index))
    return false
  })
  return kept.length === tools.length ? request : { ...request, tools: kept }
}

/** Completes a response object: hosts require fields that OpenAI's own responses may lack, or have as null. */
export function fitResponseToHost(response: JsonObject, options: HostOptions): JsonObject {
  const { responseFields } = getFlavor(options)
  if (responseFields === undefined) return response
  const present = Object.entries(response).filter(
    ([key, value]) => value !== null || responseFields[key] === null,
  )
  const fields = Object.fromEntries(present)
  const { tools, text, reasoning, status, created_at: created, completed_at: completed } = fields
  return {
    ...responseFields,
    ...Object.fromEntries(Object.entries(response).filter(([key]) => !Object.hasOwn(responseFields, key))),
    ...fields,
    ...(status === 'completed' && { completed_at: completed ?? created ?? 0 }),
    ...(isObject(reasoning) && { reasoning: { effort: null, summary: null, ...reasoning } }),
    ...(isObject(text) && { text: { format: { type: 'text' }, ...text } }),
    ...(tools !== undefined && { tools: itemsOf(tools).map(completeTool) }),
  }
}

function completeTool(tool: Json): Json {
  return isObject(tool) && tool['type'] === 'function'
    ? { description: null, parameters: null, strict: null, ...tool }
    : tool
}

const renamedEvents: ReadonlyMap<unknown, string> = new Map([
  ['response.reasoning_text.delta', 'response.reasoning.delta'],
  ['response.reasoning_text.done', 'response.reasoning.done'],
])

/** Returns the form of the streams of a host; undefined for that of the format itself. */
export function getHostStreamForm(options: HostOptions): HostStreamForm | undefined {
  return getFlavor(options).hasOpenEvents
    ? { fitPayload: (wire) => fitEventToHost(wire, options), endData: '[DONE]' }
    : undefined
}

function fitEventToHost(wire: JsonObject, options: HostOptions): JsonObject {
  const { type, response } = wire
  if (type === 'error' && !isObject(wire['error'])) {
    const { code = null, message = '', param = null, sequence_number: number = 0 } = wire
    return { type, sequence_number: number, error: { type: 'server_error', code, message, param } }
  }
  const renamed = renamedEvents.get(type)
  const fitted = renamed === undefined ? wire : { ...wire, type: renamed }
  return isObject(response) ? { ...fitted, response: fitResponseToHost(response, options) } : fitted
}
