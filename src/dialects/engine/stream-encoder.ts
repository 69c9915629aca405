import { withTypedErrors } from '../../wire/typed-errors.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { toBytes } from '../../wire/byte-source.ts'
import { throwFailure, transformIterable, type ValueSource } from '../../wire/iterable-source.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-stages.ts'
import { checkEvent } from './check-event.ts'
import type { EncodedStream, EncodeOptions } from './dialect.ts'
import { createEncodeContext, createLossCollector, type EncodeContext } from './encode-context.ts'
import { ResidueStreamWriter } from './frame-reader-writer.ts'
import { HostedEventConverter } from './convert-hosted-answers.ts'
import { ForeignEventReporter } from './report-foreign-residue.ts'
import type { EngineHint } from './residue-hints.ts'
import { getHints, type Slot, defineSlot } from './residue-slots.ts'
import { reportOmittedModel, setEventModel, setPayloadModel } from './id-and-model-placeholders.ts'
import { formatSseEvent } from '../../wire/sse.ts'
import type { HostStreamForm, StreamCodec } from './stream-codec.ts'
import { encodeErrorPayloads } from './stream-failures.ts'
import { createAnswerForms, createCallFormMapper } from './tool-call-forms.ts'

/** An event of a stream as it is sent: text, or bytes in a binary format. */
export type FramedEvent = string | Uint8Array

const keepFramed = (framed: FramedEvent): FramedEvent => framed

/** Encodes events as the bytes of a stream, and collects the losses. */
export function encodeStream(
  codec: StreamCodec,
  events: ValueSource<ChatEvent>,
  options: EncodeOptions,
): EncodedStream {
  const { transform, onClose, losses } = createEncoder(codec, options, { send: toBytes })
  const body = transformIterable(events, transform, { onClose })
  return { body, losses, [Symbol.asyncIterator]: () => body }
}

/** A stream as it is sent, event by event. */
export interface FramedStream {
  readonly events: AsyncIterable<FramedEvent>
  /** The losses, when the stream has ended. */
  readonly losses: Promise<readonly Loss[]>
}

/**
 * Encodes events for a sender that joins them: to create the bytes of each one costs more than to stringify it. With `areDecoded`,
 * they come from a decoder of this library and are not checked.
 */
export function frameStream(
  codec: StreamCodec,
  events: ValueSource<ChatEvent>,
  options: EncodeOptions,
  areDecoded = false,
): FramedStream {
  const { transform, onClose, losses } = createEncoder(codec, options, { send: keepFramed, areDecoded })
  return { events: transformIterable(events, transform, { onClose }), losses }
}

/** A transform to the events of a stream, and the losses, which are known when `onClose` is called. */
interface StreamEncoder<Framed> {
  readonly transform: StreamTransform<ChatEvent, Framed>
  readonly onClose: () => void
  readonly losses: Promise<readonly Loss[]>
}

/**
 * Creates a transform of the events of a decoder, which are in canonical form and not checked again, and collects the losses. Its
 * results are joined before they are sent.
 */
export function createStreamEncoder(codec: StreamCodec, options: EncodeOptions): StreamEncoder<FramedEvent> {
  return createEncoder(codec, options, { send: keepFramed, areDecoded: true })
}

function createEncoder<Framed>(
  codec: StreamCodec,
  options: EncodeOptions,
  target: Omit<FramingTarget<Framed>, 'onLoss'>,
): StreamEncoder<Framed> {
  const found: Loss[] = []
  let resolveLosses: (losses: readonly Loss[]) => void = () => {}
  const losses = new Promise<readonly Loss[]>((resolve) => {
    resolveLosses = resolve
  })
  const transform = new FramingTransform(codec, options, { ...target, onLoss: (loss) => found.push(loss) })
  return { transform, onClose: () => resolveLosses(Object.freeze(found)), losses }
}

/** Encodes events as the bytes of a stream. Calls `onLoss` with every loss, notes included, when it occurs. */
export function encodeStreamBytes(
  codec: StreamCodec,
  events: ValueSource<ChatEvent>,
  options: EncodeOptions,
  onLoss: (loss: Loss) => void,
): AsyncIterableIterator<Uint8Array> {
  return transformIterable(events, new FramingTransform(codec, options, { send: toBytes, onLoss }))
}

/** What a {@link FramingTransform} does with its results. */
interface FramingTarget<Framed> {
  /** Returns what is sent for an event of the stream. */
  readonly send: (framed: FramedEvent) => Framed
  readonly onLoss: (loss: Loss) => void
  /** True if the events come from a decoder, so that they are not checked. */
  readonly areDecoded?: boolean
}

