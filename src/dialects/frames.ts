import type { ChatEvent } from '../canonical/model/event.ts'
import { digestText } from '../wire/digest.ts'
import { isObject, type Json, type JsonObject } from '../wire/json.ts'
import { type Bond, diff, type Hints } from '../wire/residue.ts'
import { createTextBuffer } from '../wire/text-buffer.ts'
import type { EngineHint } from './hints.ts'
import { applyResidue, hintsFor, type Slot, slotOf, withSlot } from './unit.ts'

/** Reads wire events: a reducer with its state. */
export interface StreamReader {
  /** What one wire event says; nothing for one that says nothing to us. */
  read(wire: JsonObject): readonly ChatEvent[]
  /** What is still to be said when the stream ends. */
  end(): readonly ChatEvent[]
}

/** Wire keys of a stream that vouch for every word that was said before them, and who hears of what no longer holds. */
export interface Vouchers {
  readonly keys: readonly string[]
  readonly stale: (key: string) => void
}

/** Writes wire events: its state advances on what it wrote, so that repeats follow edits. */
export interface StreamWriter {
  /** The wire event of a kind that says these events, from them and the state alone. */
  frame(kind: string, events: readonly ChatEvent[]): JsonObject
  /** Takes note of what was written. */
  wrote(wire: JsonObject): void
  /** The kinds of wire events that say an event of another format, each with the events that it says. */
  plan(event: ChatEvent): readonly (readonly [kind: string, events: readonly ChatEvent[]])[]
  /** The wire events that end the stream. */
  end(): readonly JsonObject[]
  readonly vouchers?: Vouchers
}

/** The kind of a wire event that says nothing to us: it is kept whole. */
const OPAQUE = 'opaque'

/** So much is gathered before it becomes part of the digest. */
const BLOCK = 65_536

/** Every word that a stream said. Its digest costs what was said since it was last asked for. */
class Words {
  #digest = ''
  readonly #fresh = createTextBuffer()

  /** What is said when these events were: most frames have nothing that vouches for it, and never ask. */
  saying(events: readonly ChatEvent[]): () => string {
    for (const event of events) if ('text' in event) this.#fresh.push(event.text)
    if (this.#fresh.length > BLOCK) this.#update()
    return this.#update
  }

  readonly #update = (): string => {
    if (this.#fresh.length > 0) this.#digest = digestText(this.#digest + this.#fresh.take())
    return this.#digest
  }
}

/** Reads a wire stream event by event. With a writer, each frame remembers what it says beyond its events. */
export class FrameReader {
  readonly #slot: string
  readonly #reader: StreamReader
  readonly #writer: StreamWriter | undefined
  readonly #words = new Words()
  readonly #kindOf: (wire: JsonObject) => string

  constructor(
    slot: string,
    reader: StreamReader,
    kindOf: (wire: JsonObject) => string,
    writer?: StreamWriter,
  ) {
    this.#slot = slot
    this.#reader = reader
    this.#kindOf = kindOf
    this.#writer = writer
  }

  read(wire: Json): readonly ChatEvent[] {
    const read = isObject(wire) ? this.#reader.read(wire) : []
    const unread = read.length === 0 || !isObject(wire)
    const events: readonly ChatEvent[] = unread
      ? [{ type: 'opaque', dialect: this.#slot, value: wire }]
      : read
    if (this.#writer === undefined) return events
    return this.#framed(events, unread ? OPAQUE : this.#kindOf(wire), wire)
  }

  #framed(events: readonly ChatEvent[], kind: string, wire: Json): readonly ChatEvent[] {
    const [first, ...others] = events
    if (first === undefined || this.#writer === undefined || !isObject(wire)) return events
    const made = kind === OPAQUE ? wire : this.#writer.frame(kind, events)
    this.#writer.wrote(wire)
    const hints: Hints<EngineHint> = { wireEventType: kind, eventCount: events.length }
    const residue = diff(made, wire, hints, undefined, this.#bond(events)) ?? {}
    return [withSlot(first, this.#slot, residue), ...others]
  }

  #bond(events: readonly ChatEvent[]): Bond | undefined {
    const vouchers = this.#writer?.vouchers
    return vouchers && { keys: vouchers.keys, of: this.#words.saying(events) }
  }

  end(): readonly ChatEvent[] {
    return this.#reader.end()
  }
}

/** Writes a wire stream: frames as they came, other events by the writer's plan. */
export class FrameWriter {
  readonly #slot: Slot<EngineHint>
  readonly #writer: StreamWriter
  readonly #words = new Words()
  #open: { readonly kind: string; readonly count: number; readonly events: ChatEvent[] } | undefined

  constructor(slot: string, writer: StreamWriter) {
    this.#slot = slotOf(slot)
    this.#writer = writer
  }

  write(event: ChatEvent): readonly JsonObject[] {
    const { wireEventType: kind, eventCount: count } = hintsFor(event, this.#slot)
    const starts = typeof kind === 'string' && typeof count === 'number'
    const before = starts ? this.#flush() : []
    if (starts) this.#open = { kind, count, events: [event] }
    else if (this.#open === undefined) return this.#planned(event)
    else this.#open.events.push(event)
    return this.#open.events.length >= this.#open.count ? [...before, ...this.#flush()] : before
  }

  #flush(): readonly JsonObject[] {
    if (this.#open === undefined) return []
    const { kind, events } = this.#open
    this.#open = undefined
    const [first] = events
    if (first === undefined) return []
    if (kind === OPAQUE && first.type === 'opaque')
      return isObject(first.value) ? [this.#note(first.value)] : []
    const { vouchers } = this.#writer
    const bonded = vouchers && { stale: vouchers.stale, of: this.#words.saying(events) }
    return [this.#note(applyResidue(this.#writer.frame(kind, events), first, this.#slot, bonded))]
  }

  #planned(event: ChatEvent): readonly JsonObject[] {
    return this.#writer.plan(event).map(([kind, events]) => this.#note(this.#writer.frame(kind, events)))
  }

  #note(wire: JsonObject): JsonObject {
    this.#writer.wrote(wire)
    return wire
  }

  end(): readonly JsonObject[] {
    return [...this.#flush(), ...this.#writer.end()]
  }
}
