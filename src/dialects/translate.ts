import type { Translated } from '../canonical/model/loss.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ByteSource } from '../wire/input.ts'
import { releasing } from '../wire/release.ts'
import { codec as anthropicCodec } from './anthropic/codec.ts'
import { anthropic } from './anthropic/index.ts'
import type {
  DecodeOptions,
  DialectName,
  EncodeOptions,
  NamedDialect,
  WireRequest,
  WireResponse,
} from './dialect.ts'
import { type Codec, streamOf } from './define.ts'
import { codec as geminiCodec } from './gemini/codec.ts'
import { gemini } from './gemini/index.ts'
import { codec as ollamaCodec } from './ollama/codec.ts'
import { ollama } from './ollama/index.ts'
import { codec as openaiChatCodec } from './openai-chat/codec.ts'
import { openaiChat } from './openai-chat/index.ts'
import { codec as openaiResponsesCodec } from './openai-responses/codec.ts'
import { openaiResponses } from './openai-responses/index.ts'
import { decodeStream, encodeStream } from './stream.ts'

/**
 * The wire formats, by name.
 *
 * @example
 * const request = dialects['openai-chat'].decodeRequest(body).value
 * dialects.anthropic.encodeRequest(request).value
 */
export const dialects: { readonly [Name in DialectName]: NamedDialect<Name> } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  ollama,
}

/** What each wire format brings. */
export const codecs: { readonly [name in DialectName]: Codec } = {
  'openai-chat': openaiChatCodec,
  'openai-responses': openaiResponsesCodec,
  anthropic: anthropicCodec,
  gemini: geminiCodec,
  ollama: ollamaCodec,
}

/** From where to where, and how; a flavor is one of the target. */
export interface TranslateOptions<To extends DialectName = DialectName> extends DecodeOptions, EncodeOptions {
  readonly from: DialectName
  readonly to: To
}

/**
 * A request body of one wire format as one of another, with everything that did not come through unchanged.
 *
 * @example
 * const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
 */
export function translateRequest<To extends DialectName>(
  body: unknown,
  { from, to, ...options }: TranslateOptions<To>,
): Translated<WireRequest<To>> {
  const { flavor: _target, ...reading } = options
  return dialects[to].encodeRequest(dialects[from].decodeRequest(body, reading).value, options)
}

/**
 * A response body of one wire format as one of another.
 *
 * @example
 * translateResponse(answer, { from: 'anthropic', to: 'openai-chat' }).value
 */
export function translateResponse<To extends DialectName>(
  body: unknown,
  { from, to, ...options }: TranslateOptions<To>,
): Translated<WireResponse<To>> {
  return dialects[to].encodeResponse(dialects[from].decodeResponse(body, options).value, options)
}

/**
 * A stream in another wire format. The losses are known when it has ended or was let go; a body that nobody reads holds its
 * source open, so let it go (`return`, or `cancel` of a web stream around it) where it is not wanted.
 */
export interface TranslatedStream {
  readonly body: AsyncIterable<Uint8Array>
  readonly losses: Promise<readonly Loss[]>
}

/**
 * A streamed answer of one wire format as one of another, event by event.
 *
 * @example
 * const { body, losses } = translateStream(response.body, { from: 'anthropic', to: 'openai-chat' })
 * for await (const bytes of body) send(bytes)
 */
export function translateStream(
  source: ByteSource,
  { from, to, ...options }: TranslateOptions,
): TranslatedStream {
  const found: Loss[] = []
  let settle: (losses: readonly Loss[]) => void = () => {}
  const losses = new Promise<readonly Loss[]>((resolve) => {
    settle = resolve
  })
  const events = decodeStream(streamOf(codecs[from]), source, options)
  const bytes = encodeStream(streamOf(codecs[to]), events, options, (loss) => found.push(loss))
  async function* translated(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* bytes
    } finally {
      settle(Object.freeze(found))
    }
  }
  const unread = async (): Promise<void> => {
    await bytes.return?.()
    settle(Object.freeze(found))
  }
  return { body: releasing(translated(), unread), losses }
}
