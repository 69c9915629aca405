import type { ChatEvent } from '../canonical/model/event.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Loss, Translated } from '../canonical/model/loss.ts'
import type { ChatResponse } from '../canonical/model/response.ts'
import type { IdentityOptions } from '../canonical/build/identity.ts'
import type { ByteSource } from '../wire/input.ts'
import type { StreamLimits } from '../wire/limits.ts'

/** The wire formats that we speak. */
export type DialectName = 'openai-chat' | 'anthropic'

/** How to decode. */
export interface DecodeOptions extends IdentityOptions {
  /** The request that a response answers. */
  readonly request?: ChatRequest
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

/** A wire format: pure translation in both directions, no network. */
export interface Dialect<WireRequest = unknown, WireResponse = unknown> {
  readonly name: DialectName
  decodeRequest(wire: unknown, options?: DecodeOptions): Translated<ChatRequest>
  encodeRequest(request: ChatRequest, options?: EncodeOptions): Translated<WireRequest>
  decodeResponse(wire: unknown, options?: DecodeOptions): Translated<ChatResponse>
  encodeResponse(response: ChatResponse, options?: EncodeOptions): Translated<WireResponse>
  /** The events of a streamed answer: what came, then an `error` event where it broke, then the end. */
  decodeStream(source: ByteSource, options?: DecodeOptions): AsyncIterable<ChatEvent>
  /** Events as a framed stream, ready to send. */
  encodeStream(
    events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
    options?: EncodeOptions,
  ): AsyncIterable<Uint8Array>
}
