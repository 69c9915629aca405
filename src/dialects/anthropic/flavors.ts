import type { JsonObject } from '../../wire/json.ts'
import type { EncodeOptions, FlavorNames } from '../engine/dialect.ts'

/** A cloud that serves Anthropic's models: the path names the model, and the body the version. */
export interface AnthropicFlavor {
  /** The version that the body names. */
  readonly bodyVersion: string
  /** Whether the path alone says that the answer is streamed. */
  readonly isStreamInPath?: true
  /** The path for a model, below the base URL of the account or the project. */
  readonly createPath: (model: string, stream: boolean) => string
}

/** The clouds that speak `anthropic`, and how each of them differs. */
export const flavors: { readonly [name in AnthropicFlavorName]: AnthropicFlavor } = {
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

/** The clouds that speak `anthropic` with differences of their own. */
export type AnthropicFlavorName = FlavorNames['anthropic']

/** The version of Anthropic's own that the clouds' versions are of. */
const CLOUD_VERSION = '2023-06-01'

/** How the cloud that a flavor names differs; undefined for the provider itself. */
export function getFlavor({ flavor }: { readonly flavor?: string }): AnthropicFlavor | undefined {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as AnthropicFlavorName]
    : undefined
}

/** The version of the API that a request follows, where one is asked for, or follows from its host. */
export function getApiVersion(options: EncodeOptions): string | undefined {
  return options.apiVersion ?? (getFlavor(options) === undefined ? undefined : CLOUD_VERSION)
}

/** A body as a cloud takes it. */
export function fitBodyToCloud(body: JsonObject, options: EncodeOptions): JsonObject {
  const flavor = getFlavor(options)
  if (flavor === undefined) return body
  const { model: _model, stream, ...others } = body
  const asked = flavor.isStreamInPath || stream === undefined ? {} : { stream }
  return { anthropic_version: flavor.bodyVersion, ...others, ...asked }
}
