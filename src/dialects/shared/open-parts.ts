import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestOf } from '../../canonical/read/digest.ts'
import { blankPart, OpenPart } from '../../canonical/stream/open-part.ts'
import { below, type Path } from '../../wire/pointer.ts'

/** An event about one part. */
export type PartEvent = Extract<ChatEvent, { readonly index: number }>

/** A part of a stream while it grows. */
export interface Growing {
  readonly candidate: number
  readonly index: number
  /** What was known of it when it opened. */
  readonly opened: AssistantPart
  /** Whether a delta said something. */
  readonly grew: boolean
  /** Whether its end says another thing than what was told of it before. */
  readonly corrected: boolean
  /** The part as far as it came. */
  whole(): AssistantPart
}

interface Entry extends Growing {
  readonly part: OpenPart
  grew: boolean
  corrected: boolean
}

/** The parts of a stream that are still open, for a writer that needs them whole: at their end they are forgotten. */
export class OpenParts {
  readonly #parts = new Map<string, Entry>()
  readonly #ended = new Set<string>()
  /** Ended reasoning without a text: no target shows it, so nothing of it can be corrected. */
  readonly #hidden = new Set<string>()

  open({ candidate = 0, index, part: opened }: PartStartEvent): Growing {
    const part = new OpenPart(opened)
    const state = { part, grew: false, corrected: false }
    const growing: Entry = { candidate, index, opened, ...state, whole: () => part.whole() }
    this.#parts.set(keyOf(candidate, index), growing)
    return growing
  }

  /** Whether an event takes back what was said of a part that has ended, or adds to it. */
  corrects(event: PartEvent): boolean {
    const key = keyOf(event.candidate ?? 0, event.index)
    const late = event.type === 'part-update' || (event.type === 'part-end' && event.replaces === true)
    if (!late || !this.#ended.has(key)) return false
    return !(this.#hidden.has(key) && 'part' in event && isHidden(event.part))
  }

  /** Lets a part grow; the part, unless nobody opened it. */
  push(event: PartEvent): Growing | undefined {
    const growing = this.#parts.get(keyOf(event.candidate ?? 0, event.index))
    if (growing === undefined) return undefined
    if (event.type === 'part-update') growing.part.update(event)
    else if (event.type === 'part-end') {
      const before = event.part === undefined ? undefined : digestOf(growing.whole())
      growing.part.end(event)
      growing.corrected = before !== undefined && before !== digestOf(growing.whole())
      this.#parts.delete(keyOf(growing.candidate, growing.index))
      this.#ended.add(keyOf(growing.candidate, growing.index))
      if (growing.opened.type === 'reasoning' && isHidden(growing.whole()))
        this.#hidden.add(keyOf(growing.candidate, growing.index))
    } else if (event.type !== 'part-start') {
      const piece = 'text' in event ? event.text : 'json' in event ? event.json : event.data
      growing.part.grow(piece)
      growing.grew ||= piece !== ''
    }
    return growing
  }

  /** Those that nobody closed, of one candidate or of all. */
  left(candidate?: number): readonly Growing[] {
    return [...this.#parts.values()].filter((part) => candidate === undefined || part.candidate === candidate)
  }
}

function isHidden(part: AssistantPart | undefined): boolean {
  return part?.type === 'reasoning' && part.text === ''
}

function keyOf(candidate: number, index: number): string {
  return `${candidate} ${index}`
}

/** The part that a delta is about, where nobody opened one; undefined for what needs more than that. */
export function blankFor(event: PartEvent): AssistantPart | undefined {
  return event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta'
    ? blankPart(event)
    : undefined
}

/** Where a part stands in the response. */
export function partPath({ candidate, index }: Pick<Growing, 'candidate' | 'index'>): Path {
  return below(below(candidatePath(candidate), 'content'), index)
}

/** Where an answer stands in the response. */
export function candidatePath(candidate: number): Path {
  return below(below(undefined, 'candidates'), candidate)
}
