import { throwWrongType } from '../canonical/shape/shape.ts'
import { isObject } from '../wire/json.ts'
import type { ChatEvent } from '../canonical/model/event.ts'
import type { Translation } from '../canonical/model/loss.ts'
import { assertByteSource, type ByteSource, joinAsBytes } from '../wire/byte-source.ts'
import { forwardIterable, openReader } from '../wire/iterable-source.ts'
import { checkCodecOptions } from './engine/check-codec-options.ts'
import { getStreamCodec } from './engine/define-dialect.ts'
import type { DecodeOptions, Dialect, DialectName, EncodedStream, EncodeOptions } from './engine/dialect.ts'
import { type DialectRegistry, type RequestOf, resolveDialect, type ResponseOf } from './resolve-dialect.ts'
import { addModelNameLoss } from './engine/add-model-name-loss.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { PullIterator } from '../wire/pull-iterator.ts'
import { chainTransforms } from '../wire/chain-transforms.ts'
import { createDecodeStages, type StreamCodec } from './engine/stream-codec.ts'
import { createStreamEncoder } from './engine/stream-encoder.ts'

/**
 * Options of the translate functions: the source and target dialect, and the options of decoding and encoding. `flavor` and
 * `model` are those of the target.
 */
export interface TranslateOptions<To = DialectName | Dialect, Name extends string = never>
  extends DecodeOptions, EncodeOptions {
  /** A dialect, the name of a built-in one, or a name in `registry`. */
  readonly from: DialectName | Dialect | NoInfer<Name>
  readonly to: To
  /** The dialects of the application, by name. */
  readonly registry?: DialectRegistry<Name>
}

/**
 * Translates a request body to another dialect. `losses` lists everything that changed. Pass the `model` of the target: the
 * name in the body is not translated, and is reported (`model-name`) if it is that of another vendor.
 *
 * @example
 * const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic', model: 'claude-sonnet-5' })
 * translateRequest(body, { from: myDialect, to: 'anthropic' })
 */
export function translateRequest<
  To extends DialectName | Dialect | NoInfer<Name>,
  Name extends string = never,
>(body: unknown, given: TranslateOptions<To, Name>): Translation<RequestOf<To>> {
  return withTypedErrors(() => {
    const { from, to, ...options } = resolveDialects(given)
    const { flavor: _targetFlavor, ...decodeOptions } = options
    const { value: request } = from.decodeRequest(body, decodeOptions)
    const names = { from: from.name, to: to.name }
    const encoded: Translation<unknown> = to.encodeRequest(request, options)
    return addModelNameLoss(encoded, request, { ...options, ...names }) as Translation<never>
  })
}

/**
 * Translates a response body to another dialect. `losses` lists everything that changed. A body that contains an error,
 * whatever its status is, throws a `ProviderError`: encode it with `encodeError` of the target.
 *
 * @example
 * translateResponse(body, { from: 'anthropic', to: 'openai-chat' }).value
 */
export function translateResponse<
  To extends DialectName | Dialect | NoInfer<Name>,
  Name extends string = never,
>(body: unknown, given: TranslateOptions<To, Name>): Translation<ResponseOf<To>> {
  return withTypedErrors(() => {
    const { from, to, ...options } = resolveDialects(given)
    const error = getStreamCodec(from).errors.decodeErrorEvent(body)
    if (error !== undefined) throw error
    const { value, losses } = to.encodeResponse(from.decodeResponse(body, options).value, options)
    return Object.freeze({ value: castToBody(value), losses })
  })
}

/** Returns the events to encode in place of the decoded ones: an async generator that reads them. */
export type EventTransform = (
  events: AsyncIterable<ChatEvent>,
) => Iterable<ChatEvent> | AsyncIterable<ChatEvent>

/** Options of {@link translateStream}. */
export interface TranslateStreamOptions<Name extends string = never> extends TranslateOptions<
  DialectName | Dialect | NoInfer<Name>,
  Name
> {
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
export function translateStream<Name extends string = never>(
  source: ByteSource,
  given: TranslateStreamOptions<Name>,
): EncodedStream {
  return withTypedErrors(() => {
    const { from, to, transformEvents, ...options } = resolveDialects(given)
    checkCodecOptions(options)
    if (transformEvents === undefined)
      return translateEvents(source, getStreamCodec(from), getStreamCodec(to), options)
    const events = from.decodeStream(source, options)
    // A transform that waits for an event ends only when its source does.
    const cancel = async (): Promise<unknown> => events[Symbol.asyncIterator]().return?.()
    const transformed = forwardIterable(runTransform(transformEvents, events, cancel), { cancel })
    return to.encodeStream(transformed, options)
  })
}

/** Options with the dialects themselves instead of their names. */
type Resolved<Options> = Omit<Options, 'from' | 'to' | 'registry'> & {
  readonly from: Dialect
  readonly to: Dialect
}

/** Returns the options of a translation with its dialects; throws if one is unknown. */
function resolveDialects<Options extends TranslateOptions<unknown, string>>(
  given: Options,
): Resolved<Options> {
  if (!isObject(given)) return throwWrongType(given, undefined, 'options with `from` and `to`')
  const { registry, from, to, ...options } = given
  return {
    ...options,
    from: resolveDialect(from, 'from', registry),
    to: resolveDialect(to, 'to', registry),
  }
}

/** Casts a body to the type of its dialect, which is known only by the type of the option `to`. */
function castToBody(value: unknown): never {
  return value as never
}

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

/**
 * Decodes the stream of one dialect and encodes it for another. Nothing reads the events between, so one iterator does both: the
 * events of one chunk become one chunk.
 */
function translateEvents(
  source: ByteSource,
  from: StreamCodec,
  to: StreamCodec,
  options: DecodeOptions & EncodeOptions,
): EncodedStream {
  assertByteSource(source)
  const residue = options.exact !== false && from.slot !== to.slot ? 'lost' : undefined
  const { createParser, transform: decoder } = createDecodeStages(from, options, residue)
  const { transform: encoder, onClose, losses } = createStreamEncoder(to, options)
  const body = new PullIterator({
    open: () => openReader(source),
    ...chainTransforms(createParser, decoder, encoder),
    // The bytes of each event would cost more than the event.
    join: joinAsBytes,
    signal: options.signal,
    onClose,
  })
  return { body, losses, [Symbol.asyncIterator]: () => body }
}
