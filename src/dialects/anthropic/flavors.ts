import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import type { MediaPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { EncodeOptions } from '../engine/dialect.ts'
import type { FlavorNamesByDialect } from '../engine/flavor-names.ts'
import { findFlavor, type RegisteredFlavor, registerFlavor } from '../engine/flavor-registry.ts'

/** A cloud that hosts Anthropic's models: the path contains the model, and the body the API version. */
interface AnthropicCloud {
  readonly bodyVersion: string
  /** True if the body has no `stream` field. */
  readonly isStreamInPath?: true
  /** Returns the path for a model, relative to the base URL of the account or project. */
  readonly createPath: (model: string, stream: boolean) => string
}

/** The deviations of a host from Anthropic's own API. A missing field means no known deviation. */
export interface AnthropicFlavor {
  /** Present if the host is a cloud that runs Anthropic's models. */
  readonly cloud?: AnthropicCloud
  /** True if the host runs the models of other vendors: it verifies no signatures, and knows none of Claude's settings. */
  readonly isCompatibleHost?: boolean
  /** The vendor of all models that the host runs; absent if it runs models of several vendors. */
  readonly vendor?: string
  /** Settings that the host rejects or ignores. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** The highest temperature that the host accepts; default: 1. */
  readonly maxTemperature?: number
  /** `auto` if the host has no `tool_choice`. */
  readonly toolChoices?: 'auto'
  /** `false` if the output cannot be constrained by a schema. */
  readonly supportsOutputSchema?: boolean
  /** The media types that messages may contain; default: all. */
  readonly mediaTypes?: readonly MediaPart['type'][]
  /** `false` if images must be inline data, not URLs. */
  readonly imageUrls?: boolean
}

/** Hosts that run the models of other vendors. Their documentation has no output schemas, except where a row says so. */
const compatibleHost: AnthropicFlavor = { isCompatibleHost: true, supportsOutputSchema: false }

/** The deviations of each host. */
export const flavors: Readonly<Record<FlavorNamesByDialect['anthropic'], AnthropicFlavor>> = {
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
  bedrock: {
    cloud: {
      bodyVersion: 'bedrock-2023-05-31',
      isStreamInPath: true,
      createPath: (model, stream) => `/model/${model}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
    },
  },
  // https://api-docs.deepseek.com/guides/anthropic_api
  deepseek: {
    ...compatibleHost,
    vendor: 'deepseek',
    refusedSettings: ['topK', 'parallelToolCalls'],
    maxTemperature: 2,
    mediaTypes: [],
  },
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (`/v1/messages`)
  'llama.cpp': { ...compatibleHost, maxTemperature: 2, refusedSettings: ['user'], mediaTypes: ['image'] },
  // https://lmstudio.ai/docs/developer/anthropic-compat
  lmstudio: compatibleHost,
  // https://platform.minimax.io/docs/api-reference/text-anthropic-api
  minimax: { ...compatibleHost, vendor: 'minimax', refusedSettings: ['topK', 'stop'], mediaTypes: ['image'] },
  // https://platform.kimi.ai/docs/api/overview
  moonshot: { ...compatibleHost, vendor: 'moonshot' },
  // https://docs.ollama.com/api/anthropic-compatibility
  ollama: {
    ...compatibleHost,
    maxTemperature: 2,
    refusedSettings: ['parallelToolCalls', 'user'],
    toolChoices: 'auto',
    mediaTypes: ['image'],
    imageUrls: false,
  },
  // https://docs.anthropic.com/en/api/claude-on-vertex-ai
  vertex: {
    cloud: {
      bodyVersion: 'vertex-2023-10-16',
      createPath: (model, stream) =>
        `/publishers/anthropic/models/${model}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
    },
  },
  // https://docs.z.ai/scenario-example/develop-tools/claude
  zai: { ...compatibleHost, vendor: 'zai' },
}

/** The version of Anthropic's API that the versions of the hosts correspond to. */
const HOST_VERSION = '2023-06-01'

/** Anthropic itself. */
const NO_FLAVOR: AnthropicFlavor = Object.freeze({})

/** Returns the deviations of the host that a flavor names; none for the flavor of another dialect. */
export function getFlavor({ flavor }: { readonly flavor?: string }): AnthropicFlavor {
  return findFlavor<AnthropicFlavor>({ dialect: 'anthropic', flavors }, flavor) ?? NO_FLAVOR
}

/** Returns the API version of a request: the one in the options, or the one that the host implies. */
export function getApiVersion(options: EncodeOptions): string | undefined {
  return options.apiVersion ?? (getFlavor(options) === NO_FLAVOR ? undefined : HOST_VERSION)
}

/** Returns the body in the form that the cloud of the options accepts. */
export function fitBodyToCloud(body: JsonObject, options: EncodeOptions): JsonObject {
  const { cloud } = getFlavor(options)
  if (cloud === undefined) return body
  const { model: _model, stream, ...others } = body
  const streamField = cloud.isStreamInPath || stream === undefined ? {} : { stream }
  return { anthropic_version: cloud.bodyVersion, ...others, ...streamField }
}

/** The facts about a host of Anthropic's Messages API, and the flavor that it resembles. */
export interface FlavorDefinition extends AnthropicFlavor {
  /** The built-in flavor whose facts apply where this one states none. Default: a host that runs models of other vendors. */
  readonly base?: FlavorNamesByDialect['anthropic']
}

/**
 * Defines a flavor of `anthropic`: a host with deviations of its own. The name is stored with messages, so it must not change.
 *
 * @example
 * const myHost = defineFlavor('my-host', { maxTemperature: 2, mediaTypes: ['image'] })
 * defineProvider({ name: 'my-host', dialect: anthropicDialect, baseUrl: 'https://my-host.example', flavor: myHost })
 */
export function defineFlavor(name: string, definition: FlavorDefinition = {}): RegisteredFlavor {
  return registerFlavor<AnthropicFlavor>(
    { dialect: 'anthropic', flavors, defaults: compatibleHost },
    name,
    definition,
  )
}
