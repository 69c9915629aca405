import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import { digestText } from '../../wire/digest.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { diffResidue, diffSignificantValues } from '../../wire/diff-residue.ts'
import type { Binding, Hints, Residue } from '../../wire/residue.ts'
import { TextBuffer } from '../../wire/text-buffer.ts'
import { hideFromConsole } from '../../wire/hide-from-console.ts'
import { type EncodeContext, noReport } from './encode-context.ts'
import { PartSequencer } from './part-sequencer.ts'
import { joinEach } from './join-lists.ts'
import type { EngineHint } from './residue-hints.ts'
import {
  applyResidue,
  decodeWithResidue,
  getHints,
  hasOnlyHints,
  type Slot,
  defineSlot,
  withResidueHints,
  withSlot,
} from './residue-slots.ts'
import { SurrogateJoiner, SurrogateReplacer } from './surrogate-joiner.ts'

/** Appends items to a list. A host may send more items than a single call of `push` can take as arguments. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}

/** Decodes the wire events of one stream. */
export interface StreamReader {
  /**
   * Decodes one wire event; an empty list for an unknown event, which is kept as an opaque event. A known event that adds
   * nothing to an open part is a `part-update` without fields.
   */
  read(wire: JsonObject): readonly ChatEvent[]
  /** Returns the remaining events when the stream ends. */
  end(): readonly ChatEvent[]
}

/** Wire keys that are bound to all text before them, and a callback for those that no longer match. */
export interface ContentBoundKeys {
  readonly keys: readonly string[]
  readonly onContentChanged: (key: string) => void
}

/** A wire event to write: its kind and the events that it contains. */
export type PlannedFrame = readonly [kind: string, events: readonly ChatEvent[]]

/** Encodes the wire events of one stream. Its state follows what was written, so that repeated values follow edits. */
export interface StreamWriter {
  /**
   * Encodes events as one wire event of the given kind, from the events and the state alone. The events of a received wire
   * event are encoded by its own kind, without `plan`.
   */
  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject
  /** Updates the state after a wire event was written: planned ones, and received ones with their residue. */
  recordWritten(wire: JsonObject): void
  /** Returns the kinds of wire events that encode an event of another dialect, each with its events. */
  plan(event: ChatEvent): readonly PlannedFrame[]
  /** Returns the wire events that end the stream; none if a received wire event has ended it. */
  end(): readonly JsonObject[]
  readonly contentBoundKeys?: ContentBoundKeys
}

/** The kind of an unknown wire event, which is kept unchanged. */
const OPAQUE_KIND = 'opaque'

/** The kind of an event that no wire event contains, so that none is written for it. */
const HIDDEN_KIND = 'hidden'

/** The number of characters that are collected before they are added to the digest. */
const DIGEST_BLOCK_CHARACTERS = 65_536

/** A digest of all text of a stream. Its cost depends on the text since the last digest. */
class TextDigest {
  #digest = ''
  readonly #pendingText = new TextBuffer()

  /**
   * Adds the text of events and returns a function that computes the digest: most frames have no bound keys
   * and never call it.
   */
  addEvents(events: readonly ChatEvent[]): () => string {
    for (const event of events) if ('text' in event) this.#pendingText.push(event.text)
    if (this.#pendingText.length > DIGEST_BLOCK_CHARACTERS) this.#update()
    return this.#update
  }

  readonly #update = (): string => {
    if (this.#pendingText.length > 0) this.#digest = digestText(this.#digest + this.#pendingText.take())
    return this.#digest
  }
}

/** The residue of the latest frame of a kind, and the `extra` of its first event. */
interface FrameResidue {
  readonly count: number
  readonly residue: Residue | undefined
  readonly extra: Extra
}

function createFrameHints(wireEventType: string, eventCount: number): Hints<EngineHint> {
  return { wireEventType, eventCount }
}

/**
 * Which residue the events of a stream have: that of parts and `frames`, so that the stream can be encoded as it was received;
 * the same residue without the form of the frames, for another dialect that reports what is `lost`; that of `parts`, for a
 * message that is sent back; or `none`.
 */
export type StreamResidue = 'frames' | 'lost' | 'parts' | 'none'

/**
 * Decodes a wire stream event by event. With a writer, the first event of each frame gets the residue of its
 * wire event.
 */
export class ResidueStreamReader {
  readonly #slot: string
  readonly #reader: StreamReader
  readonly #writer: StreamWriter | undefined
  readonly #textDigest = new TextDigest()
  readonly #joiner = new SurrogateJoiner()
  readonly #latestFrames = new Map<string, FrameResidue>()
  readonly #wireEventType: (wire: JsonObject) => string
  readonly #residue: StreamResidue

