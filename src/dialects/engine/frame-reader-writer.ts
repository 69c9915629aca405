import type { ChatEvent } from '../../canonical/model/event.ts'
import { digestText } from '../../wire/digest.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type Binding, diffResidue, type Hints } from '../../wire/residue.ts'
import { createTextBuffer } from '../../wire/text-buffer.ts'
import { hideFromConsole } from '../../wire/hide-from-console.ts'
import type { EngineHint } from './residue-hints.ts'
import { applyResidue, getHints, type Slot, toSlot, withSlot } from './residue-slots.ts'

/** Appends items to a list. A host may send more items than a single call of `push` can take as arguments. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}

/** Decodes the wire events of one stream. */
export interface StreamReader {
  /** Decodes one wire event; an empty list for an unknown event. */
  read(wire: JsonObject): readonly ChatEvent[]
  /** Returns the remaining events when the stream ends. */
  end(): readonly ChatEvent[]
}

/** Wire keys that are bound to all text before them, and a callback for those that no longer match. */
export interface ContentBoundKeys {
  readonly keys: readonly string[]
  readonly onContentChanged: (key: string) => void
}

/** Encodes the wire events of one stream. Its state follows what was written, so that repeated values follow edits. */
export interface StreamWriter {
  /** Encodes events as one wire event of the given kind, from the events and the state alone. */
  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject
  /** Updates the state after a wire event was written. */
  recordWritten(wire: JsonObject): void
  /** Returns the kinds of wire events that encode an event of another dialect, each with its events. */
  plan(event: ChatEvent): readonly (readonly [kind: string, events: readonly ChatEvent[]])[]
  /** Returns the wire events that end the stream. */
  end(): readonly JsonObject[]
  readonly contentBoundKeys?: ContentBoundKeys
}

/** The kind of an unknown wire event, which is kept unchanged. */
const OPAQUE_KIND = 'opaque'

/** The number of characters that are collected before they are added to the digest. */
const DIGEST_BLOCK_CHARACTERS = 65_536

/** A digest of all text of a stream. Its cost depends on the text since the last digest. */
class TextDigest {
  #digest = ''
  readonly #pendingText = createTextBuffer()

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

/**
 * Decodes a wire stream event by event. With a writer, the first event of each frame gets the residue of its
 * wire event.
 */
export class ResidueStreamReader {
  readonly #slot: string
  readonly #reader: StreamReader
  readonly #writer: StreamWriter | undefined
  readonly #textDigest = new TextDigest()
  readonly #wireEventType: (wire: JsonObject) => string

  constructor(
    slot: string,
    reader: StreamReader,
    wireEventType: (wire: JsonObject) => string,
    writer?: StreamWriter,
  ) {
    this.#slot = slot
    this.#reader = reader
    this.#wireEventType = wireEventType
    this.#writer = writer
  }

  read(wire: Json): readonly ChatEvent[] {
    const read = isObject(wire) ? this.#reader.read(wire) : []
    const isUnknown = read.length === 0 || !isObject(wire)
    const events: readonly ChatEvent[] = isUnknown
      ? [{ type: 'opaque', dialect: this.#slot, value: wire }]
      : read
    if (this.#writer === undefined) return events
    return this.#attachResidue(events, isUnknown ? OPAQUE_KIND : this.#wireEventType(wire), wire)
  }

  #attachResidue(events: readonly ChatEvent[], kind: string, wire: Json): readonly ChatEvent[] {
    const [first, ...others] = events
    if (first === undefined || this.#writer === undefined || !isObject(wire)) return events
    const encoded = kind === OPAQUE_KIND ? wire : this.#writer.encodeFrame(kind, events)
    this.#writer.recordWritten(wire)
    const hints: Hints<EngineHint> = { wireEventType: kind, eventCount: events.length }
    const residue = diffResidue(encoded, wire, hints, undefined, this.#createBinding(events)) ?? {}
    return [withSlot(first, this.#slot, hideFromConsole(residue)), ...others]
  }

  #createBinding(events: readonly ChatEvent[]): Binding | undefined {
    const contentBoundKeys = this.#writer?.contentBoundKeys
    return contentBoundKeys && { keys: contentBoundKeys.keys, content: this.#textDigest.addEvents(events) }
  }

  end(): readonly ChatEvent[] {
    return this.#reader.end()
  }
}

/** Encodes a wire stream: frames as received, other events as planned by the writer. */
export class ResidueStreamWriter {
  readonly #slot: Slot<EngineHint>
  readonly #writer: StreamWriter
  readonly #textDigest = new TextDigest()
  #openFrame: { readonly kind: string; readonly count: number; readonly events: ChatEvent[] } | undefined

  constructor(slot: string, writer: StreamWriter) {
    this.#slot = toSlot(slot)
    this.#writer = writer
  }

  write(event: ChatEvent): readonly JsonObject[] {
    const { wireEventType: kind, eventCount: count } = getHints(event, this.#slot)
    const startsFrame = typeof kind === 'string' && typeof count === 'number'
    const before = startsFrame ? this.#flush() : []
    if (startsFrame) this.#openFrame = { kind, count, events: [event] }
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
      return isObject(first.value) ? [this.#recordWritten(first.value)] : []
    const { contentBoundKeys } = this.#writer
    const bound = contentBoundKeys && {
      onMismatch: contentBoundKeys.onContentChanged,
      content: this.#textDigest.addEvents(events),
    }
    return [
      this.#recordWritten(applyResidue(this.#writer.encodeFrame(kind, events), first, this.#slot, bound)),
    ]
  }

  #writePlanned(event: ChatEvent): readonly JsonObject[] {
    return this.#writer
      .plan(event)
      .map(([kind, events]) => this.#recordWritten(this.#writer.encodeFrame(kind, events)))
  }

  #recordWritten(wire: JsonObject): JsonObject {
    this.#writer.recordWritten(wire)
    return wire
  }

  end(): readonly JsonObject[] {
    return [...this.#flush(), ...this.#writer.end()]
  }
}
