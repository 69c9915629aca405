import type {
  ArgumentsDeltaEvent,
  ChatEvent,
  ReasoningDeltaEvent,
  TextDeltaEvent,
} from '../../canonical/model/event.ts'
import { child, toPointer } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { createPartPath } from './parts-being-written.ts'
import { toWellFormedText } from './well-formed-text.ts'

type TextEvent = TextDeltaEvent | ReasoningDeltaEvent | ArgumentsDeltaEvent

/**
 * Joins the halves of characters that a provider split between two deltas: the first half moves to the next delta of its
 * part. A half that never completes follows as a delta of its own, before the part ends.
 */
export class SurrogateJoiner {
  /** The halves that wait for the next delta, by the part that they belong to. */
  readonly #halves = new Map<string, TextEvent>()

  /** Returns the events with complete characters; the same list if no character is split. */
  join(events: readonly ChatEvent[]): readonly ChatEvent[] {
    for (const event of events)
      if (!this.isComplete(event)) return events.flatMap((each) => this.#joinEvent(each))
    return events
  }

  /** True if no half of a character waits for the next delta. */
  get isIdle(): boolean {
    return this.#halves.size === 0
  }

  /** Returns true if no character is split: the event need not be joined. */
  isComplete(event: ChatEvent): boolean {
    return this.isIdle && !endsWithHalf(event)
  }

  /** Returns the halves that never completed. */
  end(): readonly ChatEvent[] {
    const halves = [...this.#halves.values()]
    this.#halves.clear()
    return halves
  }

  #joinEvent(event: ChatEvent): readonly ChatEvent[] {
    if (event.type === 'start' || event.type === 'finish') return [...this.end(), event]
    if (!('index' in event) || event.type === 'part-update') return [event]
    const key = `${event.candidate ?? 0} ${event.index}`
    const waiting = this.#halves.get(key)
    this.#halves.delete(key)
    if (!isTextEvent(event)) return waiting === undefined ? [event] : [waiting, event]
    const joined = waiting === undefined ? event : setPiece(event, getPiece(waiting) + getPiece(event))
    if (!endsWithHalf(joined)) return [joined]
    const piece = getPiece(joined)
    this.#halves.set(key, setPiece(joined, piece.slice(-1)))
    return [setPiece(joined, piece.slice(0, -1))]
  }
}

/** Replaces halves of characters in events by U+FFFD; each text that contains one is reported once. */
export class SurrogateReplacer {
  readonly #context: EncodeContext
  readonly #reported = new Set<string>()

  constructor(context: EncodeContext) {
    this.#context = {
      ...context,
      report: (rule, path) => {
        const pointer = toPointer(path)
        if (!this.#reported.has(pointer)) context.report(rule, path)
        this.#reported.add(pointer)
      },
    }
  }

  replace(event: ChatEvent): ChatEvent {
    if (event.type === 'usage') {
      const usage = toWellFormedText(event.usage, child(undefined, 'usage'), this.#context)
      return usage === event.usage ? event : { ...event, usage }
    }
    if (!('index' in event)) return event
    if (isTextEvent(event)) {
      const piece = getPiece(event)
      if (piece.isWellFormed()) return event
      const path = child(createPartPath(event), 'json' in event ? 'arguments' : 'text')
      return setPiece(event, toWellFormedText(piece, path, this.#context))
    }
    if (!('part' in event) || event.part === undefined) return event
    const part = toWellFormedText(event.part, createPartPath(event), this.#context)
    return part === event.part ? event : { ...event, part }
  }
}

function isTextEvent(event: ChatEvent): event is TextEvent {
  return getTextPiece(event) !== undefined
}

/** Returns the text of a delta; undefined for any other event. */
function getTextPiece(event: ChatEvent): string | undefined {
  const { type } = event
  if (type === 'text-delta' || type === 'refusal-delta' || type === 'reasoning-delta') return event.text
  return type === 'arguments-delta' ? event.json : undefined
}

function getPiece(event: TextEvent): string {
  return getTextPiece(event) ?? ''
}

/** Returns a delta with another text. */
function setPiece(event: TextEvent, piece: string): TextEvent {
  return 'json' in event ? { ...event, json: piece } : { ...event, text: piece }
}

/** Returns true for a delta whose last character is the first half of a surrogate pair. */
function endsWithHalf(event: ChatEvent): boolean {
  const piece = getTextPiece(event)
  if (piece === undefined) return false
  const code = piece.charCodeAt(piece.length - 1)
  return code >= 0xd800 && code <= 0xdbff
}
