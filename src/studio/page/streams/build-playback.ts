import type { ChatEvent } from '../../../canonical/model/event.ts'
import type { Loss } from '../../../canonical/model/loss.ts'
import { dialects } from '../../../dialects/dialects.ts'
import { getStreamCodec } from '../../../dialects/engine/define-dialect.ts'
import { detect, type Detection } from '../../../dialects/engine/detect.ts'
import type { Dialect, DialectName } from '../../../dialects/engine/dialect.ts'
import { createStreamTextReader } from '../../../dialects/engine/stream-text-reader.ts'
import { InterlinguaError } from '../../../errors.ts'
import { isObject, type JsonObject, tryParseJson } from '../../../wire/json.ts'
import { type LensError, toLensError } from '../lens/lens-analysis.ts'
import { isDialectName } from '../lens/lens-targets.ts'
import type { PlaybackStep } from './playback-parts.ts'
import { findJsonRanges } from '../lens/json-in-text.ts'

/** The separation of the events of a stream: blank lines, line ends, or commas of a list. */
type StreamLayout = 'sse' | 'lines' | 'list'

/** Returns the layout of the text of a stream. */
function detectStreamLayout(text: string): StreamLayout {
  if (/^\s*\[/.test(text)) return 'list'
  return /^\s*\{/.test(text) ? 'lines' : 'sse'
}

/**
 * Splits the text of a stream into its events, with the characters between them: the joined chunks are the text. Events of a
 * list are its items.
 */
export function splitStream(text: string): readonly string[] {
  const layout = detectStreamLayout(text)
  if (layout === 'list') return splitList(text)
  return splitAfter(text, layout === 'sse' ? BLANK_LINES : /[\r\n]+/g)
}

/** The end of a line, and at least one blank line. A carriage return before a line feed is no end of its own. */
const BLANK_LINES = /(?:\r\n|\n|\r(?!\n))(?:[ \t]*(?:\r\n|\n|\r(?!\n)))+/g

function splitAfter(text: string, separator: RegExp): readonly string[] {
  const chunks: string[] = []
  let start = 0
  for (const match of text.matchAll(separator)) {
    const end = match.index + match[0].length
    chunks.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) chunks.push(text.slice(start))
  return mergeBlank(chunks)
}

/** Splits a JSON array, which may be cut off: each chunk ends with an item, and the last one with the rest. */
function splitList(text: string): readonly string[] {
  const first = text.indexOf('[') + 1
  const chunks: string[] = []
  let start = 0
  for (const { end } of findJsonRanges(text.slice(first))) {
    chunks.push(text.slice(start, first + end))
    start = first + end
  }
  if (start < text.length) chunks.push(text.slice(start))
  return mergeBlank(chunks)
}

/** Appends chunks without any content, such as blank lines and the end of a list, to the chunk before. */
function mergeBlank(chunks: readonly string[]): readonly string[] {
  const merged: string[] = []
  for (const chunk of chunks) {
    const last = merged.at(-1)
    if (last !== undefined && /^[\s\]]*$/.test(chunk)) merged[merged.length - 1] = last + chunk
    else merged.push(chunk)
  }
  return merged
}

/** A stream that can be played event by event. */
export interface StreamPlayback {
  readonly name: DialectName
  readonly detections: readonly Detection[]
  readonly steps: readonly PlaybackStep[]
  /** The losses of each dialect. */
  readonly losses: { readonly [name in DialectName]?: readonly Loss[] }
  /** Errors of the dialects that cannot represent the stream. */
  readonly errors: { readonly [name in DialectName]?: LensError }
}

/** The longest stream that is played, in events. */
const MAX_STEPS = 50_000

/**
 * Decodes a stream event by event and encodes it for every dialect. Decoders read the next event only when they have
 * returned all canonical events of the one before, so each result belongs to the event that was read last.
 */
export async function buildPlayback(text: string, from?: string): Promise<StreamPlayback> {
  const detections = detect(text)
    .filter(({ name }) => isDialectName(name))
    .map((each) => ({ ...each, kind: 'stream' as const }))
  const name = [from, detections[0]?.name].find(
    (each): each is DialectName => each !== undefined && isDialectName(each),
  )
  const chunks = splitStream(text)
  if (name === undefined) throw createNoStreamError()
  if (chunks.length > MAX_STEPS)
    throw new InterlinguaError('too-many-elements', `The stream has ${chunks.length} events.`, {
      found: `${chunks.length} events`,
      expected: `at most ${MAX_STEPS} events`,
      hint: 'Paste the first part of the stream.',
    })
  const events = await decodeSteps(chunks, name)
  const names = Object.keys(dialects) as DialectName[]
  const encoded = await Promise.all(names.map((target) => encodeSteps(events, target)))
  const steps = events.map((stepEvents, index): PlaybackStep => {
    const wire = chunks[index] ?? ''
    const received = encoded.map(({ frames }, position) => [names[position], frames[index] ?? ''])
    return {
      wire,
      label: index < chunks.length ? describeWireEvent(wire) : 'end of the stream',
      events: stepEvents.map(toPlainEvent),
      received: Object.fromEntries(received) as PlaybackStep['received'],
    }
  })
  // Most streams end with their last event.
  const last = steps.at(-1)
  const isEndEmpty =
    last !== undefined &&
    last.events.length === 0 &&
    Object.values(last.received).every((text) => text === '')
  return {
    name,
    detections,
    steps: isEndEmpty ? steps.slice(0, -1) : steps,
    losses: collect(names, encoded, ({ losses }) => losses),
    errors: collect(names, encoded, ({ error }) => error),
  }
}

/** Returns the canonical events of each chunk, and those of the end of the stream as the last item. */
async function decodeSteps(
  chunks: readonly string[],
  name: DialectName,
): Promise<readonly (readonly ChatEvent[])[]> {
  const steps = Array.from({ length: chunks.length + 1 }, (): ChatEvent[] => [])
  let current = 0
  async function* readChunks(): AsyncGenerator<string, void, undefined> {
    for (const [index, chunk] of chunks.entries()) {
      current = index
      yield chunk
    }
    current = chunks.length
  }
  for await (const event of dialects[name].decodeStream(readChunks())) steps[current]?.push(event)
  return steps
}

interface EncodedSteps {
  readonly frames: readonly string[]
  readonly losses: readonly Loss[]
  readonly error?: LensError
}

/** Returns what a client of a dialect receives for each step. */
async function encodeSteps(
  steps: readonly (readonly ChatEvent[])[],
  name: DialectName,
): Promise<EncodedSteps> {
  const frames = steps.map(() => '')
  let current = 0
  async function* readEvents(): AsyncGenerator<ChatEvent, void, undefined> {
    for (const [index, events] of steps.entries()) {
      current = index
      yield* events
    }
  }
  const dialect: Dialect = dialects[name]
  const readText = createStreamTextReader(getStreamCodec(dialect))
  const stream = dialect.encodeStream(readEvents())
  try {
    for await (const bytes of stream) frames[current] += readText(bytes)
    return { frames, losses: await stream.losses }
  } catch (error) {
    return { frames, losses: [], error: toLensError(error) }
  }
}

function collect<T>(
  names: readonly DialectName[],
  encoded: readonly EncodedSteps[],
  get: (steps: EncodedSteps) => T | undefined,
): { readonly [name in DialectName]?: T } {
  const found = encoded.map((steps, index) => [names[index], get(steps)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as { [name in DialectName]?: T }
}

/** Fields of a payload that name its type, in the order in which they are looked for. */
const TYPE_FIELDS = ['type', 'event_type', 'object'] as const

/** Fields of a payload that contain the content, if it has no type. */
const CONTENT_FIELDS = ['error', 'candidates', 'message', 'choices', 'usageMetadata'] as const

/** Returns the type of a wire event: the name of the server-sent event, or of the field that tells it. */
function describeWireEvent(wire: string): string {
  const name = /^event:\s*(.+)$/m.exec(wire)?.[1]?.trim()
  if (name !== undefined) return name
  const data = /^data:\s?(.*)$/m.exec(wire)?.[1] ?? wire.replace(/^[\s,[]+/, '')
  const payload = tryParseJson(data.replace(/[\s\]]+$/, data.startsWith('{') ? '' : '$&'))
  if (!isObject(payload)) return data.includes('[DONE]') ? '[DONE]' : 'text'
  const type = TYPE_FIELDS.map((field) => payload[field]).find((value) => typeof value === 'string')
  const field = CONTENT_FIELDS.find((each) => Object.hasOwn(payload, each))
  return typeof type === 'string' ? type : (field ?? 'event')
}

/** Returns an event as plain JSON, without residue. */
function toPlainEvent({ extra: _extra, ...event }: ChatEvent): JsonObject {
  if (event.type === 'error') return { type: event.type, error: { ...toLensError(event.error) } }
  if (!('part' in event) || event.part === undefined) return event as unknown as JsonObject
  const { extra: _residue, ...part } = event.part
  return { ...event, part } as unknown as JsonObject
}

function createNoStreamError(): InterlinguaError {
  return new InterlinguaError('invalid-stream', 'The input is not the stream of a known format.', {
    found: 'no event of a known format',
    expected: 'the streamed response of a model: server-sent events, or lines of JSON',
    hint: 'Paste the body of a streamed response, with its first event.',
  })
}
