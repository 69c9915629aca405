import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { RuleTarget } from '../../canonical/check/validation-rule.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { InterlinguaError, ProviderError } from '../../errors.ts'
import type { ByteSource } from '../../wire/byte-source.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import type { FlavorNamesByDialect } from './flavor-names.ts'
import type { RegisteredFlavor } from './flavor-registry.ts'
import type { ForeignReasoningAction, UnsupportedPolicy } from './unsupported-policy.ts'

/** The name of a wire format. */
export type DialectName =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'ollama'
  | 'mistral'
  | 'gemini-interactions'
  | 'bedrock'
  | 'cohere'

/**
 * A host that runs a dialect with differences of its own. Most flavors belong to `openai-chat`; some hosts have a flavor of
 * `anthropic` or `gemini`, too. A dialect ignores the flavors of other dialects; a name that is no
 * flavor is an error. `defineFlavor` adds hosts of your own.
 *
 * @example
 * dialects['openai-chat'].encodeRequest(request, { flavor: 'groq' })
 */
export type Flavor = FlavorNamesByDialect[keyof FlavorNamesByDialect] | RegisteredFlavor

/** Options of decoding. */
export interface DecodeOptions extends IdentityOptions {
  /** The request that the response belongs to. */
  readonly request?: ChatRequest
  /** The host that the request was written for; its own names of settings are decoded. */
  readonly flavor?: Flavor
  /** The path that the request was sent to. Gemini has the model in the path, not in the body. */
  readonly path?: string
  /** Limits on the number of elements, and on the sizes of a stream. */
  readonly limits?: StreamLimits
  /** Stops reading a stream and cancels its source. */
  readonly signal?: AbortSignal
  /**
   * Keeps residue, so that encoding to the same dialect returns the identical body. Default: true. Without it, the canonical
   * content is the same, but `extra` lacks the fields that interlingua does not model and the spellings, defaults and
   * positions of the received body; it keeps hints on the form of messages and parts, and the residue of tools.
   */
  readonly exact?: boolean
}

