import { argumentsText } from '../../canonical/build/arguments.ts'
import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, TextPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import {
  blankFor,
  candidatePath,
  type Growing,
  OpenParts,
  type PartEvent,
  partPath,
} from '../shared/open-parts.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { hintsFor } from '../unit.ts'
import { encodeSaidPart, rankOf } from './said.ts'
import { RESPONSE, SLOT } from './codes.ts'
import { fieldOf, textFields } from './reasoning.ts'
import { encodeFinish } from './finish.ts'
import type { Targets } from './stream-writer.ts'

/** The events of each chunk to be written. */
type Chunks = readonly (readonly ChatEvent[])[]

/** What was said of an answer so far. */
interface Answer {
  readonly own: boolean
  rank: number
  moved: boolean
  texts: number
  refusals: number
  calls: boolean
  finished: boolean
}

/** Which chunks say events of another format: texts and calls as they come, and all else when it is whole. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #targets: Targets
  readonly #parts = new OpenParts()
  readonly #answers = new Map<number, Answer>()

  constructor(encoding: Encoding, targets: Targets) {
    this.#encoding = encoding
    this.#targets = targets
  }

  plan(event: ChatEvent): Chunks {
    if (event.type === 'start') return this.#start(event)
    if (event.type === 'finish') return this.#finish(event)
    if (!('index' in event)) return []
    if (event.type === 'part-start') return this.#open(event)
    if (this.#parts.corrects(event))
      this.#encoding.lose('late-correction', partPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#unopened(event)
    if (event.type === 'part-end') return this.#close(growing)
    return isLive(growing.opened) && says(event) ? [[event]] : []
  }

  /** Tells what nobody ended; an answer must say why it stopped. */
  end(): Chunks {
    const left = this.#parts.left().flatMap(({ candidate, index }) => {
      return this.plan({ type: 'part-end', index, ...numbered(candidate) })
    })
    const unfinished = [...this.#answers].filter(([, { finished }]) => !finished)
    const ends = unfinished.map(([candidate]): readonly ChatEvent[] => {
      this.#encoding.lose('finish-synthesized', below(candidatePath(candidate), 'finish'))
      return [{ type: 'finish', finish: { reason: 'stop' }, ...numbered(candidate) }]
    })
    return [...left, ...ends]
  }

  #start(event: ChatEvent & { readonly type: 'start' }): Chunks {
    const candidate = event.candidate ?? 0
    const fresh = { rank: 0, moved: false, texts: 0, refusals: 0, calls: false, finished: false }
    this.#answers.set(candidate, { own: event.origin?.dialect === SLOT, ...fresh })
    if (event.message?.name !== undefined)
      this.#encoding.lose('message-name', below(candidatePath(candidate), 'name'))
    return [[event]]
  }

  #finish(event: ChatEvent & { readonly type: 'finish' }): Chunks {
    const candidate = event.candidate ?? 0
    const left = this.#parts.left(candidate).flatMap(({ index }) => {
      return this.plan({ type: 'part-end', index, ...numbered(candidate) })
    })
    const answer = this.#answers.get(candidate)
    if (answer !== undefined) answer.finished = true
    const at = below(candidatePath(candidate), 'finish')
    const stopped = { finish: event.finish, own: answer?.own ?? true, calls: answer?.calls ?? false }
    const raw = encodeFinish(stopped, at, this.#encoding)
    return [...left, [{ ...event, finish: { ...event.finish, raw } }]]
  }

  #open(event: PartStartEvent): Chunks {
    const { part, index, candidate = 0 } = event
    this.#parts.open(event)
    this.#order(part, { candidate, index })
    const answer = this.#answers.get(candidate)
    if (answer !== undefined && isOwnCall(part)) answer.calls = true
    if (!isLive(part)) return []
    if (part.type === 'tool-call') return [[{ ...event, part: { ...part, arguments: {} } }]]
    this.#targets.deltaOf(event) // an open text is no news, but its deltas must find their field
    return 'text' in part && part.text !== '' ? [[textDelta(part, event)]] : []
  }

  /** A part that came in frames of our own goes on as it began; words that nobody opened a part for begin one. */
  #unopened(event: PartEvent): Chunks {
    if (this.#targets.has(event)) return says(event) ? [[event]] : []
    const part = blankFor(event)
    if (part === undefined) return []
    const { index, candidate = 0 } = event
    return [...this.plan({ type: 'part-start', index, part, ...numbered(candidate) }), ...this.plan(event)]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: Growing): Chunks {
    const { opened, candidate, index, corrected, grew } = growing
    const at = partPath(growing)
    const whole = this.#uncited(growing.whole(), growing)
    const made = encodeSaidPart(whole, at, this.#encoding)
    this.#count(made, candidate)
    if (!isLive(opened)) return toldAtOnce(made, candidate, this.#targets)
    if (corrected) this.#encoding.lose('late-correction', at)
    const text = opened.type === 'tool-call' && !grew ? argumentsText(opened) : ''
    return text === '' ? [] : [[{ type: 'arguments-delta', index, json: text, ...numbered(candidate) }]]
  }

  /** Chunks have no place for citations. */
  #uncited(whole: AssistantPart, growing: Growing): AssistantPart {
    if (whole.type !== 'text' || whole.citations === undefined) return whole
    const { citations, ...rest } = whole
    const at = below(partPath(growing), 'citations')
    const ours = citations.filter((each) => each.type === 'source' || each.dialect === SLOT)
    if (whole.text !== '' && ours.length > 0) this.#encoding.lose('citations-dropped', at)
    for (const [index, each] of whole.text === '' ? [] : citations.entries())
      if (!ours.includes(each)) this.#encoding.lose('foreign-opaque', below(at, index))
    return rest
  }

  /** This format has no order between thoughts, text and calls; a stream keeps it, but nobody must read it. */
  #order(part: AssistantPart, place: Pick<Growing, 'candidate' | 'index'>): void {
    const answer = this.#answers.get(place.candidate)
    if (answer === undefined) return
    const rank = rankOf(part)
    if (rank < answer.rank && !answer.moved) {
      this.#encoding.lose('order-lost', partPath(place))
      answer.moved = true
    }
    answer.rank = rank
  }

  /** Several texts are one in the end. */
  #count({ content, refusal }: JsonObject, candidate: number): void {
    const answer = this.#answers.get(candidate)
    if (answer === undefined) return
    answer.texts += typeof content === 'string' ? 1 : 0
    answer.refusals += refusal === null ? 0 : 1
    const joined =
      (typeof content === 'string' && answer.texts === 2) || (refusal !== null && answer.refusals === 2)
    if (joined) this.#encoding.lose('texts-joined', below(candidatePath(candidate), 'content'))
  }
}

