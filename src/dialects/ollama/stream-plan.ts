import type { ChatEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createPartForDelta,
  createCandidatePath,
  type PartBeingWritten,
  PartsBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { isIdLost } from './response-metadata.ts'
import { encodeAssistantPart, getPartRank } from './parts.ts'
import { isOwnReasoning } from './reasoning.ts'

/** The events that one line tells. */
type LineEvents = readonly ChatEvent[]

/** What goes into which line where the events are those of another format. Their end is told when all of them came. */
export class StreamPlan {
  readonly #context: EncodeContext
  readonly #parts = new PartsBeingWritten()
  readonly #dropped = new Set<number>()
  /** What goes out whole, in the order in which it began; undefined while it is open. */
  readonly #heldLines = new Map<number, JsonObject | undefined>()
  #rank = 0
  #hasMoved = false
  #calls = 0
  #texts = 0
  #thoughts = 0
  isOwnFormat = false
  finish: Finish | undefined
  usage: Usage | undefined

  constructor(context: EncodeContext) {
    this.#context = context
  }

  plan(event: ChatEvent): readonly LineEvents[] {
    const candidate = event.candidate ?? 0
    if (candidate !== 0) return this.#drop(candidate)
    if (event.type === 'start') return this.#begin(event)
    if (event.type === 'usage') this.usage = event.usage
    if (event.type === 'finish') {
      this.finish = event.finish
      return this.end()
    }
    if (!('index' in event)) return []
    return event.type === 'part-start' ? this.#open(event) : this.#grow(event)
  }

  /** What nobody ended, now that nothing more can come. */
  end(): readonly LineEvents[] {
    return this.#parts.listOpen().flatMap(({ index }) => this.plan({ type: 'part-end', index }))
  }

  #begin(event: StartEvent): readonly LineEvents[] {
    this.isOwnFormat = event.origin?.dialect === DIALECT_SLOT
    if (isIdLost(event)) this.#context.report('response-metadata', child(undefined, 'id'))
    if (event.message?.name !== undefined) this.#context.report('message-name', child(candidatePath, 'name'))
    return [[event]]
  }

  #open(event: PartStartEvent): readonly LineEvents[] {
    const { part, index } = event
    this.#parts.open(event)
    this.#checkOrder(part, index)
    if (isStreamable(part)) return part.text === '' ? [] : [[createDelta(part, index, part.text)]]
    this.#heldLines.set(index, undefined)
    return []
  }

  #grow(event: PartEvent): readonly LineEvents[] {
    if (this.#parts.isCorrection(event))
      this.#context.report('late-correction', createPartPathAt(event.index))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#openForDelta(event)
    if (event.type === 'part-end') return this.#close(growing)
    return isStreamable(growing.openingPart) && 'text' in event ? [[event]] : []
  }

  /** Words that nobody opened a part for begin one. */
  #openForDelta(event: PartEvent): readonly LineEvents[] {
    const part = createPartForDelta(event)
    if (part === undefined) return []
    return [...this.#open({ type: 'part-start', index: event.index, part }), ...this.#grow(event)]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: PartBeingWritten): readonly LineEvents[] {
    const { openingPart, index, hasGrown, isCorrected } = growing
    const part = growing.getPart()
    const made = encodeAssistantPart(part, createPartPathAt(index), this.#calls, this.#context, RESPONSE_SLOT)
    this.#countTexts(part, made)
    if (!isStreamable(openingPart)) {
      this.#heldLines.set(index, made)
      return this.#takeFinished()
    }
    // Some formats tell a part at its end only.
    if (!hasGrown && openingPart.text === '' && isStreamable(part) && part.text !== '')
      return [[createDelta(part, index, part.text)]]
    if (isCorrected) this.#context.report('late-correction', createPartPathAt(index))
    return []
  }

  /** What is whole and waits for nothing that began before it. */
  #takeFinished(): readonly LineEvents[] {
    const lines: LineEvents[] = []
    for (const [index, made] of this.#heldLines) {
      if (made === undefined) break
      this.#heldLines.delete(index)
      const says = Object.values(made).some((value) => value !== '')
      if (says) lines.push([{ type: 'opaque', dialect: DIALECT_SLOT, value: made }])
    }
    return lines
  }

  /** A whole answer has no order between thoughts, images, text and calls. */
  #checkOrder(part: AssistantPart, index: number): void {
    const rank = getPartRank(part)
    if (rank < this.#rank && !this.#hasMoved) {
      this.#context.report('order-lost', createPartPathAt(index))
      this.#hasMoved = true
    }
    this.#rank = rank
  }

  /** Several texts are one in the end, and so are thoughts. */
  #countTexts(part: AssistantPart, { content, thinking, tool_calls: calls }: JsonObject): void {
    const said = content !== undefined && !(part.type === 'text' && part.text === '')
    const thought = thinking !== undefined
    this.#texts += said ? 1 : 0
    this.#thoughts += thought ? 1 : 0
    this.#calls += calls === undefined ? 0 : 1
    if ((said && this.#texts === 2) || (thought && this.#thoughts === 2))
      this.#context.report('texts-joined', child(candidatePath, 'content'))
  }

  #drop(candidate: number): readonly LineEvents[] {
    if (!this.#dropped.has(candidate))
      this.#context.report('candidates-dropped', createCandidatePath(candidate))
    this.#dropped.add(candidate)
    return []
  }
}

/** What goes out in pieces: text, and the thoughts of this format. */
function isStreamable(part: AssistantPart): part is TextPart | RefusalPart | ReasoningPart {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return true
    case 'reasoning':
      return isOwnReasoning(part)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-call':
    case 'tool-result':
    case 'opaque':
      return false
  }
}

function createDelta(
  { type }: TextPart | RefusalPart | ReasoningPart,
  index: number,
  text: string,
): ChatEvent {
  return { type: `${type}-delta`, index, text }
}

const candidatePath: Path = createCandidatePath(0)

/** Where a part stands in the answer. */
export function createPartPathAt(index: number): Path {
  return child(child(candidatePath, 'content'), index)
}

/** The fields of a message that an event says at once. */
export function encodeEventFields(event: ChatEvent): JsonObject | undefined {
  return event.type === 'opaque' && event.dialect === DIALECT_SLOT && isObject(event.value)
    ? event.value
    : undefined
}
