import type { EmbeddingBatchLimits } from '../client/embedding-model.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Flavor } from '../dialects/engine/dialect.ts'
import type { JsonObject } from '../wire/json.ts'

/** The header that contains the API key. */
export type AuthStyle = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key' | 'none'

/** The format of a host's list of models. */
export type ModelListStyle = 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'cohere'

/** The format of a host's embedding endpoint. */
export type EmbeddingStyle = 'openai' | 'mistral' | 'gemini' | 'ollama' | 'cohere'

/** The format of a host's token counting endpoint. */
export type TokenCountStyle = 'anthropic' | 'bedrock' | 'gemini' | 'vertex' | 'openai-responses'

/** The place of a conversation's state: with the provider, or encrypted in the messages. */
export type StateLocation = 'stored' | 'encrypted'

/** The facts about a provider: its dialect, base URL, authentication and endpoints. */
export interface ProviderRow {
  /** The provider name in replies and errors. */
  readonly provider: string
  /** The name of the dialect; the provider is created with the dialect itself. */
  readonly dialect: string
  readonly flavor?: Flavor
  /** True if the flavor applies to the provider's own host only: users set the base URL to reach other hosts. */
  readonly isFlavorOfOwnHost?: true
  /** Absent if each account has its own base URL. A name in braces is the environment variable of that part. */
  readonly baseUrl?: string
  /** The environment variable that overrides the base URL. */
  readonly baseUrlVariable?: string
  /** The port to use if the variable contains a host without one. */
  readonly defaultPort?: number
  /** The path between the base URL and the paths of the dialect. */
  readonly pathPrefix?: string
  /** The environment variables of the key; the first one that is set is used. */
  readonly keyVariables: readonly string[]
  /** True if requests without a key are accepted. */
  readonly isKeyOptional?: true
  readonly auth: AuthStyle
  readonly capabilities?: ModelCapabilities
  /** Wire fields of every request, without which answers would have another form. */
  readonly defaultFields?: JsonObject
  /** Wire fields of streamed requests, without which the stream would omit data such as usage. */
  readonly defaultStreamFields?: JsonObject
  /** The default of `ProviderOptions.state`. */
  readonly stateLocation?: StateLocation
  /** Returns true for a model that the provider serves only in the background. */
  readonly requiresBackground?: (model: string) => boolean
  readonly listStyle?: ModelListStyle
  readonly embedding?: EmbeddingBatchLimits & { readonly style: EmbeddingStyle }
  readonly countStyle?: TokenCountStyle
  /** Returns the row for a model, if the provider serves its models through several APIs; by default, this row. */
  readonly selectRow?: (model: string) => ProviderRow | undefined
  /** Throws if the API cannot serve a request. Other hosts than the provider's own are not checked. */
  readonly checkRequest?: (model: string, request: ChatRequest) => void
}
