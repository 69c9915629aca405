import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createNoReport, type EncodeContext } from '../engine/encode-context.ts'
import { fitRequestToFacts } from '../engine/fit-request-to-model.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { addHints } from '../engine/residue-slots.ts'
import { digestSettings } from '../engine/reasoning-origin.ts'
import { DIALECT_SLOT, modelFactUse } from './constants.ts'
import { type AnthropicFlavor, getFlavor } from './flavors.ts'
import type { AnthropicHints } from './hints.ts'
import { isAcceptedByHost } from './media.ts'

/** How facts about models apply to hosts that run the models of other vendors: the facts of Claude do not. */
const compatibleFactUse: ModelFactUse = {
  ...modelFactUse,
  vendors: ['deepseek', 'moonshot', 'zai'],
  unknownModel: {},
}

/** Returns how facts about models apply to a host. */
export function getModelFactUse(options: { readonly flavor?: string }): ModelFactUse {
  return getFlavor(options).isCompatibleHost ? compatibleFactUse : modelFactUse
}

/**
 * Adapts a request to the limits of its host, which apply to every model. Settings that the host accepted against its row are
 * sent back to it.
 */
export function fitRequestToHost(
  request: ChatRequest,
  { acceptedByHost: accepted }: AnthropicHints,
  context: EncodeContext,
): ChatRequest {
  const flavor = getFlavor(context.options)
  if (!flavor.isCompatibleHost) return request
  const isAccepted =
    isObject(accepted) &&
    accepted['flavor'] === context.options.flavor &&
    accepted['digest'] === digestSettings(request)
  if (isAccepted) return request
  const { dialect, reasoning } = getModelFactUse(context.options)
  const { refusedSettings, toolChoices } = flavor
  const fitted = fitRequestToFacts(
    request,
    {
      dialect,
      reasoning,
      ...(refusedSettings && { refusedSettings }),
      ...(toolChoices === 'auto' && { forcedTools: false }),
    },
    context,
  )
  return omitOutputSchema(withholdTools(fitted, flavor, context), flavor, context)
}

/** Returns the hint for a received request whose settings the host accepted against its row. */
export function createHostHint(request: ChatRequest, { flavor }: DecodeOptions): AnthropicHints {
  if (flavor === undefined || fitRequestToHost(request, {}, createNoReport({ flavor })) === request) return {}
  return { acceptedByHost: { flavor, digest: digestSettings(request) } }
}

/** Marks the media of a received message that the host accepted against its row. */
export function markAcceptedMedia<T extends Part>(part: T, options: DecodeOptions): T {
  if (part.type === 'tool-result') {
    const content = part.content.map((each) => markAcceptedMedia(each, options))
    return content.every((each, index) => each === part.content[index]) ? part : { ...part, content }
  }
  const { flavor } = options
  if (!isMediaPart(part) || flavor === undefined || isAcceptedByHost(part, getFlavor({ flavor }))) return part
  return addHints(part, DIALECT_SLOT, { acceptedByHost: flavor })
}

/** Omits the tool choice if the host has no field for it, and tools that may not be called. */
function withholdTools(
  request: ChatRequest,
  { toolChoices }: AnthropicFlavor,
  context: EncodeContext,
): ChatRequest {
  const { toolChoice, ...others } = request
  if (toolChoices !== 'auto' || toolChoice === undefined) return request
  if (toolChoice === 'auto' || others.tools === undefined) return others
  context.report('tools-withheld', child(undefined, 'toolChoice'))
  const allowed = typeof toolChoice === 'object' && 'allowed' in toolChoice ? toolChoice.allowed : []
  const isAllowed = (tool: Tool): boolean =>
    toolChoice !== 'none' && (tool.type === 'opaque' || allowed.includes(tool.name))
  return { ...others, tools: others.tools.filter(isAllowed) }
}

function omitOutputSchema(
  request: ChatRequest,
  { supportsOutputSchema }: AnthropicFlavor,
  context: EncodeContext,
): ChatRequest {
  const { output, ...others } = request
  if (supportsOutputSchema !== false || output?.schema === undefined) return request
  context.report('no-field', child(child(undefined, 'output'), 'schema'))
  return others
}
