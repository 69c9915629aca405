import type { ChatEvent, FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createPartPath, type PartBeingWritten, type PartEvent } from '../engine/parts-being-written.ts'
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
  readonly queue: Map<number, QueuedPart> = new Map()
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
    return [...this.endOpenParts(), ...(last.length === 0 ? [] : ([[CLOSING_CHUNK_TYPE, last]] as const))]
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
    state.queue.set(event.index, { source, pendingTexts: text === '' ? [] : [text] })
    return this.#planQueue(state)
  }

  protected growPart({ candidate, index }: PartBeingWritten, event: PartEvent): WireEventPlan {
    const state = this.getCandidate(candidate)
    if ('text' in event && event.text !== '') state.queue.get(index)?.pendingTexts.push(event.text)
    return this.#planQueue(state)
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no text was. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const state = this.getCandidate(source.candidate)
    const queued = state.queue.get(source.index)
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
    return this.#planQueue(state)
  }

  /** Plans what can be written: no part before the parts that opened before it. */
  #planQueue(state: CandidatePlan): WireEventPlan {
    const events: ChatEvent[] = []
    for (const [index, queued] of state.queue) {
      const { source, pendingTexts, writeEnd } = queued
      if (!source.isStreamed && writeEnd === undefined) break
      for (const text of pendingTexts.splice(0)) {
        const wire = source.openingPart.type === 'reasoning' ? { text, thought: true } : { text }
        this.#addWirePart(queued, wire, state)
        events.push(createPartEvent(wire, source))
      }
      if (writeEnd === undefined) continue
      const end = writeEnd()
      if (end !== undefined) events.push(createPartEvent(end, source))
      state.queue.delete(index)
    }
    return events.length === 0 ? [] : [['chunk', events]]
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
