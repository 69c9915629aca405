import type { RuleTarget } from '../../canonical/check/rule.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { ByteSource } from '../../wire/byte-source.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import type { AnthropicRequest, AnthropicResponse } from '../anthropic/wire.ts'
import type { GeminiRequest, GeminiResponse } from '../gemini/wire.ts'
import type { AnthropicFlavorName } from '../anthropic/flavors.ts'
import type { GeminiFlavorName } from '../gemini/flavors.ts'
import type { Capabilities } from './model-capabilities.ts'
import type { OllamaRequest, OllamaResponse } from '../ollama/wire.ts'
import type { ChatFlavorName } from '../openai-chat/flavors.ts'
import type { OpenAIChatRequest, OpenAIChatResponse } from '../openai-chat/wire.ts'
import type { OpenAIResponsesRequest, OpenAIResponsesResponse } from '../openai-responses/wire.ts'
import type { ErrorCodec } from './error-codec.ts'

/** The bodies of each wire format. */
type WireBodies = {
  'openai-chat': { request: OpenAIChatRequest; response: OpenAIChatResponse }
  'openai-responses': { request: OpenAIResponsesRequest; response: OpenAIResponsesResponse }
  anthropic: { request: AnthropicRequest; response: AnthropicResponse }
  gemini: { request: GeminiRequest; response: GeminiResponse }
  ollama: { request: OllamaRequest; response: OllamaResponse }
}

/** The wire formats that we speak. */
export type DialectName = keyof WireBodies

/** The request body of a wire format, as its official client takes it. */
export type WireRequest<Name extends DialectName> = WireBodies[Name]['request']

/** The response body of a wire format, as its official client gives it. */
export type WireResponse<Name extends DialectName> = WireBodies[Name]['response']

/**
 * A host that speaks a wire format with differences of its own: most speak `openai-chat`; `vertex` speaks `gemini` and
 * `anthropic`, and `bedrock` speaks `anthropic`. A dialect that a flavor is not of goes on as without it.
 *
 * @example
 * dialects['openai-chat'].encodeRequest(request, { flavor: 'groq' })
 */
export type Flavor = ChatFlavorName | AnthropicFlavorName | GeminiFlavorName

/** How to decode. */
export interface DecodeOptions extends IdentityOptions {
  /** The request that a response answers. */
  readonly request?: ChatRequest
  /** The host whose differences a request has, so that its own names of settings are understood. */
  readonly flavor?: Flavor
  /** The path that a request was sent to, for formats that say there what others say in the body (Gemini's model). */
  readonly path?: string
  /** How much a stream may hold. */
  readonly limits?: StreamLimits
  /** Stops reading a stream and cancels its source. */
  readonly signal?: AbortSignal
  /** Whether to keep what only this wire format says, so that encoding gives the very same body. Default: true. */
  readonly exact?: boolean
}

/** How to encode. */
export interface EncodeOptions {
  /** The model to ask; default: the request's. */
  readonly model?: string
  /** The host that a request goes to, where it differs from the format that it speaks. */
  readonly flavor?: Flavor
  /** Facts about the model, where they are other than what the dialect knows. */
  readonly capabilities?: Capabilities
  /** The version of the provider's API; default: what its official client sends. */
  readonly apiVersion?: string
  /** The request that a response answers. */
  readonly request?: ChatRequest
  /** Whether a loss is allowed; an error refuses the whole translation. Notes are always allowed. Default: allow. */
  readonly onLoss?: 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error')
  /** What becomes of reasoning that the target cannot verify: it stays behind, or is shown as text. Default: drop. */
  readonly foreignReasoning?: 'drop' | 'text'
  /** What becomes of content that the target cannot hold: it is described in words, or dropped. Default: describe. */
  readonly unsupported?: 'describe' | 'drop'
  readonly now?: () => number
}

/** What a request needs that is not in its body; the path is relative to the provider's base URL. */
export interface Endpoint {
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
}

/** A body that says whether the answer is to be streamed, in the formats where the body says it. */
type WithStreamFlag<Body, Stream> = 'stream' extends keyof Body ? Body & Stream : Body

/**
 * A wire format: pure translation in both directions, no network. Its `rules` say what its provider asks of a conversation,
 * for `validate` and `repair`.
 */
export interface Dialect<
  RequestBody = unknown,
  ResponseBody = unknown,
  Streamed = RequestBody,
  Whole = RequestBody,
> extends RuleTarget {
  readonly name: DialectName
  decodeRequest(wire: unknown, options?: DecodeOptions): Translation<ChatRequest>
  /**
   * A body for the provider. What the type of `request` says about `stream`, the type of the body says too, and official
   * clients tell by it whether they answer with a stream; where it is open, `if (body.stream)` decides.
   */
  encodeRequest(
    request: ChatRequest & { readonly stream: true },
    options?: EncodeOptions,
  ): Translation<Streamed>
  encodeRequest(
    request: ChatRequest & { readonly stream?: false },
    options?: EncodeOptions,
  ): Translation<Whole>
  encodeRequest(request: ChatRequest, options?: EncodeOptions): Translation<RequestBody>
  /**
   * The body as JSON text. For a conversation that grows as a `Messages`, what was written before is kept, so that the next
   * turn costs what is new in it, however long the conversation is.
   *
   * @example
   * await fetch(url, { method: 'POST', body: dialects.anthropic.encodeRequestText(request).value })
   */
  encodeRequestText(request: ChatRequest, options?: EncodeOptions): Translation<string>
  decodeResponse(wire: unknown, options?: DecodeOptions): Translation<ChatResponse>
  encodeResponse(response: ChatResponse, options?: EncodeOptions): Translation<ResponseBody>
  /** The events of a streamed answer: what came, then an `error` event where it broke, then the end. */
  decodeStream(source: ByteSource, options?: DecodeOptions): AsyncIterable<ChatEvent>
  /** Events as a framed stream, ready to send. */
  encodeStream(
    events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
    options?: EncodeOptions,
  ): AsyncIterable<Uint8Array>
  /**
   * By the piece, for those who write their own driver: what says one message in the middle of a conversation. Some formats
   * need several wire messages for it, and none for one that says nothing. Losses have paths into the message.
   *
   * @example
   * dialects['openai-chat'].encodeMessage(user('Hi')).value // [{ role: 'user', content: 'Hi' }]
   */
  encodeMessage(message: Message, options?: EncodeOptions): Translation<readonly JsonObject[]>
  /** Tools as they stand in a request, without those that cannot be sent. Losses have paths into the list. */
  encodeTools(tools: readonly Tool[], options?: EncodeOptions): Translation<readonly JsonObject[]>
  /** What the `usage` object of a response counts; undefined when it counts nothing. */
  decodeUsage(wire: unknown): Usage | undefined
  /** Why the model stopped, from the object that says so: a choice, a candidate, or a whole response. */
  decodeFinish(wire: unknown): Finish | undefined
  /** Where a request goes, and what goes along with it outside of the body. */
  endpoint(request: ChatRequest, options?: EncodeOptions): Endpoint
  /** The typed error of a reply with status 400 and up. */
  readonly decodeError: ErrorCodec['decodeError']
  /** A typed error as the reply that this format's clients expect. */
  readonly encodeError: ErrorCodec['encodeError']
}

/** A wire format with the types of its own bodies. */
export type NamedDialect<Name extends DialectName> = Dialect<
  WireRequest<Name>,
  WireResponse<Name>,
  WithStreamFlag<WireRequest<Name>, { stream: true }>,
  WithStreamFlag<WireRequest<Name>, { stream?: false }>
>
