import type { ChatEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { blankFor, candidatePath, type Growing, OpenParts, type PartEvent } from '../shared/open-parts.ts'
import { RESPONSE, SLOT } from './codes.ts'
import { losesId } from './head.ts'
import { encodeSaidPart, rankOf } from './parts.ts'
import { isOwn } from './reasoning.ts'

/** The events that one line tells. */
type Line = readonly ChatEvent[]

/** What goes into which line where the events are those of another format. Their end is told when all of them came. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #parts = new OpenParts()
  readonly #dropped = new Set<number>()
  /** What goes out whole, in the order in which it began; undefined while it is open. */
  readonly #waiting = new Map<number, JsonObject | undefined>()
  #rank = 0
  #moved = false
  #calls = 0
  #texts = 0
  #thoughts = 0
  own = false
  finish: Finish | undefined
  usage: Usage | undefined

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  next(event: ChatEvent): readonly Line[] {
    const candidate = event.candidate ?? 0
    if (candidate !== 0) return this.#drop(candidate)
    if (event.type === 'start') return this.#begin(event)
    if (event.type === 'usage') this.usage = event.usage
    if (event.type === 'finish') {
      this.finish = event.finish
      return this.flush()
    }
    if (!('index' in event)) return []
    return event.type === 'part-start' ? this.#open(event) : this.#grow(event)
  }

  /** What nobody ended, now that nothing more can come. */
  flush(): readonly Line[] {
    return this.#parts.left().flatMap(({ index }) => this.next({ type: 'part-end', index }))
  }

  #begin(event: StartEvent): readonly Line[] {
    this.own = event.origin?.dialect === SLOT
    if (losesId(event)) this.#encoding.lose('response-metadata', below(undefined, 'id'))
    if (event.message?.name !== undefined) this.#encoding.lose('message-name', below(answerAt, 'name'))
    return [[event]]
  }

  #open(event: PartStartEvent): readonly Line[] {
    const { part, index } = event
    this.#parts.open(event)
    this.#order(part, index)
    if (isTold(part)) return part.text === '' ? [] : [[deltaOf(part, index, part.text)]]
    this.#waiting.set(index, undefined)
    return []
  }

  #grow(event: PartEvent): readonly Line[] {
    if (this.#parts.corrects(event)) this.#encoding.lose('late-correction', partAt(event.index))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#unopened(event)
    if (event.type === 'part-end') return this.#close(growing)
    return isTold(growing.opened) && 'text' in event ? [[event]] : []
  }

  /** Words that nobody opened a part for begin one. */
  #unopened(event: PartEvent): readonly Line[] {
    const part = blankFor(event)
    if (part === undefined) return []
    return [...this.#open({ type: 'part-start', index: event.index, part }), ...this.#grow(event)]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: Growing): readonly Line[] {
    const { opened, index, grew, corrected } = growing
    const part = growing.whole()
    const made = encodeSaidPart(part, partAt(index), this.#calls, this.#encoding, RESPONSE)
    this.#count(part, made)
    if (!isTold(opened)) {
      this.#waiting.set(index, made)
      return this.#released()
    }
    // Some formats tell a part at its end only.
    if (!grew && opened.text === '' && isTold(part) && part.text !== '')
      return [[deltaOf(part, index, part.text)]]
    if (corrected) this.#encoding.lose('late-correction', partAt(index))
    return []
  }

  /** What is whole and waits for nothing that began before it. */
  #released(): readonly Line[] {
    const lines: Line[] = []
    for (const [index, made] of this.#waiting) {
      if (made === undefined) break
      this.#waiting.delete(index)
      const says = Object.values(made).some((value) => value !== '')
      if (says) lines.push([{ type: 'opaque', dialect: SLOT, value: made }])
    }
    return lines
  }

  /** A whole answer has no order between thoughts, images, text and calls. */
  #order(part: AssistantPart, index: number): void {
    const rank = rankOf(part)
    if (rank < this.#rank && !this.#moved) {
      this.#encoding.lose('order-lost', partAt(index))
      this.#moved = true
    }
    this.#rank = rank
  }

  /** Several texts are one in the end, and so are thoughts. */
  #count(part: AssistantPart, { content, thinking, tool_calls: calls }: JsonObject): void {
    const said = content !== undefined && !(part.type === 'text' && part.text === '')
    const thought = thinking !== undefined
    this.#texts += said ? 1 : 0
    this.#thoughts += thought ? 1 : 0
    this.#calls += calls === undefined ? 0 : 1
    if ((said && this.#texts === 2) || (thought && this.#thoughts === 2))
      this.#encoding.lose('texts-joined', below(answerAt, 'content'))
  }

  #drop(candidate: number): readonly Line[] {
    if (!this.#dropped.has(candidate)) this.#encoding.lose('candidates-dropped', candidatePath(candidate))
    this.#dropped.add(candidate)
    return []
  }
}

/** What goes out in pieces: text, and the thoughts of this format. */
function isTold(part: AssistantPart): part is TextPart | RefusalPart | ReasoningPart {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return true
    case 'reasoning':
      return isOwn(part)
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

function deltaOf({ type }: TextPart | RefusalPart | ReasoningPart, index: number, text: string): ChatEvent {
  return { type: `${type}-delta`, index, text }
}

const answerAt: Path = candidatePath(0)

/** Where a part stands in the answer. */
export function partAt(index: number): Path {
  return below(below(answerAt, 'content'), index)
}

/** The fields of a message that an event says at once. */
export function fieldsOf(event: ChatEvent): JsonObject | undefined {
  return event.type === 'opaque' && event.dialect === SLOT && isObject(event.value) ? event.value : undefined
}
