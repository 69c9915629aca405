import type { JsonObject } from '../../wire/json.ts'
import type { EncodeOptions } from '../dialect.ts'

/** A cloud that serves Anthropic's models: the path names the model, and the body the version. */
export interface AnthropicFlavor {
  /** The version that the body names. */
  readonly version: string
  /** Whether the path alone says that the answer is streamed. */
  readonly streamInPath?: true
  /** The path for a model, below the base URL of the account or the project. */
  readonly path: (model: string, stream: boolean) => string
}

/** The clouds that speak `anthropic`, and how each of them differs. */
export const flavors: { readonly [name in AnthropicFlavorName]: AnthropicFlavor } = {
  bedrock: {
    version: 'bedrock-2023-05-31',
    streamInPath: true,
    path: (model, stream) => `/model/${model}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
  },
  vertex: {
    version: 'vertex-2023-10-16',
    path: (model, stream) =>
      `/publishers/anthropic/models/${model}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
  },
}

/** The clouds that speak `anthropic` with differences of their own. */
export type AnthropicFlavorName = 'bedrock' | 'vertex'

/** The version of Anthropic's own that the clouds' versions are of. */
const CLOUD_VERSION = '2023-06-01'

/** How the cloud that a flavor names differs; undefined for the provider itself. */
export function flavorOf({ flavor }: { readonly flavor?: string }): AnthropicFlavor | undefined {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as AnthropicFlavorName]
    : undefined
}

/** The version of the API that a request follows, where one is asked for, or follows from its host. */
export function versionFor(options: EncodeOptions): string | undefined {
  return options.apiVersion ?? (flavorOf(options) === undefined ? undefined : CLOUD_VERSION)
}

/** A body as a cloud takes it. */
export function inCloud(body: JsonObject, options: EncodeOptions): JsonObject {
  const flavor = flavorOf(options)
  if (flavor === undefined) return body
  const { model: _model, stream, ...others } = body
  const asked = flavor.streamInPath || stream === undefined ? {} : { stream }
  return { anthropic_version: flavor.version, ...others, ...asked }
}
