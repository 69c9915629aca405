import type { ChatEvent, FinishEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { ByteSource } from '../../wire/byte-source.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { cancelSource, withCleanup } from '../../wire/cancellation.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-iterator.ts'
import { type StreamParserFactory, transformByteSource } from '../../wire/stream-parser.ts'
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
import { createCandidateField } from './parts-being-written.ts'
import { type ReasoningFacts, recordStreamPrefix } from './reasoning-origin.ts'
import { setEventModel, setPayloadModel } from './response-model.ts'
import {
  createStreamBrokenError,
  createStreamCutError,
  encodeErrorPayloads,
  StreamFailureReader,
} from './stream-failures.ts'
import { ForeignEventReporter } from './report-foreign-residue.ts'
import { type AnswerCallForms, createAnswerForms, createCallFormMapper } from './tool-call-forms.ts'

/** Decodes and encodes the streams of a dialect. */
export interface StreamCodec extends AnswerCallForms {
  readonly slot: string
  createReader(options?: DecodeOptions): StreamReader
  createWriter(context?: EncodeContext): StreamWriter
  wireEventType(wire: JsonObject): string
  /** The types of the wire events that end a stream. */
  readonly endEventTypes?: ReadonlySet<unknown>
  readonly framing: Framing
  readonly errors: ErrorCodec
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
  const transform = new EventTransform(codec, options)
  const createParser: StreamParserFactory<Json> = (onPayload, parserLimits) =>
    codec.framing.createParser(onPayload, parserLimits, () => transform.markEnd())
  return transformByteSource(source, createParser, transform, {
    ...(limits && { limits }),
    ...(signal && { signal }),
  })
}

/** Transforms payloads to events. */
class EventTransform implements StreamTransform<Json, ChatEvent> {
  readonly #codec: StreamCodec
  readonly #signal: AbortSignal | undefined
  readonly #request: ChatRequest | undefined
  readonly #frames: ResidueStreamReader
  readonly #failure: StreamFailureReader
  readonly #finishes = new MissingFinishes()
  /** Whether the stream contained the mark that ends it, and whether that mark belongs to the format. */
  #endMark: 'own' | 'foreign' | undefined

  constructor(codec: StreamCodec, options: DecodeOptions) {
    const isExact = options.exact !== false
    this.#codec = codec
    this.#signal = options.signal
    this.#request = options.request
    this.#frames = new ResidueStreamReader(
      codec.slot,
      codec.createReader(options),
      (wire) => codec.wireEventType(wire),
      isExact ? codec.createWriter() : undefined,
    )
    this.#failure = new StreamFailureReader(codec.slot, codec.errors, isExact)
  }

  /** Notes the mark after the last payload of the stream. */
  markEnd(): void {
    this.#endMark ??= this.#codec.framing.end === undefined ? 'foreign' : 'own'
  }

  read(wire: Json): readonly ChatEvent[] {
    if (this.#failure.read(wire)) return []
    const { slot, reasoning } = this.#codec
    const events = this.#frames
      .read(wire)
      .map((event) => recordStreamPrefix(event, this.#request, slot, reasoning))
    for (const event of events) this.#finishes.noteEvent(event)
    if (isObject(wire) && this.#codec.endEventTypes?.has(this.#codec.wireEventType(wire)) === true)
      this.#endMark = 'own'
    return events
  }

  end(failure: StreamFailure | undefined): readonly ChatEvent[] {
    const { error } = this.#failure
    if (error !== undefined || failure !== undefined) return this.#fail(error ?? failure?.error)
    try {
      if (this.#finishes.hasFinish) return this.#frames.end()
      // Some hosts send no finish reason before the mark that ends the stream.
      const missing = this.#endMark === undefined ? [] : this.#finishes.list()
      if (missing.length === 0) return this.#fail(createStreamCutError())
      const isMarkOwn = this.#endMark === 'own'
      return [...this.#frames.end(), ...missing.map((each) => (isMarkOwn ? this.#frames.hide(each) : each))]
    } catch (cause) {
      return this.#fail(cause)
    }
  }

  #fail(cause: unknown): readonly ChatEvent[] {
    return [...this.#frames.end(), this.#failure.createEvent(createStreamBrokenError(cause, this.#signal))]
  }
}

/** Finds the candidates of a stream that have no finish reason. */
class MissingFinishes {
  /** The candidates of the stream, and whether they call tools of the application. */
  readonly #candidates = new Map<number, boolean>()
  hasFinish = false

  noteEvent(event: ChatEvent): void {
    const { type, candidate = 0 } = event
    this.hasFinish ||= type === 'finish'
    if (type !== 'start' && type !== 'part-start') return
    const isCall = event.type === 'part-start' && isApplicationCall(event.part)
    this.#candidates.set(candidate, isCall || this.#candidates.get(candidate) === true)
  }

  /** Returns the finish events of all candidates. */
  list(): readonly FinishEvent[] {
    return Array.from(this.#candidates, ([candidate, hasToolCalls]) => ({
      type: 'finish',
      finish: { reason: hasToolCalls ? 'tool-calls' : 'stop' },
      ...createCandidateField(candidate),
    }))
  }
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
  const frames = new ResidueStreamWriter(codec.slot, codec.createWriter(context), context)
  const foreign = new ForeignEventReporter(codec.slot, context)
  const hosted = new HostedEventConverter(codec.slot, codec.convertHostedPair, context)
  const frame = (wire: JsonObject): Uint8Array => bytes.encode(codec.framing.write(wire))
  const forms = createAnswerForms(codec.slot, options.request, codec)
  const applyForm = createCallFormMapper(codec.slot, forms)
  for await (const received of events) {
    checkEvent(received)
    if (received.type === 'retry') continue
    const event = applyForm(received)
    if (event.type === 'loss') onLoss(event.loss)
    foreign.report(event)
    if (event.type === 'error') {
      for (const wire of encodeErrorPayloads(event.error, codec.slot, codec.errors))
        yield frame(setPayloadModel(wire, model))
      for (const loss of losses.splice(0)) onLoss(loss)
      return
    }
    for (const each of hosted.push(setEventModel(event, model, codec.slot)))
      for (const wire of frames.write(each)) yield frame(wire)
    for (const loss of losses.splice(0)) onLoss(loss)
  }
  for (const each of hosted.end()) for (const wire of frames.write(each)) yield frame(wire)
  for (const wire of frames.end()) yield frame(wire)
  for (const loss of losses.splice(0)) onLoss(loss)
  if (codec.framing.end !== undefined) yield bytes.encode(codec.framing.end)
}