  constructor(
    slot: string,
    reader: StreamReader,
    wireEventType: (wire: JsonObject) => string,
    writer?: StreamWriter,
    residue: StreamResidue = 'frames',
  ) {
    this.#slot = slot
    this.#reader = reader
    this.#wireEventType = wireEventType
    this.#writer = writer
    this.#residue = residue
  }

  read(wire: Json): readonly ChatEvent[] {
    const events = isObject(wire) ? this.#joiner.join(this.#readObject(wire)) : []
    if (events.length > 0 && isObject(wire))
      return this.#writer === undefined
        ? events
        : this.#attachResidue(events, this.#wireEventType(wire), wire)
    const unknown: ChatEvent = { type: 'opaque', dialect: this.#slot, value: wire }
    return this.#writer === undefined || !isObject(wire)
      ? [unknown]
      : this.#attachResidue([unknown], OPAQUE_KIND, wire)
  }

  #readObject(wire: JsonObject): readonly ChatEvent[] {
    return this.#residue === 'none'
      ? decodeWithResidue(false, () => this.#reader.read(wire))
      : this.#reader.read(wire)
  }

  #attachResidue(events: readonly ChatEvent[], kind: string, wire: JsonObject): readonly ChatEvent[] {
    const [first] = events
    if (first === undefined || this.#writer === undefined) return events
    const encoded = kind === OPAQUE_KIND ? wire : this.#writer.encodeFrame(kind, events)
    this.#writer.recordWritten(wire)
    const binding = this.#createBinding(events)
    const residue =
      this.#residue === 'lost'
        ? diffSignificantValues(encoded, wire, binding)
        : diffResidue(encoded, wire, undefined, undefined, binding)
    const framed = this.#addResidue(first, kind, events.length, residue)
    return events.length === 1 ? [framed] : [framed, ...events.slice(1)]
  }

  /** Returns the first event of a frame with its residue. Most frames of a kind have the same residue, which they share. */
  #addResidue(event: ChatEvent, kind: string, count: number, residue: Residue | undefined): ChatEvent {
    if (residue === undefined && this.#residue === 'lost') return event
    if (event.extra !== undefined) return withSlot(event, this.#slot, this.#createSlot(kind, count, residue))
    const latest = this.#latestFrames.get(kind)
    if (latest !== undefined && latest.count === count && isEqualJson(latest.residue, residue))
      return { ...event, extra: latest.extra }
    const extra = Object.freeze({ [this.#slot]: Object.freeze(this.#createSlot(kind, count, residue)) })
    this.#latestFrames.set(kind, { count, residue, extra })
    return { ...event, extra }
  }

  /** Returns the residue of a frame with its form. */
  #createSlot(kind: string, count: number, residue: Residue | undefined): Residue {
    if (residue !== undefined && this.#residue === 'lost') return residue
    return hideFromConsole(withResidueHints(residue, createFrameHints(kind, count)))
  }

  #createBinding(events: readonly ChatEvent[]): Binding | undefined {
    const contentBoundKeys = this.#writer?.contentBoundKeys
    if (contentBoundKeys === undefined) return undefined
    const content = this.#residue === 'lost' ? '' : this.#textDigest.addEvents(events)
    return { keys: contentBoundKeys.keys, content }
  }

  /** Returns an event that the stream implied: it is not written to a stream of the same dialect. */
  hide(event: ChatEvent): ChatEvent {
    if (this.#writer === undefined) return event
    return withSlot(event, this.#slot, hideFromConsole({ $: { hints: createFrameHints(HIDDEN_KIND, 1) } }))
  }

  end(): readonly ChatEvent[] {
    const events =
      this.#residue === 'none' ? decodeWithResidue(false, () => this.#reader.end()) : this.#reader.end()
    return [...this.#joiner.join(events), ...this.#joiner.end()]
  }
}

/** Encodes a wire stream: frames as received, other events as planned by the writer. */
export class ResidueStreamWriter {
  readonly #slot: Slot<EngineHint>
  readonly #writer: StreamWriter
  readonly #textDigest = new TextDigest()
  readonly #joiner = new SurrogateJoiner()
  readonly #replacer: SurrogateReplacer
  readonly #sequencer: PartSequencer
  #openFrame: { readonly kind: string; readonly count: number; readonly events: ChatEvent[] } | undefined

  constructor(slot: string, writer: StreamWriter, context: EncodeContext = noReport) {
    this.#slot = defineSlot(slot)
    this.#writer = writer
    this.#replacer = new SurrogateReplacer(context)
    this.#sequencer = new PartSequencer(context)
  }

  write(event: ChatEvent): readonly JsonObject[] {
    const { wireEventType: kind, eventCount: count } = getHints(event, this.#slot)
    const startsFrame = typeof kind === 'string' && typeof count === 'number'
    if (!startsFrame && this.#openFrame === undefined)
      return this.#joiner.isComplete(event)
        ? this.#writeComplete(event)
        : this.#writePlanned(this.#joiner.join([event]))
    // Most frames contain one event and follow a complete one.
    if (startsFrame && count === 1 && this.#openFrame === undefined && this.#joiner.isIdle) {
      this.#sequencer.noteFramed(event)
      return this.#encodeFrame(kind, [this.#replacer.replace(event)])
    }
    const before = startsFrame ? [...this.#flush(), ...this.#writePlanned(this.#joiner.end())] : []
    // The reader of a frame has joined its characters; what is not joined is no character.
    const wellFormed = this.#replacer.replace(event)
    if (startsFrame) this.#openFrame = { kind, count, events: [] }
    if (this.#openFrame === undefined) return before
    this.#sequencer.noteFramed(event)
    this.#openFrame.events.push(wellFormed)
    return this.#openFrame.events.length >= this.#openFrame.count ? [...before, ...this.#flush()] : before
  }

  #flush(): readonly JsonObject[] {
    if (this.#openFrame === undefined) return []
    const { kind, events } = this.#openFrame
    this.#openFrame = undefined
    return this.#encodeFrame(kind, events)
  }

  #encodeFrame(kind: string, events: readonly ChatEvent[]): readonly JsonObject[] {
    const [first] = events
    if (first === undefined || kind === HIDDEN_KIND) return []
    if (kind === OPAQUE_KIND && first.type === 'opaque')
      return isObject(first.value) ? [this.#recordWritten(first.value)] : []
    const { contentBoundKeys } = this.#writer
    const bound = contentBoundKeys && {
      onMismatch: contentBoundKeys.onContentChanged,
      content: this.#textDigest.addEvents(events),
    }
    const encoded = this.#writer.encodeFrame(kind, events)
    const isComplete = hasOnlyHints(first, this.#slot)
    return [this.#recordWritten(isComplete ? encoded : applyResidue(encoded, first, this.#slot, bound))]
  }

  #writePlanned(events: readonly ChatEvent[]): readonly JsonObject[] {
    return events.flatMap((event) => this.#writeComplete(event))
  }

  /** Writes an event whose characters are complete, as the writer plans it. */
  #writeComplete(event: ChatEvent): readonly JsonObject[] {
    return joinEach(this.#sequencer.sequence(event), this.#writePlan)
  }

  readonly #writePlan = (event: ChatEvent): readonly JsonObject[] => {
    return this.#writer.plan(this.#replacer.replace(event)).map(this.#writeFrame)
  }

  readonly #writeFrame = ([kind, events]: PlannedFrame): JsonObject => {
    return this.#recordWritten(this.#writer.encodeFrame(kind, events))
  }

  #recordWritten(wire: JsonObject): JsonObject {
    this.#writer.recordWritten(wire)
    return wire
  }

  end(): readonly JsonObject[] {
    return [...this.#flush(), ...this.#writePlanned(this.#joiner.end()), ...this.#writer.end()]
  }
}