/** Transforms events to those of a stream. */
class FramingTransform<Framed> implements StreamTransform<ChatEvent, Framed> {
  /** True after an error, which ends a stream. */
  isDone = false
  readonly #codec: StreamCodec
  readonly #hostForm: HostStreamForm | undefined
  readonly #model: string | undefined
  readonly #context: EncodeContext
  readonly #onLoss: (loss: Loss) => void
  readonly #areDecoded: boolean
  readonly #send: (framed: FramedEvent) => Framed
  readonly #losses: Loss[] = []
  readonly #frames: ResidueStreamWriter
  readonly #foreign: ForeignEventReporter
  readonly #hosted: HostedEventConverter
  readonly #applyForm: (event: ChatEvent) => ChatEvent
  #hasStarted = false

  constructor(
    codec: StreamCodec,
    { model, ...options }: EncodeOptions,
    { send, onLoss, areDecoded = false }: FramingTarget<Framed>,
  ) {
    const { slot, convertHostedPair } = codec
    const context = createEncodeContext(slot, options, 'response', createLossCollector(this.#losses, options))
    this.#codec = codec
    this.#hostForm = codec.getHostForm?.(options)
    this.#model = model
    this.#context = context
    this.#send = send
    this.#onLoss = onLoss
    this.#areDecoded = areDecoded
    this.#frames = new ResidueStreamWriter(slot, codec.createWriter(context), context)
    this.#foreign = new ForeignEventReporter(slot, context)
    this.#hosted = new HostedEventConverter(slot, convertHostedPair, context)
    this.#applyForm = createCallFormMapper(slot, createAnswerForms(slot, options.request, codec))
  }

  read(received: ChatEvent): readonly Framed[] {
    return withTypedErrors(() => this.#encode(received))
  }

  #encode(received: ChatEvent): readonly Framed[] {
    const checked = this.#areDecoded ? received : checkEvent(received)
    if (checked.type === 'retry') return []
    const event = this.#applyForm(checked)
    if (event.type === 'loss') this.#onLoss(event.loss)
    this.#foreign.report(event)
    if (event.type === 'start') reportOmittedModel(this.#codec, event, this.#model, this.#context)
    const { slot, errors } = this.#codec
    this.isDone = event.type === 'error'
    const payloads =
      event.type === 'error'
        ? encodeErrorPayloads(event.error, slot, errors).map((wire) => setPayloadModel(wire, this.#model))
        : this.#write(event)
    this.#reportLosses()
    return this.#frame(payloads)
  }

  #write(event: ChatEvent): readonly JsonObject[] {
    return this.#isStartMissing(event)
      ? [...this.#writeEvent({ type: 'start' }), ...this.#writeEvent(event)]
      : this.#writeEvent(event)
  }

  #writeEvent(event: ChatEvent): readonly JsonObject[] {
    const named = setEventModel(event, this.#model, this.#codec.slot)
    return this.#hosted.isIdle(named)
      ? this.#frames.write(named)
      : this.#hosted.push(named).flatMap((each) => this.#frames.write(each))
  }

  end(failure: StreamFailure | undefined): readonly Framed[] {
    if (failure !== undefined) return throwFailure(failure)
    return withTypedErrors(() => this.#encodeEnd())
  }

  #encodeEnd(): readonly Framed[] {
    const payloads = this.#hosted.end().flatMap((each) => this.#frames.write(each))
    const last = this.#frames.end()
    this.#reportLosses()
    const endData = this.#hostForm?.endData
    const end = endData === undefined ? this.#codec.framing.end : formatSseEvent({ data: endData })
    return [...this.#frame(payloads), ...this.#frame(last), ...(end === undefined ? [] : [this.#send(end)])]
  }

  /**
   * Returns true before the first event of a stream of other code that lacks a start: most formats have a wire event for it,
   * without which their clients reject the rest. A frame of the same format is written as it was received.
   */
  #isStartMissing(event: ChatEvent): boolean {
    if (this.#hasStarted) return false
    const slot: Slot<EngineHint> = defineSlot(this.#codec.slot)
    const isFrame = getHints(event, slot).wireEventType !== undefined
    const isContent = 'index' in event || event.type === 'finish'
    this.#hasStarted = event.type === 'start' || isFrame || isContent
    return !isFrame && isContent
  }

  #frame(payloads: readonly JsonObject[]): readonly Framed[] {
    return payloads.map(this.#framePayload)
  }

  readonly #framePayload = (wire: JsonObject): Framed =>
    this.#send(this.#codec.framing.write(this.#hostForm?.fitPayload(wire) ?? wire))

  #reportLosses(): void {
    if (this.#losses.length === 0) return
    for (const loss of this.#losses.splice(0)) this.#onLoss(loss)
  }
}
