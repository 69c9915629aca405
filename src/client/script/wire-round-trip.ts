import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type {
  DecodeOptions,
  Dialect,
  DialectName,
  EncodeOptions,
  Flavor,
} from '../../dialects/engine/dialect.ts'
import { getStreamCodec } from '../../dialects/engine/define-dialect.ts'
import { encodeStream } from '../../dialects/engine/stream.ts'
import { dialectCodecs, dialects } from '../../dialects/dialects.ts'
import { ProviderError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import { ConnectionCut } from './scripted-turn.ts'

/** The wire format that a scripted model speaks. */
export interface WireRoundTripOptions extends IdentityOptions {
  readonly dialect: DialectName
  readonly flavor?: Flavor
  readonly capabilities?: ModelCapabilities
}

/** A request as it arrives at the other end. */
export interface ReceivedRequest {
  readonly request: ChatRequest
  readonly body: Json
  readonly losses: readonly Loss[]
}

/** What the wire could not say, and what was said on it. */
export class WireRecording {
  readonly losses: Loss[] = []
  readonly #pieces: string[] = []

  get text(): string {
    return this.#pieces.join('')
  }

  onLoss(loss: Loss): void {
    this.losses.push(loss)
  }

  onText(text: string): void {
    this.#pieces.push(text)
  }
}

/** Both ends of a wire: what one side says is written as bytes, and read again by the other. */
export class WireRoundTrip {
  readonly #dialect: Dialect
  readonly #model: string
  readonly #encodeOptions: EncodeOptions
  readonly #decodeOptions: DecodeOptions

  constructor(model: string, { dialect, flavor, capabilities, newId, now }: WireRoundTripOptions) {
    this.#dialect = dialects[dialect]
    this.#model = model
    const host = { ...(flavor && { flavor }), ...(now && { now }) }
    this.#encodeOptions = { ...host, ...(capabilities && { capabilities }) }
    this.#decodeOptions = { ...host, ...(newId && { newId }) }
  }

  sendRequest(request: ChatRequest, stream: boolean): ReceivedRequest {
    const asked = { ...request, stream }
    const options = { ...this.#encodeOptions, model: this.#model }
    const { value, losses } = this.#dialect.encodeRequest(asked, options)
    const body = throughJson(value)
    const { path } = this.#dialect.endpoint(asked, options)
    return {
      request: this.#dialect.decodeRequest(body, { ...this.#decodeOptions, path }).value,
      body,
      losses,
    }
  }

  sendResponse(
    answer: ChatResponse,
    request: ChatRequest,
  ): Translation<ChatResponse> & { readonly body: Json } {
    const { value, losses } = this.#dialect.encodeResponse(answer, { ...this.#encodeOptions, request })
    const body = throughJson(value)
    return {
      value: this.#dialect.decodeResponse(body, { ...this.#decodeOptions, request }).value,
      losses,
      body,
    }
  }

  /** The events as they are read from the bytes that say them. */
  sendEvents(
    told: AsyncIterable<ChatEvent>,
    request: ChatRequest,
    signal: AbortSignal | undefined,
    heard: WireRecording,
  ): AsyncIterable<ChatEvent> {
    const codec = getStreamCodec(dialectCodecs[this.#dialect.name])
    const onLoss = (loss: Loss): void => heard.onLoss(loss)
    const bytes = recordUntilCut(
      encodeStream(codec, told, { ...this.#encodeOptions, request }, onLoss),
      heard,
    )
    return this.#dialect.decodeStream(bytes, { ...this.#decodeOptions, request, ...(signal && { signal }) })
  }

  /** An error as it is read from the reply that says it; what is no provider's error says no reply. */
  sendError(error: Error): Error {
    if (!(error instanceof ProviderError)) return error
    const { status, headers, body } = this.#dialect.encodeError(error)
    return this.#dialect.decodeError(status, throughJson(body), new Headers(headers))
  }
}

function throughJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

async function* recordUntilCut(
  bytes: AsyncIterable<Uint8Array>,
  heard: WireRecording,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  try {
    for await (const piece of bytes) {
      heard.onText(decoder.decode(piece, { stream: true }))
      yield piece
    }
  } catch (error) {
    if (!(error instanceof ConnectionCut)) throw error
  }
}
