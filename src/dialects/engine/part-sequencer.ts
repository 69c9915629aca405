import type { ChatEvent, PartEndEvent, PartStartEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import {
  createCandidateField,
  createPartForDelta,
  createPartKey,
  createPartPath,
  type PartEvent,
  type PartKey,
} from './parts-being-written.ts'

interface SequencedPart {
  readonly part: AssistantPart
  readonly position: Pick<PartEvent, 'candidate' | 'index'>
  /** True if a wire event of the same dialect opened it, which is written as it was received. */
  readonly isFramed: boolean
  isEnded: boolean
}

/** The type of the deltas of each part with text. */
const DELTA_TYPES: ReadonlyMap<string, PartEvent['type']> = new Map([
  ['text', 'text-delta'],
  ['refusal', 'refusal-delta'],
  ['reasoning', 'reasoning-delta'],
])

/**
 * Puts the events of each part into the order that the planners of the dialects expect: a start, deltas of its type, one
 * end. Events that other code creates may come in any order; what no order can express is reported.
 */
export class PartSequencer {
  readonly #context: EncodeContext
  readonly #parts = new Map<PartKey, SequencedPart>()
  readonly #reported = new Set<PartKey>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  /** Notes an event that is written as it was received. */
  noteFramed(event: ChatEvent): void {
    if (event.type === 'start' && (event.candidate ?? 0) === 0) this.#parts.clear()
    if (event.type === 'part-start' || event.type === 'part-end') this.#note(event, true)
  }

  /** Returns the events to plan for an event. */
  sequence(event: ChatEvent): readonly ChatEvent[] {
    if (event.type === 'start' && (event.candidate ?? 0) === 0) {
      const ends = [...this.#parts.values()].flatMap((part) => createMissingEnd(part))
      this.#parts.clear()
      return [...ends, event]
    }
    if (!('index' in event)) return [event]
    const events = this.#sequencePart(event, this.#parts.get(createPartKey(event)))
    for (const each of events)
      if (each.type === 'part-start' || each.type === 'part-end') this.#note(each, false)
    return events
  }

  #sequencePart(event: PartEvent, known: SequencedPart | undefined): readonly PartEvent[] {
    if (event.type === 'part-start') {
      // A second start replaces the part, and nothing retracts what was written of it.
      if (known !== undefined) this.#context.report('late-correction', createPartPath(event))
      return known === undefined ? [event] : [...createMissingEnd(known), event]
    }
    if (event.type === 'part-end') return sequenceEnd(event, known)
    if (known === undefined || (known.isEnded && event.type !== 'part-update')) {
      const part = createPartForDelta(event)
      return part === undefined ? this.#omit(event) : [createStart(event, part), event]
    }
    if (event.type === 'part-update') return this.#sequenceUpdate(event, known.part)
    if (known.isFramed) return [event]
    const fitted = fitDelta(event, known.part)
    return fitted === undefined ? this.#omit(event) : [fitted]
  }

  /** Reports citations of a part that is not text, which has none. */
  #sequenceUpdate(event: PartUpdateEvent, { type }: AssistantPart): readonly PartEvent[] {
    const { citations = [], ...update } = event
    if (type === 'text' || citations.length === 0) return [event]
    this.#context.report('citations-dropped', child(createPartPath(event), 'citations'))
    return [update]
  }

  /** Reports an event that belongs to no part; the further ones of the same part are not reported again. */
  #omit(event: PartEvent): readonly [] {
    const key = createPartKey(event)
    if (!this.#reported.has(key)) this.#context.report('misplaced-delta', createPartPath(event))
    this.#reported.add(key)
    return []
  }

  #note(event: PartStartEvent | PartEndEvent, isFramed: boolean): void {
    const key = createPartKey(event)
    if (event.type === 'part-start') {
      const { index, part, candidate } = event
      const position = { index, ...createCandidateField(candidate) }
      this.#parts.set(key, { part, position, isFramed, isEnded: false })
      return
    }
    const known = this.#parts.get(key)
    if (known !== undefined) known.isEnded = true
  }
}

function createStart({ index, candidate }: PartEvent, part: AssistantPart): PartStartEvent {
  return { type: 'part-start', index, part, ...createCandidateField(candidate) }
}

/** Returns the end of a part that has none; the ends of framed parts are frames. */
function createMissingEnd({ isEnded, isFramed, position }: SequencedPart): readonly PartEvent[] {
  return isEnded || isFramed ? [] : [{ type: 'part-end', ...position }]
}

function sequenceEnd(event: PartEndEvent, part: SequencedPart | undefined): readonly PartEvent[] {
  if (part?.isEnded === false) return [event]
  if (event.part === undefined) return []
  // The end of a part that never started contains all of it; that of an ended part is a correction.
  const { part: complete, replaces: _replaces, ...end } = event
  return part === undefined ? [createStart(event, complete), end] : [event]
}

/** Returns a delta with the type of its part, which decides what a text is; undefined if the part has no such deltas. */
function fitDelta(event: PartEvent, part: AssistantPart): PartEvent | undefined {
  if ('json' in event) return part.type === 'tool-call' ? event : undefined
  if ('data' in event) return isMediaPart(part) ? event : undefined
  const type = DELTA_TYPES.get(part.type)
  if (type === undefined) return undefined
  return event.type === type ? event : ({ ...event, type } as PartEvent)
}
