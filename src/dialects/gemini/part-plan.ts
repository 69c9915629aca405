import type { ChatEvent, PartStartEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { below } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { hintsFor } from '../unit.ts'
import { MAKER, SLOT } from './codes.ts'
import type { Source } from './grounding.ts'
import { isSpoken, partAt, type StreamedParts } from './streamed-parts.ts'

/** A part of another format: how it began, and the events that say nothing on the wire until something else does. */
interface Waiting {
  readonly part: AssistantPart
  events: ChatEvent[]
}

/** Which events of another format make a chunk: pieces of text one by one, calls and media when they are whole. */
export class PartPlan {
  readonly #encoding: Encoding
  readonly #parts: StreamedParts
  readonly #waiting = new Map<string, Waiting>()
  readonly #cited = new Map<number, PartUpdateEvent[]>()

  constructor(encoding: Encoding, parts: StreamedParts) {
    this.#encoding = encoding
    this.#parts = parts
  }

  /** The events of the chunk that an event makes; none where it makes none. */
  of(event: ChatEvent): readonly ChatEvent[] {
    if (!('index' in event)) return []
    const candidate = event.candidate ?? 0
    const key = `${candidate} ${event.index}`
    if (event.type === 'part-start') return this.#begin(event, key, candidate)
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return []
    if (event.type === 'part-update' && event.citations !== undefined) this.#cite(event, candidate)
    waiting.events.push(event)
    return this.#speaks(event, waiting, candidate) ? waiting.events.splice(0) : []
  }

  #speaks(
    event: ChatEvent & { readonly index: number },
    { part, events }: Waiting,
    candidate: number,
  ): boolean {
    const ends = event.type === 'part-end'
    if (!isSpoken(part)) return ends
    if (!ends) return 'text' in event
    const signed = part.signature?.maker === MAKER && !this.#parts.isSigned(candidate, event.index)
    return signed || events.some((each) => each.type === 'part-update' && each.signature?.maker === MAKER)
  }

  /** The events of parts that never ended. */
  rest(): readonly (readonly ChatEvent[])[] {
    return [...this.#waiting.values()].flatMap(({ part, events }) => {
      const [first] = events
      if (isSpoken(part) || first === undefined || !('index' in first)) return []
      const { index, candidate } = first
      return [
        [...events, { type: 'part-end', index, ...(candidate !== undefined && { candidate }) } as const],
      ]
    })
  }

  /** Everything that the texts of an answer cite. */
  sources(candidate: number): readonly Source[] {
    const cited = this.#cited.get(candidate) ?? []
    this.#cited.delete(candidate)
    return cited.flatMap((event) => this.#parts.sources(event, candidate))
  }

  #begin(event: PartStartEvent, key: string, candidate: number): readonly ChatEvent[] {
    const { part, index } = event
    const at = partAt(candidate, index)
    const rule = refusal(part)
    if (rule !== undefined) {
      this.#encoding.lose(rule, at)
      return []
    }
    const waiting = { part, events: [event] }
    this.#waiting.set(key, waiting)
    if (part.type === 'text' && part.citations !== undefined)
      this.#cite({ type: 'part-update', index, citations: part.citations }, candidate)
    if (!isSpoken(part)) return []
    if (part.type === 'refusal') this.#encoding.lose('refusal-as-text', at)
    if (part.signature !== undefined && part.signature.maker !== MAKER)
      this.#encoding.lose('foreign-signature', below(at, 'signature'))
    return part.text === '' ? [] : waiting.events.splice(0)
  }

  #cite(event: PartUpdateEvent, candidate: number): void {
    this.#cited.set(candidate, [...(this.#cited.get(candidate) ?? []), event])
  }
}

/** The rule by which a part cannot be streamed. */
function refusal(part: AssistantPart): string | undefined {
  if (part.type === 'opaque') return part.dialect === SLOT ? undefined : 'foreign-opaque'
  if (part.type === 'reasoning')
    return part.redacted && part.signature?.maker !== MAKER ? 'foreign-reasoning' : undefined
  const provided =
    part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'provider')
  return provided && hintsFor(part, SLOT)['kind'] === undefined ? 'provider-call-dropped' : undefined
}
