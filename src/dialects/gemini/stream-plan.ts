import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { blankFor, type Growing, OpenParts, type PartEvent, partPath } from '../shared/open-parts.ts'
import { MAKER, SLOT } from './codes.ts'
import { isSayable, type Source } from './citations.ts'
import { encodePart } from './parts.ts'
import { AnswerText, type Stretch } from './planned-text.ts'
import { isSpoken } from './streamed-parts.ts'
import { isOwnCall } from '../shared/own-calls.ts'

/** A part that is to be told: what of it waits, and how it ends, once it has. */
interface Entry {
  readonly live: boolean
  readonly thought: boolean
  readonly pieces: string[]
  /** What stands on the wire for it. */
  stretch?: Stretch
  end?: (entry: Entry) => readonly JsonObject[]
}

/** One answer of a stream: what is to be told of it, in order, and what was. */
class Answer {
  readonly entries = new Map<number, Entry>()
  readonly text = new AnswerText()
  readonly sources: (() => Source)[] = []
  calls = 0
}

/** Which wire parts say events of another format: pieces of text one by one, calls and media when they are whole. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #parts = new OpenParts()
  readonly #answers = new Map<number, Answer>()

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  /** The wire parts that an event makes; none where it makes none. */
  of(event: ChatEvent): readonly JsonObject[] {
    if (!('index' in event)) return []
    if (event.type === 'part-start') return this.#open(event)
    if (this.#parts.corrects(event))
      this.#encoding.lose('late-correction', partPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#unopened(event)
    const answer = this.#answer(growing.candidate)
    const entry = answer.entries.get(growing.index)
    if (event.type === 'part-end') this.#close(growing, answer, entry)
    else if (entry?.live === true && 'text' in event && event.text !== '') entry.pieces.push(event.text)
    return this.#advance(answer, growing.candidate)
  }

  /** What nobody ended, by the number of its answer. */
  rest(): readonly (readonly [candidate: number, parts: readonly JsonObject[]])[] {
    return this.#parts.left().map(({ candidate, index }) => {
      return [candidate, this.of({ type: 'part-end', index, candidate })] as const
    })
  }

  /** Everything that the texts of an answer cite. */
  sources(candidate: number): readonly Source[] {
    return this.#answer(candidate)
      .sources.splice(0)
      .map((make) => make())
  }

  #answer(candidate: number): Answer {
    const found = this.#answers.get(candidate) ?? new Answer()
    this.#answers.set(candidate, found)
    return found
  }

  #open(event: PartStartEvent): readonly JsonObject[] {
    const { part, index, candidate = 0 } = event
    this.#parts.open(event)
    const answer = this.#answer(candidate)
    const live = isLive(part)
    const pieces = live && 'text' in part && part.text !== '' ? [part.text] : []
    answer.entries.set(index, { live, thought: part.type === 'reasoning', pieces })
    return this.#advance(answer, candidate)
  }

  /** Words that nobody opened a part for begin one. */
  #unopened(event: PartEvent): readonly JsonObject[] {
    const part = blankFor(event)
    if (part === undefined) return []
    const { index, candidate = 0 } = event
    return [...this.of({ type: 'part-start', index, part, candidate }), ...this.of(event)]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: Growing, answer: Answer, entry: Entry | undefined): void {
    if (entry === undefined) return
    const { opened, grew, corrected } = growing
    const at = partPath(growing)
    const whole = growing.whole()
    const leads = answer.calls === 0
    const writing = {
      at,
      encoding: this.#encoding,
      place: 'response',
      leads,
      nameOf: () => undefined,
    } as const
    const made = encodePart(whole, writing)
    if (isOwnCall(whole)) answer.calls += 1
    const told = grew || ('text' in opened && opened.text !== '')
    if (entry.live && told && corrected) this.#encoding.lose('late-correction', at)
    entry.end = (ended) => {
      const wire = entry.live && told ? vouching(made) : made
      const parts = wire === undefined ? [] : this.#say(ended, wire, answer, growing)
      this.#cite(whole, ended, answer, growing)
      return parts
    }
  }

  /** Tells what may be told: nothing that began after a part that must be whole first. */
  #advance(answer: Answer, candidate: number): readonly JsonObject[] {
    const parts: JsonObject[] = []
    for (const [index, entry] of answer.entries) {
      if (!entry.live && entry.end === undefined) break
      for (const text of entry.pieces.splice(0)) {
        const thought = entry.thought ? { thought: true } : {}
        parts.push(...this.#say(entry, { text, ...thought }, answer, { candidate, index }))
      }
      if (entry.end === undefined) continue
      parts.push(...entry.end(entry))
      answer.entries.delete(index)
    }
    return parts
  }

  /** A wire part; a text joins the one before it, for a reader cannot tell them apart. */
  #say(
    entry: Entry,
    wire: JsonObject,
    { text }: Answer,
    place: Pick<Growing, 'candidate' | 'index'>,
  ): readonly JsonObject[] {
    const first = entry.stretch === undefined
    const { stretch, joined } = text.add(wire)
    entry.stretch ??= stretch
    if (first && joined) this.#encoding.lose('stream-joined', partPath(place).parent)
    return [wire]
  }

  #cite(whole: AssistantPart, { stretch }: Entry, answer: Answer, place: Growing): void {
    if (whole.type !== 'text') return
    for (const [number, citation] of (whole.citations ?? []).entries()) {
      const at = below(below(partPath(place), 'citations'), number)
      const said = isSayable(citation, whole.text, at, this.#encoding)
      if (said && stretch !== undefined)
        answer.sources.push(() => ({ ...stretch.cited(citation, whole.text), at }))
    }
  }
}

/** Whether a part is told piece by piece: one that says more than its words, or is signed with them, must be whole. */
function isLive(part: AssistantPart): boolean {
  const { $: _odd, ...plain } = part.extra?.[SLOT] ?? {}
  return isSpoken(part) && part.signature?.vendor !== MAKER && Object.keys(plain).length === 0
}

/** A signature that came apart from the words goes out on an empty text. */
function vouching(made: JsonObject | undefined): JsonObject | undefined {
  const signature = made?.['thoughtSignature']
  return signature === undefined ? undefined : { text: '', thoughtSignature: signature }
}
