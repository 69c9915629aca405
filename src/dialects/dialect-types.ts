import type { AnthropicRequest, AnthropicResponse } from './anthropic/wire.ts'
import type { BedrockRequest, BedrockResponse } from './bedrock/wire.ts'
import type { CohereRequest, CohereResponse } from './cohere/wire.ts'
import type { Dialect, DialectName } from './engine/dialect.ts'
import type { GeminiRequest, GeminiResponse } from './gemini/wire.ts'
import type { GeminiInteractionsRequest, GeminiInteractionsResponse } from './gemini-interactions/wire.ts'
import type { MistralRequest, MistralResponse } from './mistral/wire.ts'
import type { OllamaRequest, OllamaResponse } from './ollama/wire.ts'
import type { OpenAIChatRequest, OpenAIChatResponse } from './openai-chat/wire.ts'
import type { OpenAIResponsesRequest, OpenAIResponsesResponse } from './openai-responses/wire.ts'

/** Checks that a table has a row for every dialect and no other row. */
type DialectTable<
  Table extends { readonly [Name in DialectName | keyof Table]: Name extends DialectName ? object : never },
> = Table

/** The request and response body of every dialect. */
type WireBodies = DialectTable<{
  'openai-chat': { request: OpenAIChatRequest; response: OpenAIChatResponse }
  'openai-responses': { request: OpenAIResponsesRequest; response: OpenAIResponsesResponse }
  anthropic: { request: AnthropicRequest; response: AnthropicResponse }
  gemini: { request: GeminiRequest; response: GeminiResponse }
  ollama: { request: OllamaRequest; response: OllamaResponse }
  mistral: { request: MistralRequest; response: MistralResponse }
  'gemini-interactions': { request: GeminiInteractionsRequest; response: GeminiInteractionsResponse }
  bedrock: { request: BedrockRequest; response: BedrockResponse }
  cohere: { request: CohereRequest; response: CohereResponse }
}>

/** The request body of a dialect, as its official client accepts it. */
export type WireRequest<Name extends DialectName> = WireBodies[Name]['request']

/** The response body of a dialect, as its official client returns it. */
export type WireResponse<Name extends DialectName> = WireBodies[Name]['response']

/** A body with a known `stream` flag, for the formats whose body has one. */
type WithStreamFlag<Body, Stream> = 'stream' extends keyof Body ? Body & Stream : Body

/** A dialect with the types of its own bodies. */
export type TypedDialect<Name extends DialectName> = Dialect<
  WireRequest<Name>,
  WireResponse<Name>,
  WithStreamFlag<WireRequest<Name>, { stream: true }>,
  WithStreamFlag<WireRequest<Name>, { stream?: false }>
> & { readonly name: Name }
