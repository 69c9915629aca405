import type {
  ChatEvent,
  PartEndEvent,
  PartStartEvent,
  PartUpdateEvent,
  StartEvent,
} from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { SLOT } from './codes.ts'
import { losesId } from './head.ts'
import { isOwn } from './parts.ts'

/** The rules by which parts cannot be streamed; what is not listed is media. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'foreign-reasoning'],
  ['tool-call', 'provider-call-dropped'],
  ['tool-result', 'provider-call-dropped'],
  ['opaque', 'foreign-opaque'],
])

/** The events that one line tells. */
type Line = readonly ChatEvent[]

/** A call or an image, which goes out whole, and the pieces of it that came. */
interface Waiting {
  readonly start: PartStartEvent
  readonly pieces: ChatEvent[]
}

/** What goes into which line where the events are those of another format. Their end is told when all of them came. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #waiting = new Map<number, Waiting>()
  readonly #refused = new Set<number>()
  readonly #dropped = new Set<number>()
  /** The parts of which something was told. */
  readonly #said = new Set<number>()
  /** The part that was told last. */
  #told: { readonly type: ChatEvent['type']; readonly index: number } | undefined
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
    if (!('index' in event) || this.#refused.has(event.index)) return []
    return this.#part(event)
  }

  /** What waits, now that nothing more can come. */
  flush(): readonly Line[] {
    const lines = [...this.#waiting.values()].map(({ start, pieces }) => [start, ...pieces])
    if (lines.length > 0) this.#told = undefined
    this.#waiting.clear()
    return lines
  }

  #begin(event: StartEvent): readonly Line[] {
    this.own = event.origin?.dialect === SLOT
    if (losesId(event)) this.#encoding.lose('response-id', below(undefined, 'id'))
    return [[event]]
  }

  #part(event: Extract<ChatEvent, { readonly index: number }>): readonly Line[] {
    switch (event.type) {
      case 'part-start':
        this.#report(event.index, event.part)
        return this.#open(event)
      case 'text-delta':
      case 'refusal-delta':
      case 'reasoning-delta':
        return this.#tell(event)
      case 'arguments-delta':
      case 'media-delta':
        this.#waiting.get(event.index)?.pieces.push(event)
        return []
      case 'part-update':
        this.#report(event.index, event)
        return []
      case 'part-end':
        return this.#end(event)
    }
  }

  #open(event: PartStartEvent): readonly Line[] {
    const { part, index } = event
    if (isWhole(part)) {
      this.#waiting.set(index, { start: event, pieces: [] })
      return []
    }
    if (isTold(part)) {
      if (part.type === 'refusal') this.#encoding.lose('refusal-as-text', partAt(index))
      return part.text === '' ? [] : this.#tell({ type: `${part.type}-delta`, index, text: part.text })
    }
    this.#refused.add(index)
    this.#encoding.lose(refusals.get(part.type) ?? 'dropped-media', partAt(index))
    return []
  }

  /** A piece of text or thoughts; two texts in a row are one here. */
  #tell(event: ChatEvent & { readonly index: number }): readonly Line[] {
    const lines = this.flush()
    if (this.#told?.type === event.type && this.#told.index !== event.index)
      this.#encoding.lose('texts-joined', contentAt)
    this.#told = event
    this.#said.add(event.index)
    return [...lines, [event]]
  }

  /** The end may say more than the pieces did: a name that came late, or all of a part that had none. */
  #end({ index, part, restated }: PartEndEvent): readonly Line[] {
    if (part === undefined) return []
    const found = this.#waiting.get(index)
    if (found !== undefined) {
      const whole = { ...(restated ? {} : found.start.part), ...part } as AssistantPart
      const pieces = restated ? [] : found.pieces
      this.#waiting.set(index, { start: { ...found.start, part: whole }, pieces })
    }
    const unsaid = restated && !this.#said.has(index) && isTold(part) && part.text !== ''
    return unsaid ? this.#tell({ type: `${part.type}-delta`, index, text: part.text }) : []
  }

  /** Lines have no place for citations and signatures; what goes out whole reports its own. */
  #report(index: number, said: AssistantPart | PartUpdateEvent): void {
    const cited = 'citations' in said && said.citations !== undefined && said.citations.length > 0
    if (cited) this.#encoding.lose('citations-dropped', below(partAt(index), 'citations'))
    if (said.signature !== undefined && (said.type === 'part-update' || isTold(said)))
      this.#encoding.lose('foreign-signature', below(partAt(index), 'signature'))
  }

  #drop(candidate: number): readonly Line[] {
    if (!this.#dropped.has(candidate))
      this.#encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), candidate))
    this.#dropped.add(candidate)
    return []
  }
}

/** What goes out in one line: the application's calls, and the bytes of images. */
function isWhole(part: AssistantPart): boolean {
  if (part.type === 'tool-call') return part.executedBy !== 'provider'
  return part.type === 'image' && part.source.kind === 'base64'
}

/** What goes out in pieces: text, and the thoughts of this format. */
function isTold(part: AssistantPart): part is TextPart | RefusalPart | ReasoningPart {
  return part.type === 'text' || part.type === 'refusal' || (part.type === 'reasoning' && isOwn(part))
}

const contentAt: Path = below(below(below(undefined, 'candidates'), 0), 'content')

/** Where a part stands in the answer. */
export function partAt(index: number): Path {
  return below(contentAt, index)
}
