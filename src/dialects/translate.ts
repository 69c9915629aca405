import type { Loss, Translation } from '../canonical/model/loss.ts'
import type { ByteSource } from '../wire/byte-source.ts'
import { withCleanup } from '../wire/cancellation.ts'
import type { WireRequest, WireResponse } from './dialect-types.ts'
import { dialectCodecs, dialects } from './dialects.ts'
import { getStreamCodec } from './engine/define-dialect.ts'
import type { DecodeOptions, DialectName, EncodeOptions } from './engine/dialect.ts'
import { decodeStream, encodeStream } from './engine/stream-codec.ts'
import { addModelNameLoss } from './engine/untranslated-model.ts'

/**
 * Options of the translate functions: the source and target dialect, and the options of decoding and encoding. `flavor` and
 * `model` are those of the target.
 */
export interface TranslateOptions<To extends DialectName = DialectName> extends DecodeOptions, EncodeOptions {
  readonly from: DialectName
  readonly to: To
}

/**
 * Translates a request body to another dialect. `losses` lists everything that changed. Pass the `model` of the target: the
 * name in the body is not translated, and is reported (`model-name`) if it is that of another vendor.
 *
 * @example
 * const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic', model: 'claude-sonnet-5' })
 */
export function translateRequest<To extends DialectName>(
  body: unknown,
  { from, to, ...options }: TranslateOptions<To>,
): Translation<WireRequest<To>> {
  const { flavor: _targetFlavor, ...decodeOptions } = options
  const { value: request } = dialects[from].decodeRequest(body, decodeOptions)
  const { value, losses } = dialects[to].encodeRequest(request, options)
  return Object.freeze({ value, losses: addModelNameLoss(losses, request, { ...options, from, to }) })
}

/**
 * Translates a response body to another dialect. `losses` lists everything that changed.
 *
 * @example
 * translateResponse(body, { from: 'anthropic', to: 'openai-chat' }).value
 */
export function translateResponse<To extends DialectName>(
  body: unknown,
  { from, to, ...options }: TranslateOptions<To>,
): Translation<WireResponse<To>> {
  return dialects[to].encodeResponse(dialects[from].decodeResponse(body, options).value, options)
}

/**
 * A stream in the target dialect. `losses` resolves when the stream has ended or was cancelled. A body that is not read keeps
 * its source open: cancel it (`return` of its iterator, or `cancel` of a web stream that wraps it) if you do not need it.
 */
export interface TranslatedStream {
  readonly body: AsyncIterable<Uint8Array>
  readonly losses: Promise<readonly Loss[]>
}

/**
 * Translates a streamed response to another dialect, event by event.
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
  const cancel = async (): Promise<void> => {
    await bytes.return?.()
    resolveLosses(Object.freeze(foundLosses))
  }
  return { body: withCleanup(translated(), cancel), losses }
}
