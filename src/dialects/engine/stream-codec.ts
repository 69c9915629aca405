import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ByteSource } from '../../wire/byte-source.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { cancelSource, withCleanup } from '../../wire/cancellation.ts'
import type { StreamTransform } from '../../wire/pull-iterator.ts'
import { transformByteSource } from '../../wire/stream-parser.ts'
import type { DecodeOptions, EncodedStream, EncodeOptions } from './dialect.ts'
import { checkEvent } from './check-event.ts'
import { createLossCollector, type EncodeContext, createEncodeContext } from './encode-context.ts'
import {
  ResidueStreamReader,
  ResidueStreamWriter,
  type StreamReader,
  type StreamWriter,
} from './frame-reader-writer.ts'
import type { Framing } from './stream-framing.ts'
import type { ErrorCodec } from './error-codec.ts'
import { HostedEventConverter, type HostedPairConverter } from './hosted-answers.ts'
import { type ReasoningFacts, recordStreamPrefix } from './reasoning-origin.ts'
import { setEventModel } from './response-model.ts'
import { ForeignEventReporter } from './report-foreign-residue.ts'
import { type CallHintsOfTool, createCallFormMapper, createToolCallForms } from './tool-call-forms.ts'

/** Decodes and encodes the streams of a dialect. */
export interface StreamCodec {
  readonly slot: string
  createReader(options?: DecodeOptions): StreamReader
  createWriter(context?: EncodeContext): StreamWriter
  wireEventType(wire: JsonObject): string
  readonly framing: Framing
  readonly errors: ErrorCodec
  readonly getCallHints?: CallHintsOfTool
  readonly reasoning: ReasoningFacts
  readonly convertHostedPair?: HostedPairConverter
}

/** Decodes a stream. If it fails, a typed `error` event follows the events that were received. */
export function decodeStream(
  codec: StreamCodec,
  source: ByteSource,
  options: DecodeOptions,
): AsyncIterable<ChatEvent> {
  const { limits, signal } = options
  return transformByteSource(source, codec.framing.createParser, createEventTransform(codec, options), {
    ...(limits && { limits }),
    ...(signal && { signal }),
  })
}

/** Creates the transform from payloads to events. */
function createEventTransform(codec: StreamCodec, options: DecodeOptions): StreamTransform<Json, ChatEvent> {
  const frames = new ResidueStreamReader(
    codec.slot,
    codec.createReader(options),
    (wire) => codec.wireEventType(wire),
    options.exact === false ? undefined : codec.createWriter(),
  )
  let finished = false
  const createFailureEvents = (cause: unknown): readonly ChatEvent[] => [
    ...frames.end(),
    { type: 'error', error: createStreamBrokenError(cause, options.signal) },
  ]
  return {
    read(wire) {
      const error = codec.errors.decodeErrorEvent(wire)
      if (error !== undefined) throw error
      const events = frames
        .read(wire)
        .map((event) => recordStreamPrefix(event, options.request, codec.slot, codec.reasoning))
      finished ||= events.some(({ type }) => type === 'finish')
      return events
    },
    end(failure) {
      if (failure !== undefined) return createFailureEvents(failure.error)
      try {
        return finished ? frames.end() : [...frames.end(), { type: 'error', error: createStreamCutError() }]
      } catch (error) {
        return createFailureEvents(error)
      }
    },
  }
}

/** Creates the error for a stream that ended without a finish reason. */
export function createStreamCutError(): InterlinguaError {
  return new InterlinguaError('stream-cut', 'The stream ended before the response was complete', {
    found: 'the end of the stream',
    expected: 'a finish reason',
    hint: 'The events received so far are kept. Send the request again for a complete response.',
    retryable: true,
  })
}

/** Creates the error for a stream whose source failed. */
export function createStreamBrokenError(cause: unknown, signal: AbortSignal | undefined): InterlinguaError {
  if (cause instanceof InterlinguaError) return cause
  if (signal?.aborted)
    return new InterlinguaError('aborted', 'The stream was aborted by its signal', { cause })
  const reason = cause instanceof Error ? cause.message : 'unknown reason'
  return new InterlinguaError('stream-broken', `The stream failed while it was read: ${reason}`, {
    retryable: true,
    cause,
  })
}

/** Encodes events as the bytes of a stream, and collects the losses. */
export function encodeStream(
  codec: StreamCodec,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions,
): EncodedStream {
  const found: Loss[] = []
  let resolveLosses: (losses: readonly Loss[]) => void = () => {}
  const losses = new Promise<readonly Loss[]>((resolve) => {
    resolveLosses = resolve
  })
  const bytes = encodeStreamBytes(codec, events, options, (loss) => found.push(loss))
  async function* untilEnd(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* bytes
    } finally {
      resolveLosses(Object.freeze(found))
    }
  }
  const cancel = async (): Promise<void> => {
    await bytes.return?.()
    resolveLosses(Object.freeze(found))
  }
  const body = withCleanup(untilEnd(), cancel)
  return { body, losses, [Symbol.asyncIterator]: () => body }
}

/** Encodes events as the bytes of a stream. Calls `onLoss` with every loss, notes included, when it occurs. */
export function encodeStreamBytes(
  codec: StreamCodec,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions,
  onLoss: (loss: Loss) => void,
): AsyncIterableIterator<Uint8Array> {
  return withCleanup(encodeBytes(codec, events, options, onLoss), () => cancelSource(events))
}

async function* encodeBytes(
  codec: StreamCodec,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  { model, ...options }: EncodeOptions,
  onLoss: (loss: Loss) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new TextEncoder()
  const losses: Loss[] = []
  const context = createEncodeContext(codec.slot, options, 'response', createLossCollector(losses, options))
  const frames = new ResidueStreamWriter(codec.slot, codec.createWriter(context))
  const foreign = new ForeignEventReporter(codec.slot, context)
  const hosted = new HostedEventConverter(codec.slot, codec.convertHostedPair, context)
  const frame = (wire: JsonObject): Uint8Array => bytes.encode(codec.framing.write(wire))
  const forms = createToolCallForms(codec.slot, options.request?.tools, codec.getCallHints)
  const applyForm = createCallFormMapper(codec.slot, forms)
  for await (const received of events) {
    checkEvent(received)
    if (received.type === 'retry') continue
    const event = applyForm(received)
    if (event.type === 'loss') onLoss(event.loss)
    if (event.type === 'error') {
      yield frame(codec.errors.encodeErrorEvent(event.error))
      return
    }
    foreign.report(event)
    for (const each of hosted.push(setEventModel(event, model, codec.slot)))
      for (const wire of frames.write(each)) yield frame(wire)
    for (const loss of losses.splice(0)) onLoss(loss)
  }
  for (const each of hosted.end()) for (const wire of frames.write(each)) yield frame(wire)
  for (const wire of frames.end()) yield frame(wire)
  for (const loss of losses.splice(0)) onLoss(loss)
  if (codec.framing.end !== undefined) yield bytes.encode(codec.framing.end)
}
