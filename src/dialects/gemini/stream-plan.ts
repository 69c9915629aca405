import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { type JsonObject, isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createPartForDelta,
  type PartBeingWritten,
  PartsBeingWritten,
  type PartEvent,
  createPartPath,
} from '../engine/parts-being-written.ts'
import { VENDOR, DIALECT_SLOT } from './constants.ts'
import { isSupportedCitation, type CitationSource, getTextRange } from './citations.ts'
import { encodePart } from './parts.ts'
import { isTextual } from './stream-part-writer.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { SourceCitation } from '../../canonical/model/citation.ts'

/** A text on the wire: pieces that follow each other are one. */
interface WireText {
  readonly index: number
  readonly thought: boolean
  text: string
}

/** Where on the wire the text of a part begins. */
export class TextPosition {
  readonly #text: WireText
  readonly #offset: number

  constructor(run: WireText, before: number) {
    this.#text = run
    this.#offset = before
  }

  /** A citation of the part, as one of the text that the wire has. */
  moveCitation(citation: SourceCitation, said: string): Pick<CitationSource, 'index' | 'text' | 'citation'> {
    const { index, text } = this.#text
    const [start, end] = getTextRange(citation, said) ?? [0, said.length]
    return { index, text, citation: { ...citation, start: this.#offset + start, end: this.#offset + end } }
  }
}

/** The texts of an answer as a reader puts them together: how many parts there are, and which of them grows. */
export class CandidateText {
  #parts = 0
  #open: WireText | undefined

  /** Takes note of a wire part; tells where it stands, and whether it goes on with the text before it. */
  add(wire: Json): { readonly stretch: TextPosition; readonly joined: boolean } {
    const { text, thought, ...rest } = isObject(wire) ? wire : { text: null }
    if (typeof text !== 'string' || Object.keys(rest).length > 0) {
      this.#open = undefined
      const whole = { index: this.#parts++, thought: false, text: typeof text === 'string' ? text : '' }
      return { stretch: new TextPosition(whole, 0), joined: false }
    }
    const isThought = thought === true
    const open = this.#open
    const joined = open !== undefined && open.thought === isThought
    const run = joined ? open : { index: this.#parts++, thought: isThought, text: '' }
    const stretch = new TextPosition(run, run.text.length)
    run.text += text
    this.#open = run
    return { stretch, joined }
  }
}

/** A part that is to be told: what of it waits, and how it ends, once it has. */
interface PlannedPart {
  readonly isLive: boolean
  readonly isThought: boolean
  readonly pieces: string[]
  /** What stands on the wire for it. */
  position?: TextPosition
  end?: (entry: PlannedPart) => readonly JsonObject[]
}

/** One answer of a stream: what is to be told of it, in order, and what was. */
class CandidatePlan {
  readonly entries = new Map<number, PlannedPart>()
  readonly text = new CandidateText()
  readonly sources: (() => CitationSource)[] = []
  calls = 0
}

/** Which wire parts say events of another format: pieces of text one by one, calls and media when they are whole. */
export class StreamPlan {
  readonly #context: EncodeContext
  readonly #parts = new PartsBeingWritten()
  readonly #candidates = new Map<number, CandidatePlan>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  /** The wire parts that an event makes; none where it makes none. */
  plan(event: ChatEvent): readonly JsonObject[] {
    if (!('index' in event)) return []
    if (event.type === 'part-start') return this.#open(event)
    if (this.#parts.isCorrection(event))
      this.#context.report('late-correction', createPartPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#openForDelta(event)
    const answer = this.#getCandidate(growing.candidate)
    const entry = answer.entries.get(growing.index)
    if (event.type === 'part-end') this.#close(growing, answer, entry)
    else if (entry?.isLive === true && 'text' in event && event.text !== '') entry.pieces.push(event.text)
    return this.#advance(answer, growing.candidate)
  }

  /** What nobody ended, by the number of its answer. */
  end(): readonly (readonly [candidate: number, parts: readonly JsonObject[]])[] {
    return this.#parts.listOpen().map(({ candidate, index }) => {
      return [candidate, this.plan({ type: 'part-end', index, candidate })] as const
    })
  }

  /** Everything that the texts of an answer cite. */
  listSources(candidate: number): readonly CitationSource[] {
    return this.#getCandidate(candidate)
      .sources.splice(0)
      .map((make) => make())
  }

  #getCandidate(candidate: number): CandidatePlan {
    const found = this.#candidates.get(candidate) ?? new CandidatePlan()
    this.#candidates.set(candidate, found)
    return found
  }

  #open(event: PartStartEvent): readonly JsonObject[] {
    const { part, index, candidate = 0 } = event
    this.#parts.open(event)
    const answer = this.#getCandidate(candidate)
    const live = isStreamable(part)
    const pieces = live && 'text' in part && part.text !== '' ? [part.text] : []
    answer.entries.set(index, { isLive: live, isThought: part.type === 'reasoning', pieces })
    return this.#advance(answer, candidate)
  }

  /** Words that nobody opened a part for begin one. */
  #openForDelta(event: PartEvent): readonly JsonObject[] {
    const part = createPartForDelta(event)
    if (part === undefined) return []
    const { index, candidate = 0 } = event
    return [...this.plan({ type: 'part-start', index, part, candidate }), ...this.plan(event)]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: PartBeingWritten, answer: CandidatePlan, entry: PlannedPart | undefined): void {
    if (entry === undefined) return
    const { openingPart, hasGrown, isCorrected } = growing
    const path = createPartPath(growing)
    const whole = growing.getPart()
    const leads = answer.calls === 0
    const writing = {
      path,
      context: this.#context,
      location: 'response',
      isFirstCall: leads,
    } as const
    const made = encodePart(whole, writing)
    if (isApplicationCall(whole)) answer.calls += 1
    const told = hasGrown || ('text' in openingPart && openingPart.text !== '')
    if (entry.isLive && told && isCorrected) this.#context.report('late-correction', path)
    entry.end = (ended) => {
      const wire = entry.isLive && told ? createSignaturePart(made) : made
      const parts = wire === undefined ? [] : this.#writeText(ended, wire, answer, growing)
      this.#addCitations(whole, ended, answer, growing)
      return parts
    }
  }

