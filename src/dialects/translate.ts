import { quoteOrDescribe, throwInvalid, throwWrongType } from '../canonical/shape/shape.ts'
import { isObject } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Translation } from '../canonical/model/loss.ts'
import type { ByteSource } from '../wire/byte-source.ts'
import { forwardIterable } from '../wire/iterable-source.ts'
import type { WireRequest, WireResponse } from './dialect-types.ts'
import { dialectCodecs, dialects } from './dialects.ts'
import { getStreamCodec } from './engine/define-dialect.ts'
import type { DecodeOptions, DialectName, EncodedStream, EncodeOptions } from './engine/dialect.ts'
import { decodeStream } from './engine/stream-codec.ts'
import { encodeStream } from './engine/stream-encoder.ts'
import { addModelNameLoss } from './engine/untranslated-model.ts'
import { withTypedErrors } from '../wire/internal-error.ts'

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
  given: TranslateOptions<To>,
): Translation<WireRequest<To>> {
  return withTypedErrors(() => {
    const { from, to, ...options } = checkDialects(given)
    const { flavor: _targetFlavor, ...decodeOptions } = options
    const { value: request } = dialects[from].decodeRequest(body, decodeOptions)
    const { value, losses } = dialects[to].encodeRequest(request, options)
    return Object.freeze({ value, losses: addModelNameLoss(losses, request, { ...options, from, to }) })
  })
}

/**
 * Translates a response body to another dialect. `losses` lists everything that changed. A body that contains an error,
 * whatever its status is, throws a `ProviderError`: encode it with `encodeError` of the target.
 *
 * @example
 * translateResponse(body, { from: 'anthropic', to: 'openai-chat' }).value
 */
export function translateResponse<To extends DialectName>(
  body: unknown,
  given: TranslateOptions<To>,
): Translation<WireResponse<To>> {
  return withTypedErrors(() => {
    const { from, to, ...options } = checkDialects(given)
    const error = dialectCodecs[from].errors.decodeErrorEvent(body)
    if (error !== undefined) throw error
    return dialects[to].encodeResponse(dialects[from].decodeResponse(body, options).value, options)
  })
}

/** Returns the events to encode in place of the decoded ones: an async generator that reads them. */
export type EventTransform = (
  events: AsyncIterable<ChatEvent>,
) => Iterable<ChatEvent> | AsyncIterable<ChatEvent>

/** Options of {@link translateStream}. */
export interface TranslateStreamOptions extends TranslateOptions {
  /** Observes or changes the events between decoding and encoding. */
  readonly transformEvents?: EventTransform
}

/**
 * Translates a streamed response to another dialect, event by event.
 *
 * @example
 * const { body, losses } = translateStream(response.body, { from: 'anthropic', to: 'openai-chat' })
 * for await (const bytes of body) send(bytes)
 *
 * @example
 * async function* withoutReasoning(events) {
 *   for await (const event of events) if (event.type !== 'reasoning-delta') yield event
 * }
 * translateStream(response.body, { from: 'anthropic', to: 'openai-chat', transformEvents: withoutReasoning })
 */
export function translateStream(source: ByteSource, given: TranslateStreamOptions): EncodedStream {
  return withTypedErrors(() => {
    const { from, to, transformEvents, ...options } = checkDialects(given)
    const events = decodeStream(getStreamCodec(dialectCodecs[from]), source, options)
    // A transform that waits for an event ends only when its source does.
    const cancel = async (): Promise<unknown> => events[Symbol.asyncIterator]().return?.()
    const transformed =
      transformEvents && forwardIterable(runTransform(transformEvents, events, cancel), { cancel })
    return encodeStream(getStreamCodec(dialectCodecs[to]), transformed ?? events, options)
  })
}

/** Returns the options of a translation; throws if a dialect is unknown. */
function checkDialects<Options extends TranslateOptions>(options: Options): Options {
  if (!isObject(options)) return throwWrongType(options, undefined, 'options with `from` and `to`')
  for (const key of ['from', 'to'] as const) {
    const name: unknown = options[key]
    if (typeof name !== 'string' || !Object.hasOwn(dialects, name))
      throwInvalid('invalid-value', child(undefined, key), quoteOrDescribe(name), DIALECT_NAMES)
  }
  return options
}

const DIALECT_NAMES = `one of ${Object.keys(dialects).join(', ')}`

/** Yields the events of a transform, and cancels the source however the transform ends. */
async function* runTransform(
  transformEvents: EventTransform,
  events: AsyncIterable<ChatEvent>,
  cancel: () => Promise<unknown>,
): AsyncGenerator<ChatEvent, void, undefined> {
  try {
    yield* transformEvents(events)
  } finally {
    await cancel()
  }
}
