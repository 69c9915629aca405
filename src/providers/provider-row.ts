import type { EmbeddingBatchLimits } from '../client/embedding-model.ts'
import type { ModelCapabilities } from '../canonical/model/capabilities.ts'
import type { DialectName, Flavor } from '../dialects/engine/dialect.ts'
import type { JsonObject } from '../wire/json.ts'

/** How a host is shown a key: the header that holds it. */
export type AuthStyle = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key' | 'none'

/** How a host lists its models. */
export type ListStyle = 'openai' | 'anthropic' | 'gemini' | 'ollama'

/** How a host takes texts to embed. */
export type EmbeddingStyle = 'openai' | 'mistral' | 'gemini' | 'ollama'

/** How a host counts the tokens of a request. */
export type CountStyle = 'anthropic' | 'gemini' | 'vertex' | 'openai-responses'

/** Where the reasoning of a conversation lies: with the provider, or encrypted with us. */
export type StateMode = 'stored' | 'encrypted'

/** A provider: who speaks which wire format, where, and with which key. */
export interface ProviderRow {
  /** Who answers, as replies and errors say it. */
  readonly provider: string
  readonly dialect: DialectName
  readonly flavor?: Flavor
  /** Absent where each account has its own. */
  readonly baseUrl?: string
  /** The variable that holds another base URL. */
  readonly baseUrlVariable?: string
  /** The port of a host that the variable names without one. */
  readonly defaultPort?: number
  /** What stands between that address, or the usual one, and the paths of the wire format. */
  readonly pathPrefix?: string
  /** The variables that may hold the key; the first one that is set counts. */
  readonly keyVariables: readonly string[]
  /** Whether it answers without a key. */
  readonly isKeyOptional?: true
  readonly auth: AuthStyle
  readonly capabilities?: ModelCapabilities
  /** What differs by the name of the model; the first row that fits counts. */
  readonly families?: readonly (readonly [names: RegExp, facts: ModelCapabilities])[]
  /** Fields that a streamed request needs, so that the answer tells what a whole one would. */
  readonly defaultStreamFields?: JsonObject
  /** How a conversation goes on: from what the provider has stored, or from reasoning that it gave out encrypted. */
  readonly stateMode?: StateMode
  readonly listStyle?: ListStyle
  readonly embedding?: EmbeddingBatchLimits & { readonly style: EmbeddingStyle }
  readonly countStyle?: CountStyle
}
