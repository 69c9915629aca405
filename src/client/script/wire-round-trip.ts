import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { DecodeOptions, Dialect, EncodeOptions, Flavor } from '../../dialects/engine/dialect.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import type { StreamCodec } from '../../dialects/engine/stream-codec.ts'
import { encodeStreamBytes } from '../../dialects/engine/stream-encoder.ts'
import { createStreamTextReader } from '../../dialects/engine/stream-text-reader.ts'
import { ProviderError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import { ConnectionCut } from './scripted-turn.ts'

/** The dialect and host of a scripted model. */
export interface WireRoundTripOptions extends IdentityOptions {
  readonly dialect: Dialect
  readonly flavor?: Flavor
  readonly capabilities?: ModelCapabilities
}

/** A request as the receiver decodes it. */
export interface RoundTrippedRequest {
  readonly request: ChatRequest
  readonly body: Json
  readonly losses: readonly Loss[]
}

/** The losses and the text of a stream on the wire. */
export class WireRecording {
  readonly losses: Loss[] = []
  text = ''
}

/** Encodes everything to the wire format and decodes it again, as a client and a provider would. */
export class WireRoundTrip {
  readonly #dialect: Dialect
  readonly #streamCodec: StreamCodec
  readonly #model: string
  readonly #encodeOptions: EncodeOptions
  readonly #decodeOptions: DecodeOptions

  constructor(model: string, { dialect, flavor, capabilities, newId, now }: WireRoundTripOptions) {
    this.#dialect = dialect
    this.#streamCodec = getStreamCodec(dialect)
    this.#model = model
    const host = { ...(flavor && { flavor }), ...(now && { now }) }
    this.#encodeOptions = { ...host, ...(capabilities && { capabilities }) }
    this.#decodeOptions = { ...host, ...(newId && { newId }) }
  }

  sendRequest(request: ChatRequest, stream: boolean): RoundTrippedRequest {
    const sentRequest = { ...request, stream }
    const options = { ...this.#encodeOptions, model: this.#model }
    const { value, losses } = this.#dialect.encodeRequest(sentRequest, options)
    const body = throughJson(value)
    const { path } = this.#dialect.endpoint(sentRequest, options)
    const decoded = this.#dialect.decodeRequest(body, { ...this.#decodeOptions, path })
    return { request: decoded.value, body, losses }
  }

  sendResponse(
    response: ChatResponse,
    request: ChatRequest,
  ): Translation<ChatResponse> & { readonly body: Json } {
    const { value, losses } = this.#dialect.encodeResponse(response, { ...this.#encodeOptions, request })
    const body = throughJson(value)
    const decoded = this.#dialect.decodeResponse(body, { ...this.#decodeOptions, request })
    return { value: decoded.value, losses, body }
  }

  /** Returns the events decoded from the encoded bytes. */
  sendEvents(
    events: AsyncIterable<ChatEvent>,
    request: ChatRequest,
    signal: AbortSignal | undefined,
    recording: WireRecording,
  ): AsyncIterable<ChatEvent> {
    const onLoss = (loss: Loss): void => void recording.losses.push(loss)
    const options = { ...this.#encodeOptions, request: askForUsage(request) }
    const bytes = encodeStreamBytes(this.#streamCodec, events, options, onLoss)
    const source = recordUntilCut(bytes, createStreamTextReader(this.#streamCodec), recording)
    return this.#dialect.decodeStream(source, { ...this.#decodeOptions, request, ...(signal && { signal }) })
  }

  /** Returns a `ProviderError` as decoded from its encoded response, and other errors unchanged. */
  sendError(error: Error): Error {
    if (!(error instanceof ProviderError)) return error
    const { status, headers, body } = this.#dialect.encodeError(error)
    return this.#dialect.decodeError(status, throughJson(body), new Headers(headers))
  }
}

/** Returns the request with the field by which the providers of this library ask for usage in a stream. */
function askForUsage(request: ChatRequest): ChatRequest {
  const chat = { ...request.extra?.['openai-chat'], stream_options: { include_usage: true } }
  return { ...request, extra: { ...request.extra, 'openai-chat': chat } }
}

function throughJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

async function* recordUntilCut(
  bytes: AsyncIterable<Uint8Array>,
  readText: (chunk: Uint8Array) => string,
  recording: WireRecording,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of bytes) {
      recording.text += readText(piece)
      yield piece
    }
  } catch (error) {
    if (!(error instanceof ConnectionCut)) throw error
  }
}
