import type { ChatEvent } from '../../canonical/model/event.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type Binding, diffResidue, type Hints } from '../../wire/residue.ts'
import { createTextBuffer } from '../../wire/text-buffer.ts'
import { hideWhenPrinted } from '../../wire/inspect.ts'
import type { EngineHint } from './hints.ts'
import { applyResidue, getHints, type Slot, slotOf, withSlot } from './residue-slots.ts'

/** Adds to a list. Items that a host sends may be too many to be the arguments of one call. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}

/** Reads wire events: a reducer with its state. */
export interface StreamReader {
  /** What one wire event says; nothing for one that says nothing to us. */
  read(wire: JsonObject): readonly ChatEvent[]
  /** What is still to be said when the stream ends. */
  end(): readonly ChatEvent[]
}

/** Wire keys of a stream that vouch for every word that was said before them, and who hears of what no longer holds. */
export interface ContentBoundKeys {
  readonly keys: readonly string[]
  readonly onContentChanged: (key: string) => void
}

/** Writes wire events: its state advances on what it wrote, so that repeats follow edits. */
export interface StreamWriter {
  /** The wire event of a kind that says these events, from them and the state alone. */
  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject
  /** Takes note of what was written. */
  noteWritten(wire: JsonObject): void
  /** The kinds of wire events that say an event of another format, each with the events that it says. */
  plan(event: ChatEvent): readonly (readonly [kind: string, events: readonly ChatEvent[]])[]
  /** The wire events that end the stream. */
  end(): readonly JsonObject[]
  readonly contentBoundKeys?: ContentBoundKeys
}

/** The kind of a wire event that says nothing to us: it is kept whole. */
const OPAQUE_KIND = 'opaque'

/** So much is gathered before it becomes part of the digest. */
const DIGEST_BLOCK_CHARACTERS = 65_536

/** Every word that a stream said. Its digest costs what was said since it was last asked for. */
class TextDigest {
  #digest = ''
  readonly #pendingText = createTextBuffer()

  /** What is said when these events were: most frames have nothing that vouches for it, and never ask. */
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

/** Reads a wire stream event by event. With a writer, each frame remembers what it says beyond its events. */
export class FrameReader {
  readonly #slot: string
  readonly #reader: StreamReader
  readonly #writer: StreamWriter | undefined
  readonly #textDigest = new TextDigest()
  readonly #wireEventType: (wire: JsonObject) => string

  constructor(
    slot: string,
    reader: StreamReader,
    kindOf: (wire: JsonObject) => string,
    writer?: StreamWriter,
  ) {
    this.#slot = slot
    this.#reader = reader
    this.#wireEventType = kindOf
    this.#writer = writer
  }

  read(wire: Json): readonly ChatEvent[] {
    const read = isObject(wire) ? this.#reader.read(wire) : []
    const unread = read.length === 0 || !isObject(wire)
    const events: readonly ChatEvent[] = unread
      ? [{ type: 'opaque', dialect: this.#slot, value: wire }]
      : read
    if (this.#writer === undefined) return events
    return this.#attachResidue(events, unread ? OPAQUE_KIND : this.#wireEventType(wire), wire)
  }

  #attachResidue(events: readonly ChatEvent[], kind: string, wire: Json): readonly ChatEvent[] {
    const [first, ...others] = events
    if (first === undefined || this.#writer === undefined || !isObject(wire)) return events
    const made = kind === OPAQUE_KIND ? wire : this.#writer.encodeFrame(kind, events)
    this.#writer.noteWritten(wire)
    const hints: Hints<EngineHint> = { wireEventType: kind, eventCount: events.length }
    const residue = diffResidue(made, wire, hints, undefined, this.#createBinding(events)) ?? {}
    return [withSlot(first, this.#slot, hideWhenPrinted(residue)), ...others]
  }

  #createBinding(events: readonly ChatEvent[]): Binding | undefined {
    const vouchers = this.#writer?.contentBoundKeys
    return vouchers && { keys: vouchers.keys, content: this.#textDigest.addEvents(events) }
  }

  end(): readonly ChatEvent[] {
    return this.#reader.end()
  }
}

/** Writes a wire stream: frames as they came, other events by the writer's plan. */
export class FrameWriter {
  readonly #slot: Slot<EngineHint>
  readonly #writer: StreamWriter
  readonly #textDigest = new TextDigest()
  #openFrame: { readonly kind: string; readonly count: number; readonly events: ChatEvent[] } | undefined

  constructor(slot: string, writer: StreamWriter) {
    this.#slot = slotOf(slot)
    this.#writer = writer
  }

  write(event: ChatEvent): readonly JsonObject[] {
    const { wireEventType: kind, eventCount: count } = getHints(event, this.#slot)
    const starts = typeof kind === 'string' && typeof count === 'number'
    const before = starts ? this.#flush() : []
    if (starts) this.#openFrame = { kind, count, events: [event] }
    else if (this.#openFrame === undefined) return this.#writePlanned(event)
    else this.#openFrame.events.push(event)
    return this.#openFrame.events.length >= this.#openFrame.count ? [...before, ...this.#flush()] : before
  }

  #flush(): readonly JsonObject[] {
    if (this.#openFrame === undefined) return []
    const { kind, events } = this.#openFrame
    this.#openFrame = undefined
    const [first] = events
    if (first === undefined) return []
    if (kind === OPAQUE_KIND && first.type === 'opaque')
      return isObject(first.value) ? [this.#noteWritten(first.value)] : []
    const { contentBoundKeys } = this.#writer
    const bonded = contentBoundKeys && {
      onMismatch: contentBoundKeys.onContentChanged,
      content: this.#textDigest.addEvents(events),
    }
    return [
      this.#noteWritten(applyResidue(this.#writer.encodeFrame(kind, events), first, this.#slot, bonded)),
    ]
  }

  #writePlanned(event: ChatEvent): readonly JsonObject[] {
    return this.#writer
      .plan(event)
      .map(([kind, events]) => this.#noteWritten(this.#writer.encodeFrame(kind, events)))
  }

  #noteWritten(wire: JsonObject): JsonObject {
    this.#writer.noteWritten(wire)
    return wire
  }

  end(): readonly JsonObject[] {
    return [...this.#flush(), ...this.#writer.end()]
  }
}
