import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { createInitialPart, PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** An event about one part. */
export type PartEvent = Extract<ChatEvent, { readonly index: number }>

/** A part of a stream while it grows. */
export interface PartBeingWritten {
  readonly candidate: number
  readonly index: number
  /** What was known of it when it opened. */
  readonly openingPart: AssistantPart
  /** Whether a delta said something. */
  readonly hasGrown: boolean
  /** Whether its end says another thing than what was told of it before. */
  readonly isCorrected: boolean
  /** The part as far as it came. */
  getPart(): AssistantPart
}

interface PartEntry extends PartBeingWritten {
  readonly part: PartAccumulator
  hasGrown: boolean
  isCorrected: boolean
}

/** The parts of a stream that are still open, for a writer that needs them whole: at their end they are forgotten. */
export class PartsBeingWritten {
  readonly #parts = new Map<string, PartEntry>()
  readonly #endedKeys = new Set<string>()
  /** Ended reasoning without a text: no target shows it, so nothing of it can be corrected. */
  readonly #hidden = new Set<string>()

  open({ candidate = 0, index, part: opened }: PartStartEvent): PartBeingWritten {
    const part = new PartAccumulator(opened)
    const state = { part, hasGrown: false, isCorrected: false }
    const growing: PartEntry = {
      candidate,
      index,
      openingPart: opened,
      ...state,
      getPart: () => part.build(),
    }
    this.#parts.set(createKey(candidate, index), growing)
    return growing
  }

  /** Whether an event takes back what was said of a part that has ended, or adds to it. */
  isCorrection(event: PartEvent): boolean {
    const key = createKey(event.candidate ?? 0, event.index)
    const late = event.type === 'part-update' || (event.type === 'part-end' && event.replaces === true)
    if (!late || !this.#endedKeys.has(key)) return false
    return !(this.#hidden.has(key) && 'part' in event && isHidden(event.part))
  }

  /** Lets a part grow; the part, unless nobody opened it. */
  push(event: PartEvent): PartBeingWritten | undefined {
    const growing = this.#parts.get(createKey(event.candidate ?? 0, event.index))
    if (growing === undefined) return undefined
    if (event.type === 'part-update') growing.part.update(event)
    else if (event.type === 'part-end') {
      const before = event.part === undefined ? undefined : digestContent(growing.getPart())
      growing.part.end(event)
      growing.isCorrected = before !== undefined && before !== digestContent(growing.getPart())
      this.#parts.delete(createKey(growing.candidate, growing.index))
      this.#endedKeys.add(createKey(growing.candidate, growing.index))
      if (growing.openingPart.type === 'reasoning' && isHidden(growing.getPart()))
        this.#hidden.add(createKey(growing.candidate, growing.index))
    } else if (event.type !== 'part-start') {
      const piece = 'text' in event ? event.text : 'json' in event ? event.json : event.data
      growing.part.append(piece)
      growing.hasGrown ||= piece !== ''
    }
    return growing
  }

  /** Those that nobody closed, of one candidate or of all. */
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

/** The part that a delta is about, where nobody opened one; undefined for what needs more than that. */
export function createPartForDelta(event: PartEvent): AssistantPart | undefined {
  return event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta'
    ? createInitialPart(event)
    : undefined
}

/** Where a part stands in the response. */
export function createPartPath({ candidate, index }: Pick<PartBeingWritten, 'candidate' | 'index'>): Path {
  return child(child(createCandidatePath(candidate), 'content'), index)
}

/** Where an answer stands in the response. */
export function createCandidatePath(candidate: number): Path {
  return child(child(undefined, 'candidates'), candidate)
}