/** Options of encoding. */
export interface EncodeOptions {
  /**
   * The model to use, or the model that a response or a stream names: a client may drop its state if the answer names
   * another model than its request. Default: the model of the request or response.
   */
  readonly model?: string
  /** The host that receives the request, if it differs from the provider's own API. */
  readonly flavor?: Flavor
  /** Facts about the model that override those that the dialect knows. */
  readonly capabilities?: Capabilities
  /** The version of the provider's API. Default: the version that the official client sends. */
  readonly apiVersion?: string
  /** The request that the response belongs to. */
  readonly request?: ChatRequest
  /** Allows losses, or throws an error at the first one. Notes are always allowed. Default: `allow`. */
  readonly onLoss?: 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error')
  /**
   * What happens to reasoning that the target cannot verify. `native`: sent like the target's own reasoning, where it needs no
   * signature of the vendor. `text`: sent as text. `drop`: omitted. `reject`: an error. Default: `drop` in requests, `native`
   * in answers, whose readers expect reasoning in the form of their format.
   */
  readonly foreignReasoning?: ForeignReasoningAction
  /**
   * The signature of reasoning that another vendor made, in answers of a format that requires one (`anthropic`): a text, or a
   * function of the part. Its vendor does not accept it. Default: an empty text.
   */
  readonly reasoningSignature?: string | ((part: ReasoningPart) => string)
  /** The action for content that the target cannot express, for each kind of content. */
  readonly unsupported?: UnsupportedPolicy
  /**
   * Marks tools, instructions and the last two turns for the prompt cache, if the provider caches only what is marked
   * (Claude) and the request has no cache hints of its own. Default: false; agents mark their requests.
   */
  readonly promptCaching?: boolean
  /** Returns the current time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * The bytes of a stream, and its losses. `losses` resolves when the stream has ended, failed or was cancelled. A stream that
 * is not read keeps its source open: cancel it (`return` of its iterator, or `cancel` of a web stream that wraps it) if you
 * do not need it.
 *
 * @example
 * const stream = dialects.anthropic.encodeStream(events)
 * for await (const bytes of stream) response.write(bytes)
 * console.log(summarizeLosses(await stream.losses))
 */
export interface EncodedStream extends AsyncIterable<Uint8Array> {
  /** The same bytes, for functions that take only an iterable. */
  readonly body: AsyncIterableIterator<Uint8Array>
  readonly losses: Promise<readonly Loss[]>
}

/** The parts of an HTTP request that are not in its body. The path is relative to the provider's base URL. */
export interface Endpoint {
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
}

/** The headers of a `fetch` response, or plain data with names in any case. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** An error as an HTTP response. */
interface EncodedError {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Json
}

/**
 * A wire format: pure translation in both directions, no network. Its `rules` are the rules of its provider for a
 * conversation, which `validate` and `repair` apply.
 */
export interface Dialect<
  RequestBody = unknown,
  ResponseBody = unknown,
  StreamingBody = RequestBody,
  NonStreamingBody = RequestBody,
> extends RuleTarget {
  readonly name: string
  /** Decodes a request body. */
  decodeRequest(wire: unknown, options?: DecodeOptions): Translation<ChatRequest>
  /**
   * Encodes a request body. If the type of `request` has a known `stream` flag, the type of the body has it too: official
   * clients derive the type of their result from it. Otherwise check `body.stream`.
   */
  encodeRequest(
    request: ChatRequest & { readonly stream: true },
    options?: EncodeOptions,
  ): Translation<StreamingBody>
  encodeRequest(
    request: ChatRequest & { readonly stream?: false },
    options?: EncodeOptions,
  ): Translation<NonStreamingBody>
  encodeRequest(request: ChatRequest, options?: EncodeOptions): Translation<RequestBody>
  /**
   * Encodes a request body as JSON text. For a growing `Messages`, the encoded prefix is cached: the cost of a turn depends
   * on its new messages, not on the length of the conversation.
   *
   * @example
   * await fetch(url, { method: 'POST', body: dialects.anthropic.encodeRequestText(request).value })
   */
  encodeRequestText(request: ChatRequest, options?: EncodeOptions): Translation<string>
  /** Decodes a response body. */
  decodeResponse(wire: unknown, options?: DecodeOptions): Translation<ChatResponse>
  /** Encodes a response body. */
  encodeResponse(response: ChatResponse, options?: EncodeOptions): Translation<ResponseBody>
  /** Decodes a streamed response. If the stream fails, an `error` event follows the events that were received. */
  decodeStream(source: ByteSource, options?: DecodeOptions): AsyncIterable<ChatEvent>
  /** Encodes events as the bytes of a stream. Its `losses` resolve when it has ended. */
  encodeStream(events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>, options?: EncodeOptions): EncodedStream
  /**
   * Encodes one message as if it were in the middle of a conversation, for custom drivers. The result has several wire
   * messages in some formats, and none for a message without content. Paths of losses start at the message.
   *
   * @example
   * dialects['openai-chat'].encodeMessage(user('Hi')).value // [{ role: 'user', content: 'Hi' }]
   */
  encodeMessage(message: Message, options?: EncodeOptions): Translation<readonly JsonObject[]>
  /** Encodes the tools of a request, without those that the format cannot represent. Paths of losses start at the list. */
  encodeTools(tools: readonly Tool[], options?: EncodeOptions): Translation<readonly JsonObject[]>
  /** Decodes the `usage` object of a response; undefined if it has no counts. */
  decodeUsage(wire: unknown): Usage | undefined
  /** Decodes the finish reason of a choice, a candidate or a response, whichever contains it. */
  decodeFinish(wire: unknown): Finish | undefined
  /** Returns the path, the query and the headers of a request. */
  endpoint(request: ChatRequest, options?: EncodeOptions): Endpoint
  /** Decodes an HTTP response with a status of 400 or above as a typed error. */
  readonly decodeError: (status: number, body: unknown, headers?: HeaderSource) => ProviderError
  /** Encodes a typed error as the HTTP response that clients of this format expect. */
  readonly encodeError: (error: InterlinguaError) => EncodedError
}
