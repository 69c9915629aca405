import type { ChatEvent, PartEndEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import { digestContent } from '../../canonical/read/content-digest.ts'
import { createInitialPart, PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { digestText } from '../../wire/digest.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { TextBuffer } from '../../wire/text-buffer.ts'

/** The number of characters that are hashed at once; shorter texts are not hashed unless they are compared. */
const BLOCK_CHARACTERS = 8192

/** A text that was written piece by piece and is not kept: its length, a digest of all complete blocks, and the rest. */
export class WrittenTextDigest {
  #length = 0
  #digest = ''
  readonly #rest = new TextBuffer()

  push(piece: string): void {
    this.#length += piece.length
    let start = 0
    while (this.#rest.length + piece.length - start >= BLOCK_CHARACTERS) {
      const end = start + BLOCK_CHARACTERS - this.#rest.length
      this.#rest.push(piece.slice(start, end))
      this.#digest = digestText(this.#digest + this.#rest.take())
      start = end
    }
    this.#rest.push(start === 0 ? piece : piece.slice(start))
  }

  /** Returns true if this is the text. It is the last call: it takes what is left of the text. */
  isEqual(text: string): boolean {
    if (text.length !== this.#length) return false
    const other = new WrittenTextDigest()
    other.push(text)
    return this.#digest === other.#digest && this.#rest.take() === other.#rest.take()
  }
}

export type PartEvent = Extract<ChatEvent, { readonly index: number }>

/** The position of a part in a response; the first candidate where none is named. */
type PartPosition = Pick<PartEvent, 'candidate' | 'index'>

/** The key of a part in a map. */
export type PartKey = number | string

/** A part of a stream that is being written. */
export class PartBeingWritten {
  readonly candidate: number
  readonly index: number
  /** The part as its `part-start` event contained it. */
  readonly openingPart: AssistantPart
  /** True if its deltas are written as they arrive; otherwise it is written when it is complete. */
  readonly isStreamed: boolean
  readonly #content: PartAccumulator
  /** The text of the part, if it is not kept. */
  readonly #writtenText: WrittenTextDigest | undefined
  /** True if the kept text contains more than white space. */
  #hasVisibleText = false
  #partBeforeEnd: AssistantPart | undefined
  #isTextReplaced = false
  #hasGrown = false

  /**
   * With `keepsText: false`, only the beginning of the text is kept: enough to show whether it is blank. It is for text that is
   * written as it arrives and never repeated.
   */
  constructor({ candidate = 0, index, part }: PartStartEvent, isStreamed: boolean, keepsText = true) {
    this.candidate = candidate
    this.index = index
    this.openingPart = part
    this.isStreamed = isStreamed
    this.#content = new PartAccumulator(part)
    if (keepsText || !('text' in part)) return
    this.#writtenText = new WrittenTextDigest()
    this.#addWrittenText(this.#writtenText, part.text)
  }

  /** True if a delta added content. */
  get hasGrown(): boolean {
    return this.#hasGrown
  }

  /** True if the `part-end` event changed the content of the earlier events, or the id of a call. */
  get isCorrected(): boolean {
    const before = this.#partBeforeEnd
    if (before === undefined) return false
    const part = this.getPart()
    return (
      this.#isTextReplaced ||
      getCallId(before) !== getCallId(part) ||
      this.#digestContent(before) !== this.#digestContent(part)
    )
  }

  push(event: PartEvent): void {
    if (event.type === 'part-update') this.#content.update(event)
    else if (event.type === 'part-end') this.#end(event)
    else if (event.type !== 'part-start') {
      const piece = 'text' in event ? event.text : 'json' in event ? event.json : event.data
      const isKept = this.#writtenText === undefined || !this.#hasVisibleText
      if (isKept) this.#content.append(piece)
      if (this.#writtenText !== undefined) this.#addWrittenText(this.#writtenText, piece)
      this.#hasGrown ||= piece !== ''
    }
  }

  /** Returns the part with all content so far, or with the beginning of a text that is not kept. */
  getPart(): AssistantPart {
    return this.#content.build()
  }

  #end(event: PartEndEvent): void {
    if (event.part !== undefined) this.#partBeforeEnd = this.getPart()
    this.#content.end(event)
    if (event.part === undefined || this.#writtenText === undefined) return
    const text = 'text' in event.part ? event.part.text : undefined
    // Without `replaces`, the fields of the part replace those of the opening part, and the deltas follow its text.
    this.#isTextReplaced =
      event.replaces === true
        ? text === undefined || !this.#writtenText.isEqual(text)
        : 'text' in this.openingPart && text !== this.openingPart.text
  }

  #addWrittenText(text: WrittenTextDigest, piece: string): void {
    text.push(piece)
    this.#hasVisibleText ||= piece.trim() !== ''
  }

  /** Digests the content of the part; without a text that is not kept, which has a digest of its own. */
  #digestContent(part: AssistantPart): string {
    return digestContent(this.#writtenText !== undefined && 'text' in part ? { ...part, text: '' } : part)
  }
}

/** The open parts of a stream that is being written. A part is forgotten when it ends. */
export class PartsBeingWritten {
  readonly #parts = new Map<PartKey, PartBeingWritten>()
  readonly #endedKeys = new Set<PartKey>()
  /** The digests of ended reasoning: a correction that does not change the text changes nothing that was written. */
  readonly #reasoningDigests = new Map<PartKey, string>()

  open(event: PartStartEvent, isStreamed: boolean, keepsText: boolean): PartBeingWritten {
    const part = new PartBeingWritten(event, isStreamed, keepsText)
    this.#parts.set(createPartKey(event), part)
    return part
  }

  /** Adds an event to its part. Returns the part, or undefined if the part is not open. */
  push(event: PartEvent): PartBeingWritten | undefined {
    const key = createPartKey(event)
    const part = this.#parts.get(key)
    if (part === undefined) return undefined
    part.push(event)
    if (event.type !== 'part-end') return part
    this.#parts.delete(key)
    this.#endedKeys.add(key)
    const ended = part.openingPart.type === 'reasoning' ? part.getPart() : undefined
    if (ended?.type === 'reasoning') this.#reasoningDigests.set(key, digestText(ended.text))
    return part
  }

  /** Returns whether an event of a part that is not open changes a part that has ended. */
  isCorrection(event: PartEvent): boolean {
    const corrects = event.type === 'part-update' || (event.type === 'part-end' && event.part !== undefined)
    const key = createPartKey(event)
    if (!corrects || !this.#endedKeys.has(key)) return false
    const corrected = 'part' in event ? event.part : undefined
    return !(
      corrected?.type === 'reasoning' && digestText(corrected.text) === this.#reasoningDigests.get(key)
    )
  }

  /** Returns the parts that have not ended, of one candidate or of all. */
  listOpen(candidate?: number): readonly PartBeingWritten[] {
    return [...this.#parts.values()].filter((part) => candidate === undefined || part.candidate === candidate)
  }
}

/** Detects the first part that a dialect moves because its wire format has a fixed order of part types. */
export class MovedPartDetector {
  #rank = 0
  #hasMoved = false

  /** Returns whether this part is the first one that follows a part of a higher rank. */
  isFirstMove(rank: number): boolean {
    const isMoved = rank < this.#rank && !this.#hasMoved
    this.#hasMoved ||= isMoved
    this.#rank = rank
    return isMoved
  }
}

function getCallId(part: AssistantPart): string | undefined {
  return part.type === 'tool-call' ? part.id : undefined
}

/** Returns the key of a part. Most streams have one candidate, whose parts need no text to be created for each delta. */
export function createPartKey({ candidate = 0, index }: PartPosition): PartKey {
  return candidate === 0 ? index : `${candidate} ${index}`
}

/** Returns the part that a delta without a `part-start` event opens; undefined if the delta alone does not define one. */
export function createPartForDelta(event: PartEvent): AssistantPart | undefined {
  return event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta'
    ? createInitialPart(event)
    : undefined
}

/** Returns the delta event that contains the whole text of a part. */
export function createTextDelta(
  { type, text }: TextPart | RefusalPart | ReasoningPart,
  { candidate, index }: PartPosition,
): ChatEvent {
  return { type: `${type}-delta`, index, text, ...createCandidateField(candidate) }
}

/** Returns the `candidate` field of an event; the first candidate has none. */
export function createCandidateField(candidate = 0): { readonly candidate?: number } {
  return candidate === 0 ? {} : { candidate }
}

/** Returns the path of a part in the response. */
export function createPartPath({ candidate, index }: PartPosition): Path {
  return child(child(createCandidatePath(candidate), 'content'), index)
}

/** Returns the path of a candidate in the response. */
export function createCandidatePath(candidate = 0): Path {
  return child(child(undefined, 'candidates'), candidate)
}
