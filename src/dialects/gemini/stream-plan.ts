import type { ChatEvent, FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import {
  createCandidateField,
  createPartPath,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { DIALECT_VENDOR, DIALECT_SLOT } from './constants.ts'
import { isSupportedCitation, type CitationToEncode, getCitationTextRange } from './citations.ts'
import { encodePart } from './parts.ts'
import { isOwnReasoning } from './reasoning.ts'

/** The type of the chunk that ends a stream of another dialect: it contains the sources of all texts. */
export const CLOSING_CHUNK_TYPE = 'closing'

/** A text on the wire; adjacent pieces form one text. */
interface WireText {
  readonly index: number
  readonly isThought: boolean
  text: string
}

/** A part that is not completely written. */
interface QueuedPart {
  readonly source: PartBeingWritten
  readonly pendingTexts: string[]
  /** The wire text that contains its text, and the offset in it. */
  position?: { readonly wireText: WireText; readonly offset: number }
  /** Returns the wire part of its end, and adds its citations; absent until the part has ended. */
  writeEnd?: () => JsonObject | undefined
}

/** One candidate of a stream: its parts in order, and what was written of it. */
class CandidatePlan {
  /** The parts that are being written; no part before them is incomplete. */
  readonly writable: Map<PartBeingWritten, QueuedPart> = new Map()
  /** The part that is written when it is complete, and the parts that opened after it. */
  readonly waiting: Map<PartBeingWritten, QueuedPart> = new Map()
  readonly sources: (() => CitationToEncode)[] = []
  isOwnFormat = false
  hasToolCalls = false
  hasEndedCall = false
  #partCount = 0
  #openText: WireText | undefined

  /** Adds a wire part. Returns true if it joins the text before it, since a reader cannot separate them. */
  addWirePart(queued: QueuedPart, wire: Json): boolean {
    const { text, thought, ...rest } = isObject(wire) ? wire : {}
    const isPlainText = typeof text === 'string' && isEmptyObject(rest)
    const isThought = thought === true
    const joined = isPlainText && this.#openText?.isThought === isThought ? this.#openText : undefined
    const wireText = joined ?? { index: this.#partCount++, isThought, text: '' }
    queued.position ??= { wireText, offset: wireText.text.length }
    if (typeof text === 'string') wireText.text += text
    this.#openText = isPlainText ? wireText : undefined
    return joined !== undefined
  }
}

/** Plans the chunks of a stream: text piece by piece, calls and media when they are complete. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = true
  readonly #candidates = new Map<number, CandidatePlan>()
  readonly #finishes: FinishEvent[] = []

  /** Returns the state of a candidate. */
  getCandidate(candidate = 0): CandidatePlan {
    const known = this.#candidates.get(candidate)
    if (known !== undefined) return known
    const created = new CandidatePlan()
    this.#candidates.set(candidate, created)
    return created
  }

  /** Returns the sources that the texts of a candidate cite, each once. */
  takeSources(candidate: number): readonly CitationToEncode[] {
    const sources = this.getCandidate(candidate).sources.splice(0)
    return sources.map((create) => create())
  }

  /** Notes an event that determines how a candidate finishes. */
  noteEvent(event: ChatEvent): void {
    if (event.type === 'start')
      this.getCandidate(event.candidate).isOwnFormat = event.origin?.dialect === DIALECT_SLOT
    if (event.type === 'part-start' && isApplicationCall(event.part))
      this.getCandidate(event.candidate).hasToolCalls = true
  }

  end(): WireEventPlan {
    const { usage } = this
    const last: ChatEvent[] = [...this.#finishes]
    if (usage !== undefined) last.push({ type: 'usage', usage })
    const ends = this.endOpenParts()
    // Citations are written with the finish reasons; a stream that was cut off has none.
    for (const [candidate, { sources }] of this.#candidates)
      if (sources.length > 0 && !this.#finishes.some((event) => (event.candidate ?? 0) === candidate))
        last.push({
          type: 'opaque',
          dialect: DIALECT_SLOT,
          value: { text: '' },
          ...createCandidateField(candidate),
        })
    return last.length === 0 ? ends : [...ends, [CLOSING_CHUNK_TYPE, last]]
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.noteEvent(event)
    return []
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    this.#finishes.push(event)
    return []
  }

  /** Returns whether a part is streamed: text without fields of its own and without a signature of this vendor. */
  protected isStreamable(part: PartWithDeltas): boolean {
    if (
      part.type === 'reasoning' &&
      !isOwnReasoning(part) &&
      this.context.policy.foreignReasoning !== 'native'
    )
      return false
    const { $: _hints, ...fields } = part.extra?.[DIALECT_SLOT] ?? {}
    return part.type !== 'tool-call' && part.signature?.vendor !== DIALECT_VENDOR && isEmptyObject(fields)
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    this.noteEvent(event)
    const state = this.getCandidate(event.candidate)
    const text = source.isStreamed ? getOpeningText(source) : ''
    const queued = { source, pendingTexts: text === '' ? [] : [text] }
    if (state.waiting.size === 0 && source.isStreamed) {
      state.writable.set(source, queued)
      return planChunk(this.#write(queued, state))
    }
    state.waiting.set(source, queued)
    return []
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    const state = this.getCandidate(source.candidate)
    const queued = state.writable.get(source) ?? state.waiting.get(source)
    if (queued === undefined || !('text' in event) || event.text === '') return []
    queued.pendingTexts.push(event.text)
    return planChunk(state.writable.has(source) ? this.#write(queued, state) : [])
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no text was. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const state = this.getCandidate(source.candidate)
    const queued = state.writable.get(source) ?? state.waiting.get(source)
    if (queued === undefined) return []
    const path = createPartPath(source)
    const part = source.getPart()
    const isFirstCall = !state.hasEndedCall
    const encoded = encodePart(part, { path, context: this.context, location: 'response', isFirstCall })
    state.hasEndedCall ||= isApplicationCall(part)
    const isWritten = source.isStreamed && (source.hasGrown || getOpeningText(source) !== '')
    if (isWritten && source.isCorrected) this.context.report('late-correction', path)
    queued.writeEnd = () => {
      const wire = isWritten ? createSignaturePart(encoded) : encoded
      if (wire !== undefined) this.#addWirePart(queued, wire, state)
      this.#addCitations(part, queued, state)
      return wire
    }
    return planChunk(state.writable.has(source) ? this.#write(queued, state) : this.#writeWaiting(state))
  }

  /** Writes the waiting parts up to the first one that is not complete and cannot be streamed. */
  #writeWaiting(state: CandidatePlan): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    for (const [source, queued] of state.waiting) {
      if (!source.isStreamed && queued.writeEnd === undefined) break
      state.waiting.delete(source)
      state.writable.set(source, queued)
      pushAll(events, this.#write(queued, state))
    }
    return events
  }

  /** Writes the texts of a part that have arrived, and its end. */
  #write(queued: QueuedPart, state: CandidatePlan): readonly ChatEvent[] {
    const { source, pendingTexts, writeEnd } = queued
    const events = pendingTexts.splice(0).map((text) => {
      const wire = source.openingPart.type === 'reasoning' ? { text, thought: true } : { text }
      this.#addWirePart(queued, wire, state)
      return createPartEvent(wire, source)
    })
    if (writeEnd === undefined) return events
    state.writable.delete(source)
    const end = writeEnd()
    return end === undefined ? events : [...events, createPartEvent(end, source)]
  }

  #addWirePart(queued: QueuedPart, wire: JsonObject, state: CandidatePlan): void {
    const isFirst = queued.position === undefined
    if (state.addWirePart(queued, wire) && isFirst)
      this.context.report('stream-joined', createPartPath(queued.source).parent)
  }

  #addCitations(part: AssistantPart, { position, source }: QueuedPart, { sources }: CandidatePlan): void {
    if (part.type !== 'text') return
    const { text: partText, citations = [] } = part
    for (const [number, citation] of citations.entries()) {
      const path = child(child(createPartPath(source), 'citations'), number)
      if (!isSupportedCitation(citation, partText, path, this.context) || position === undefined) continue
      const { wireText, offset } = position
      const [start, end] = getCitationTextRange(citation, partText) ?? [0, partText.length]
      const moved = { ...citation, start: offset + start, end: offset + end }
      // The wire text may still grow.
      sources.push(() => ({ index: wireText.index, text: wireText.text, citation: moved, path }))
    }
  }
}

/** Plans the chunk of events, if there are any. */
function planChunk(events: readonly ChatEvent[]): WireEventPlan {
  return events.length === 0 ? [] : [['chunk', events]]
}

function getOpeningText({ openingPart }: PartBeingWritten): string {
  return 'text' in openingPart ? openingPart.text : ''
}

/** Returns the event that contains an encoded part. */
function createPartEvent(value: JsonObject, { candidate }: PartBeingWritten): ChatEvent {
  return { type: 'opaque', dialect: DIALECT_SLOT, value, candidate }
}

/** Returns an empty text that carries a signature which arrived after the text was written. */
function createSignaturePart(encoded: JsonObject | undefined): JsonObject | undefined {
  const signature = encoded?.['thoughtSignature']
  return signature === undefined ? undefined : { text: '', thoughtSignature: signature }
}