  /** Tells what may be told: nothing that began after a part that must be whole first. */
  #advance(answer: CandidatePlan, candidate: number): readonly JsonObject[] {
    const parts: JsonObject[] = []
    for (const [index, entry] of answer.entries) {
      if (!entry.isLive && entry.end === undefined) break
      for (const text of entry.pieces.splice(0)) {
        const thought = entry.isThought ? { thought: true } : {}
        parts.push(...this.#writeText(entry, { text, ...thought }, answer, { candidate, index }))
      }
      if (entry.end === undefined) continue
      parts.push(...entry.end(entry))
      answer.entries.delete(index)
    }
    return parts
  }

  /** A wire part; a text joins the one before it, for a reader cannot tell them apart. */
  #writeText(
    entry: PlannedPart,
    wire: JsonObject,
    { text }: CandidatePlan,
    place: Pick<PartBeingWritten, 'candidate' | 'index'>,
  ): readonly JsonObject[] {
    const first = entry.position === undefined
    const { stretch, joined } = text.add(wire)
    entry.position ??= stretch
    if (first && joined) this.#context.report('stream-joined', createPartPath(place).parent)
    return [wire]
  }

  #addCitations(
    whole: AssistantPart,
    { position }: PlannedPart,
    answer: CandidatePlan,
    place: PartBeingWritten,
  ): void {
    if (whole.type !== 'text') return
    for (const [number, citation] of (whole.citations ?? []).entries()) {
      const path = child(child(createPartPath(place), 'citations'), number)
      const said = isSupportedCitation(citation, whole.text, path, this.#context)
      if (said && position !== undefined)
        answer.sources.push(() => ({ ...position.moveCitation(citation, whole.text), path }))
    }
  }
}

/** Whether a part is told piece by piece: one that says more than its words, or is signed with them, must be whole. */
function isStreamable(part: AssistantPart): boolean {
  const { $: _odd, ...plain } = part.extra?.[DIALECT_SLOT] ?? {}
  return isTextual(part) && part.signature?.vendor !== VENDOR && Object.keys(plain).length === 0
}

/** A signature that came apart from the words goes out on an empty text. */
function createSignaturePart(made: JsonObject | undefined): JsonObject | undefined {
  const signature = made?.['thoughtSignature']
  return signature === undefined ? undefined : { text: '', thoughtSignature: signature }
}
