import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { createInitialPart, PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** An event of one part. */
export type PartEvent = Extract<ChatEvent, { readonly index: number }>

/** A streamed part that is being written. */
export interface PartBeingWritten {
  readonly candidate: number
  readonly index: number
  /** The part in its `part-start` event. */
  readonly openingPart: AssistantPart
  /** True if a delta added content. */
  readonly hasGrown: boolean
  /** True if the `part-end` event changed the content that was streamed before. */
  readonly isCorrected: boolean
  /** Returns the part as received so far. */
  getPart(): AssistantPart
}

interface PartEntry extends PartBeingWritten {
  readonly part: PartAccumulator
  hasGrown: boolean
  isCorrected: boolean
}

/**
 * The parts of a stream that have not ended, for writers that need complete parts. A part is removed when it
 * ends.
 */
export class PartsBeingWritten {
  readonly #parts = new Map<string, PartEntry>()
  readonly #endedKeys = new Set<string>()
  /** Ended reasoning parts without text: no target shows them, so a later change is no correction. */
  readonly #hidden = new Set<string>()

  open({ candidate = 0, index, part: openingPart }: PartStartEvent): PartBeingWritten {
    const part = new PartAccumulator(openingPart)
    const state = { part, hasGrown: false, isCorrected: false }
    const entry: PartEntry = {
      candidate,
      index,
      openingPart,
      ...state,
      getPart: () => part.build(),
    }
    this.#parts.set(createKey(candidate, index), entry)
    return entry
  }

  /** Returns true if an event changes or extends a part that has already ended. */
  isCorrection(event: PartEvent): boolean {
    const key = createKey(event.candidate ?? 0, event.index)
    const changesPart = event.type === 'part-update' || (event.type === 'part-end' && event.replaces === true)
    if (!changesPart || !this.#endedKeys.has(key)) return false
    return !(this.#hidden.has(key) && 'part' in event && isHidden(event.part))
  }

  /** Applies an event and returns the part; undefined if the part was not opened. */
  push(event: PartEvent): PartBeingWritten | undefined {
    const entry = this.#parts.get(createKey(event.candidate ?? 0, event.index))
    if (entry === undefined) return undefined
    if (event.type === 'part-update') entry.part.update(event)
    else if (event.type === 'part-end') {
      const before = event.part === undefined ? undefined : digestContent(entry.getPart())
      entry.part.end(event)
      entry.isCorrected = before !== undefined && before !== digestContent(entry.getPart())
      this.#parts.delete(createKey(entry.candidate, entry.index))
      this.#endedKeys.add(createKey(entry.candidate, entry.index))
      if (entry.openingPart.type === 'reasoning' && isHidden(entry.getPart()))
        this.#hidden.add(createKey(entry.candidate, entry.index))
    } else if (event.type !== 'part-start') {
      const piece = 'text' in event ? event.text : 'json' in event ? event.json : event.data
      entry.part.append(piece)
      entry.hasGrown ||= piece !== ''
    }
    return entry
  }

  /** Returns the parts that have not ended, of one candidate or of all. */
  listOpen(candidate?: number): readonly PartBeingWritten[] {
    return [...this.#parts.values()].filter((part) => candidate === undefined || part.candidate === candidate)
  }
}

function isHidden(part: AssistantPart | undefined): boolean {
  return part?.type === 'reasoning' && part.text === ''
}

function createKey(candidate: number, index: number): string {
  return `${candidate} ${index}`
}

/** Creates the part of a delta whose part was not opened; undefined for parts that need more than a delta. */
export function createPartForDelta(event: PartEvent): AssistantPart | undefined {
  return event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta'
    ? createInitialPart(event)
    : undefined
}

/** Returns the path of a part in the response. */
export function createPartPath({ candidate, index }: Pick<PartBeingWritten, 'candidate' | 'index'>): Path {
  return child(child(createCandidatePath(candidate), 'content'), index)
}

/** Returns the path of a candidate in the response. */
export function createCandidatePath(candidate: number): Path {
  return child(child(undefined, 'candidates'), candidate)
}
