import type { Translation } from '../canonical/model/loss.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ByteSource } from '../wire/byte-source.ts'
import { withCleanup } from '../wire/cancellation.ts'
import { codec as anthropicCodec } from './anthropic/codec.ts'
import { anthropicDialect } from './anthropic/index.ts'
import type {
  DecodeOptions,
  DialectName,
  EncodeOptions,
  NamedDialect,
  WireRequest,
  WireResponse,
} from './engine/dialect.ts'
import { type DialectCodec, getStreamCodec } from './engine/define-dialect.ts'
import { codec as geminiCodec } from './gemini/codec.ts'
import { geminiDialect } from './gemini/index.ts'
import { codec as ollamaCodec } from './ollama/codec.ts'
import { ollamaDialect } from './ollama/index.ts'
import { codec as openaiChatCodec } from './openai-chat/codec.ts'
import { openaiChatDialect } from './openai-chat/index.ts'
import { codec as openaiResponsesCodec } from './openai-responses/codec.ts'
import { openaiResponsesDialect } from './openai-responses/index.ts'
import { decodeStream, encodeStream } from './engine/stream.ts'

/**
 * The wire formats, by name.
 *
 * @example
 * const request = dialects['openai-chat'].decodeRequest(body).value
 * dialects.anthropic.encodeRequest(request).value
 */
export const dialects: { readonly [Name in DialectName]: NamedDialect<Name> } = {
  'openai-chat': openaiChatDialect,
  'openai-responses': openaiResponsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  ollama: ollamaDialect,
}

/** What each wire format brings. */
export const dialectCodecs: { readonly [name in DialectName]: DialectCodec } = {
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
): Translation<WireRequest<To>> {
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
): Translation<WireResponse<To>> {
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
  const foundLosses: Loss[] = []
  let resolveLosses: (losses: readonly Loss[]) => void = () => {}
  const losses = new Promise<readonly Loss[]>((resolve) => {
    resolveLosses = resolve
  })
  const events = decodeStream(getStreamCodec(dialectCodecs[from]), source, options)
  const bytes = encodeStream(getStreamCodec(dialectCodecs[to]), events, options, (loss) =>
    foundLosses.push(loss),
  )
  async function* translated(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* bytes
    } finally {
      resolveLosses(Object.freeze(foundLosses))
    }
  }
  const unread = async (): Promise<void> => {
    await bytes.return?.()
    resolveLosses(Object.freeze(foundLosses))
  }
  return { body: withCleanup(translated(), unread), losses }
}
