import type { ChatEvent, FinishEvent } from '../../canonical/model/event.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { ByteSource } from '../../wire/byte-source.ts'
import { toTypedError } from '../../wire/typed-errors.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-stages.ts'
import { type StreamParserFactory, transformByteSource } from '../../wire/stream-parser.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'
import { StreamElementCounter } from './element-limits.ts'
import type { EncodeContext } from './encode-context.ts'
import {
  ResidueStreamReader,
  type StreamReader,
  type StreamResidue,
  type StreamWriter,
} from './frame-reader-writer.ts'
import type { Framing, PayloadHandler } from './stream-framing.ts'
import type { ErrorCodec } from './error-codec.ts'
import type { HostedPairConverter } from './convert-hosted-answers.ts'
import { createCandidateField } from './parts-being-written.ts'
import { type ReasoningFacts, recordStreamPrefix } from './reasoning-origin.ts'
import { createStreamBrokenError, createStreamCutError, StreamFailureReader } from './stream-failures.ts'
import type { AnswerCallForms } from './tool-call-forms.ts'

/** The form in which a host sends the streams of a dialect. */
export interface HostStreamForm {
  /** Adjusts a payload to the host. */
  fitPayload(wire: JsonObject): JsonObject
  /** The data of the event that ends a stream. */
  readonly endData?: string
}

/** Decodes and encodes the streams of a dialect. */
export interface StreamCodec extends AnswerCallForms {
  readonly slot: string
  createReader(options?: DecodeOptions): StreamReader
  createWriter(context?: EncodeContext): StreamWriter
  wireEventType(wire: JsonObject): string
  /** The types of the wire events that end a stream. */
  readonly endEventTypes?: ReadonlySet<unknown>
  /** True if neither streams nor complete answers contain the model: clients know it from their request. */
  readonly omitsModel?: true
  readonly framing: Framing
  /** Returns the form of the streams of a host, if it differs from that of the dialect. */
  readonly getHostForm?: (options: EncodeOptions) => HostStreamForm | undefined
  readonly errors: ErrorCodec
  readonly reasoning: ReasoningFacts
  readonly convertHostedPair?: HostedPairConverter
}

/** Decodes a stream; `residue` is by default what the option `exact` requires. If it fails, a typed `error` event follows the events that were received. */
export function decodeStream(
  codec: StreamCodec,
  source: ByteSource,
  options: DecodeOptions,
  residue?: StreamResidue,
): AsyncIterable<ChatEvent> {
  const { createParser, transform } = createDecodeStages(codec, options, residue)
  return transformByteSource(source, createParser, transform, options.signal && { signal: options.signal })
}

/** The parser of a stream and the transform of its payloads. */
interface DecodeStages {
  readonly createParser: StreamParserFactory<Json>
  readonly transform: StreamTransform<Json, ChatEvent>
}

/** Creates the stages that decode a stream. */
export function createDecodeStages(
  codec: StreamCodec,
  options: DecodeOptions,
  residue: StreamResidue = options.exact === false ? 'none' : 'frames',
): DecodeStages {
  const transform = new EventTransform(codec, options, residue)
  const markEnd = (): void => transform.markEnd()
  return {
    createParser: (onPayload) => {
      const receivePayload: PayloadHandler = (payload, characters) => {
        transform.checkPayload(payload, characters)
        onPayload(payload)
      }
      return codec.framing.createParser(receivePayload, options.limits, markEnd)
    },
    transform,
  }
}

/** Transforms payloads to events. */
class EventTransform implements StreamTransform<Json, ChatEvent> {
  readonly #codec: StreamCodec
  readonly #signal: AbortSignal | undefined
  readonly #request: ChatRequest | undefined
  readonly #frames: ResidueStreamReader
  readonly #failure: StreamFailureReader
  readonly #finishes = new MissingFinishes()
  readonly #elements: StreamElementCounter
  /** States whether the stream contained its end mark, and whether that mark belongs to the format. */
  #endMark: 'own' | 'foreign' | undefined

  constructor(codec: StreamCodec, options: DecodeOptions, residue: StreamResidue) {
    const isExact = residue === 'frames' || residue === 'lost'
    this.#codec = codec
    this.#signal = options.signal
    this.#request = options.request
    this.#elements = new StreamElementCounter(options.limits)
    this.#frames = new ResidueStreamReader(
      codec.slot,
      codec.createReader(options),
      (wire) => codec.wireEventType(wire),
      isExact ? codec.createWriter() : undefined,
      residue,
    )
    this.#failure = new StreamFailureReader(codec.slot, codec.errors, isExact)
  }

  /** Notes the mark after the last payload of the stream. */
  markEnd(): void {
    this.#endMark ??= this.#codec.framing.end === undefined ? 'foreign' : 'own'
  }

  /** Throws for a payload with too many elements. */
  checkPayload(wire: Json, characters: number | undefined): void {
    this.#elements.checkPayload(wire, characters)
  }

  read(wire: Json): readonly ChatEvent[] {
    if (this.#failure.read(wire)) return []
    const { slot, reasoning } = this.#codec
    const read = this.#frames.read(wire)
    const request = this.#request
    const events =
      request === undefined ? read : read.map((event) => recordStreamPrefix(event, request, slot, reasoning))
    for (const event of events) {
      // Most events of a stream: they open nothing and end nothing.
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') continue
      this.#elements.noteEvent(event)
      this.#finishes.noteEvent(event)
    }
    if (isObject(wire) && this.#codec.endEventTypes?.has(this.#codec.wireEventType(wire)) === true)
      this.#endMark = 'own'
    return events
  }

  end(failure: StreamFailure | undefined): readonly ChatEvent[] {
    const { error } = this.#failure
    if (error !== undefined) return this.#fail(error)
    if (failure !== undefined)
      return this.#fail(failure.isFromTransform ? toTypedError(failure.error) : failure.error)
    try {
      if (this.#finishes.hasFinish) return this.#frames.end()
      // Some hosts send no finish reason before the mark that ends the stream.
      const missing = this.#endMark === undefined ? [] : this.#finishes.list()
      if (missing.length === 0) return this.#fail(createStreamCutError())
      const isMarkOwn = this.#endMark === 'own'
      return [...this.#frames.end(), ...missing.map((each) => (isMarkOwn ? this.#frames.hide(each) : each))]
    } catch (unexpected) {
      return this.#fail(toTypedError(unexpected))
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
