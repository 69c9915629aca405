import type { ChatEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import { InterlinguaError } from '../errors.ts'
import type { ByteSource } from '../wire/input.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { letGo, releasing } from '../wire/release.ts'
import { type Transform, transformSource } from '../wire/source.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'
import { collector, type Encoding, encodingFor } from './encoding.ts'
import { FrameReader, FrameWriter, type StreamReader, type StreamWriter } from './frames.ts'
import type { Framing } from './framing.ts'
import type { ErrorCodec } from './shared/errors.ts'
import { ForeignEvents } from './stream-foreign.ts'

/** What a dialect brings for streams. */
export interface StreamCodec {
  readonly slot: string
  reader(options?: DecodeOptions): StreamReader
  writer(encoding?: Encoding): StreamWriter
  kindOf(wire: JsonObject): string
  readonly framing: Framing
  /** The error that a payload tells, if it tells one. */
  readonly readError: ErrorCodec['errorFromEvent']
  readonly writeError: ErrorCodec['errorToEvent']
}

/** Reads a stream: what came, then a typed error where it broke, then the end. */
export function decodeStream(
  codec: StreamCodec,
  source: ByteSource,
  options: DecodeOptions,
): AsyncIterable<ChatEvent> {
  const { limits, signal } = options
  return transformSource(source, codec.framing.createParser, eventsOf(codec, options), {
    ...(limits && { limits }),
    ...(signal && { signal }),
  })
}

/** Makes events of payloads. */
function eventsOf(codec: StreamCodec, options: DecodeOptions): Transform<Json, ChatEvent> {
  const frames = new FrameReader(
    codec.slot,
    codec.reader(options),
    (wire) => codec.kindOf(wire),
    options.exact === false ? undefined : codec.writer(),
  )
  let finished = false
  const broken = (cause: unknown): readonly ChatEvent[] => [
    ...frames.end(),
    { type: 'error', error: streamBroken(cause, options.signal) },
  ]
  return {
    read(wire) {
      const error = codec.readError(wire)
      if (error !== undefined) throw error
      const events = frames.read(wire)
      finished ||= events.some(({ type }) => type === 'finish')
      return events
    },
    end(failure) {
      if (failure !== undefined) return broken(failure.error)
      try {
        return finished ? frames.end() : [...frames.end(), { type: 'error', error: streamCut() }]
      } catch (error) {
        return broken(error)
      }
    },
  }
}

/** The error of a stream that ends too early. */
export function streamCut(): InterlinguaError {
  return new InterlinguaError('stream-cut', 'The stream ended before the answer did', {
    found: 'the end of the stream',
    expected: 'the reason why the model stopped',
    hint: 'What came is kept; ask again for the rest.',
    retryable: true,
  })
}

/** The error of a stream whose source failed. */
export function streamBroken(cause: unknown, signal: AbortSignal | undefined): InterlinguaError {
  if (cause instanceof InterlinguaError) return cause
  if (signal?.aborted) return new InterlinguaError('aborted', 'The stream was aborted', { cause })
  const reason = cause instanceof Error ? cause.message : 'unknown reason'
  return new InterlinguaError('stream-broken', `The stream broke: ${reason}`, { retryable: true, cause })
}

/** Writes events as a framed stream, ready to send; every loss is told to `onLoss`. */
export function encodeStream(
  codec: StreamCodec,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions,
  onLoss: (loss: Loss) => void = () => {},
): AsyncIterableIterator<Uint8Array> {
  return releasing(bytesOf(codec, events, options, onLoss), () => letGo(events))
}

async function* bytesOf(
  codec: StreamCodec,
  events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>,
  options: EncodeOptions,
  onLoss: (loss: Loss) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new TextEncoder()
  const losses: Loss[] = []
  const encoding = encodingFor(codec.slot, options, collector(losses, options))
  const frames = new FrameWriter(codec.slot, codec.writer(encoding))
  const foreign = new ForeignEvents(codec.slot, encoding)
  const framed = (wire: JsonObject): Uint8Array => bytes.encode(codec.framing.write(wire))
  for await (const event of events) {
    if (event.type === 'loss') onLoss(event.loss)
    if (event.type === 'error') {
      yield framed(codec.writeError(event.error))
      return
    }
    foreign.report(event)
    for (const wire of frames.write(event)) yield framed(wire)
    for (const loss of losses.splice(0)) onLoss(loss)
  }
  for (const wire of frames.end()) yield framed(wire)
  for (const loss of losses.splice(0)) onLoss(loss)
  if (codec.framing.end !== undefined) yield bytes.encode(codec.framing.end)
}
