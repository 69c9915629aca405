import { getOwnValue, type JsonObject } from '../../wire/json.ts'
import type { EncodeOptions, FlavorNamesByDialect } from '../engine/dialect.ts'

/** A cloud that hosts Anthropic's models: the path contains the model, and the body the API version. */
export interface AnthropicFlavor {
  readonly bodyVersion: string
  /** True if the body has no `stream` field. */
  readonly isStreamInPath?: true
  /** Returns the path for a model, relative to the base URL of the account or project. */
  readonly createPath: (model: string, stream: boolean) => string
}

export const flavors: Readonly<Record<FlavorNamesByDialect['anthropic'], AnthropicFlavor>> = {
  bedrock: {
    bodyVersion: 'bedrock-2023-05-31',
    isStreamInPath: true,
    createPath: (model, stream) => `/model/${model}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  },
  vertex: {
    bodyVersion: 'vertex-2023-10-16',
    createPath: (model, stream) =>
      `/publishers/anthropic/models/${model}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
  },
}

/** The version of Anthropic's API that the versions of the clouds correspond to. */
const CLOUD_VERSION = '2023-06-01'

/** Returns the flavor of a cloud; undefined for Anthropic's own API. */
export function getFlavor({ flavor }: { readonly flavor?: string }): AnthropicFlavor | undefined {
  return getOwnValue(flavors, flavor ?? '') as AnthropicFlavor | undefined
}

/** Returns the API version of a request: the one in the options, or the one that the cloud implies. */
export function getApiVersion(options: EncodeOptions): string | undefined {
  return options.apiVersion ?? (getFlavor(options) && CLOUD_VERSION)
}

/** Returns the body in the form that the cloud of the options accepts. */
export function fitBodyToCloud(body: JsonObject, options: EncodeOptions): JsonObject {
  const flavor = getFlavor(options)
  if (flavor === undefined) return body
  const { model: _model, stream, ...others } = body
  const streamField = flavor.isStreamInPath || stream === undefined ? {} : { stream }
  return { anthropic_version: flavor.bodyVersion, ...others, ...streamField }
}
