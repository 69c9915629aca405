import type { IdentityOptions } from '../../canonical/build/identity.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss, Translated } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { DecodeOptions, Dialect, DialectName, EncodeOptions, Flavor } from '../../dialects/dialect.ts'
import { streamOf } from '../../dialects/define.ts'
import { encodeStream } from '../../dialects/stream.ts'
import { codecs, dialects } from '../../dialects/translate.ts'
import { ProviderError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import type { ModelCapabilities } from '../model.ts'
import { Cut } from './play.ts'

/** The wire format that a scripted model speaks. */
export interface WireOptions extends IdentityOptions {
  readonly dialect: DialectName
  readonly flavor?: Flavor
  readonly capabilities?: ModelCapabilities
}

/** A request as it arrives at the other end. */
export interface Received {
  readonly request: ChatRequest
  readonly body: Json
  readonly losses: readonly Loss[]
}

/** What the wire could not say, and what was said on it. */
export class Heard {
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
export class Wire {
  readonly #dialect: Dialect
  readonly #model: string
  readonly #encode: EncodeOptions
  readonly #decode: DecodeOptions

  constructor(model: string, { dialect, flavor, capabilities, newId, now }: WireOptions) {
    this.#dialect = dialects[dialect]
    this.#model = model
    const host = { ...(flavor && { flavor }), ...(now && { now }) }
    this.#encode = { ...host, ...(capabilities && { capabilities }) }
    this.#decode = { ...host, ...(newId && { newId }) }
  }

  request(request: ChatRequest, stream: boolean): Received {
    const asked = { ...request, stream }
    const options = { ...this.#encode, model: this.#model }
    const { value, losses } = this.#dialect.encodeRequest(asked, options)
    const body = overWire(value)
    const { path } = this.#dialect.endpoint(asked, options)
    return { request: this.#dialect.decodeRequest(body, { ...this.#decode, path }).value, body, losses }
  }

  response(answer: ChatResponse, request: ChatRequest): Translated<ChatResponse> & { readonly body: Json } {
    const { value, losses } = this.#dialect.encodeResponse(answer, { ...this.#encode, request })
    const body = overWire(value)
    return { value: this.#dialect.decodeResponse(body, { ...this.#decode, request }).value, losses, body }
  }

  /** The events as they are read from the bytes that say them. */
  events(
    told: AsyncIterable<ChatEvent>,
    request: ChatRequest,
    signal: AbortSignal | undefined,
    heard: Heard,
  ): AsyncIterable<ChatEvent> {
    const codec = streamOf(codecs[this.#dialect.name])
    const onLoss = (loss: Loss): void => heard.onLoss(loss)
    const bytes = untilCut(encodeStream(codec, told, { ...this.#encode, request }, onLoss), heard)
    return this.#dialect.decodeStream(bytes, { ...this.#decode, request, ...(signal && { signal }) })
  }

  /** An error as it is read from the reply that says it; what is no provider's error says no reply. */
  error(error: Error): Error {
    if (!(error instanceof ProviderError)) return error
    const { status, headers, body } = this.#dialect.encodeError(error)
    return this.#dialect.decodeError(status, overWire(body), new Headers(headers))
  }
}

function overWire(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

async function* untilCut(
  bytes: AsyncIterable<Uint8Array>,
  heard: Heard,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  try {
    for await (const piece of bytes) {
      heard.onText(decoder.decode(piece, { stream: true }))
      yield piece
    }
  } catch (error) {
    if (!(error instanceof Cut)) throw error
  }
}