/** What may be told before it is whole: what has fields that no delta has must wait. */
function isLive(part: AssistantPart): boolean {
  const hints = hintsFor(part, SLOT)
  switch (part.type) {
    case 'text':
      return isPlain(part)
    case 'refusal':
      return hints['refusalInContent'] !== true
    case 'tool-call':
      return (
        part.executedBy === undefined &&
        hints['wireType'] === undefined &&
        part.extra?.[RESPONSE] === undefined
      )
    case 'reasoning': {
      const field = part.redacted ? undefined : fieldOf(part)
      return textFields.some((each) => each === field)
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return false
  }
}

/** Whether a string can stand for a text. */
function isPlain(part: TextPart): boolean {
  if (part.extra === undefined) return true
  const { citations: _citations, ...text } = { ...part, text: 'x' }
  return typeof encodeSaidPart(text, below(undefined, 0), silent)['content'] === 'string'
}

function says({ type }: ChatEvent): boolean {
  return ['text-delta', 'refusal-delta', 'reasoning-delta', 'arguments-delta'].includes(type)
}

function numbered(candidate: number): { readonly candidate?: number } {
  return candidate === 0 ? {} : { candidate }
}

function textDelta(
  part: AssistantPart & { readonly text: string },
  { index, candidate = 0 }: PartStartEvent,
): ChatEvent {
  const type =
    part.type === 'text' ? 'text-delta' : part.type === 'refusal' ? 'refusal-delta' : 'reasoning-delta'
  return { type, index, text: part.text, ...numbered(candidate) }
}

/** The chunk that says all of a part: the fields of its encoding that say something. */
function toldAtOnce(made: JsonObject, candidate: number, targets: Targets): Chunks {
  const { annotations: _none, tool_calls: calls, ...fields } = made
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  const listed: readonly Json[] = Array.isArray(calls) ? calls : []
  const placed = listed.flatMap((call) =>
    isObject(call) ? [{ ...call, index: targets.nextCall(candidate) }] : [],
  )
  const value = { ...Object.fromEntries(said), ...(placed.length > 0 && { tool_calls: placed }) }
  if (Object.keys(value).length === 0) return []
  return [[{ type: 'opaque', dialect: SLOT, value, ...numbered(candidate) }]]
}
