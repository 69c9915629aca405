import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, TextPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  createPartForDelta,
  createCandidatePath,
  type PartBeingWritten,
  PartsBeingWritten,
  type PartEvent,
  createPartPath,
} from '../engine/parts-being-written.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeAssistantPart, getPartRank } from './assistant-message.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { getOriginField, reasoningTextFields } from './reasoning.ts'
import { encodeFinish } from './response-metadata.ts'
import type { DeltaTargets } from './stream-writer.ts'

/** The events of each chunk to be written. */
type ChunkEvents = readonly (readonly ChatEvent[])[]

/** What was said of an answer so far. */
interface CandidateState {
  readonly isOwnFormat: boolean
  rank: number
  hasMoved: boolean
  texts: number
  refusals: number
  hasToolCalls: boolean
  isFinished: boolean
}

/** Which chunks say events of another format: texts and calls as they come, and all else when it is whole. */
export class StreamPlan {
  readonly #context: EncodeContext
  readonly #targets: DeltaTargets
  readonly #parts = new PartsBeingWritten()
  readonly #candidates = new Map<number, CandidateState>()

  constructor(context: EncodeContext, targets: DeltaTargets) {
    this.#context = context
    this.#targets = targets
  }

  plan(event: ChatEvent): ChunkEvents {
    if (event.type === 'start') return this.#start(event)
    if (event.type === 'finish') return this.#finish(event)
    if (!('index' in event)) return []
    if (event.type === 'part-start') return this.#open(event)
    if (this.#parts.isCorrection(event))
      this.#context.report('late-correction', createPartPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing === undefined) return this.#openForDelta(event)
    if (event.type === 'part-end') return this.#close(growing)
    return isStreamable(growing.openingPart) && hasContent(event) ? [[event]] : []
  }

  /** Tells what nobody ended; an answer must say why it stopped. */
  end(): ChunkEvents {
    const left = this.#parts.listOpen().flatMap(({ candidate, index }) => {
      return this.plan({ type: 'part-end', index, ...createCandidateField(candidate) })
    })
    const unfinished = [...this.#candidates].filter(([, { isFinished }]) => !isFinished)
    const ends = unfinished.map(([candidate]): readonly ChatEvent[] => {
      this.#context.report('finish-synthesized', child(createCandidatePath(candidate), 'finish'))
      return [{ type: 'finish', finish: { reason: 'stop' }, ...createCandidateField(candidate) }]
    })
    return [...left, ...ends]
  }

  #start(event: ChatEvent & { readonly type: 'start' }): ChunkEvents {
    const candidate = event.candidate ?? 0
    const fresh = { rank: 0, hasMoved: false, texts: 0, refusals: 0, hasToolCalls: false, isFinished: false }
    this.#candidates.set(candidate, { isOwnFormat: event.origin?.dialect === DIALECT_SLOT, ...fresh })
    if (event.message?.name !== undefined)
      this.#context.report('message-name', child(createCandidatePath(candidate), 'name'))
    return [[event]]
  }

  #finish(event: ChatEvent & { readonly type: 'finish' }): ChunkEvents {
    const candidate = event.candidate ?? 0
    const left = this.#parts.listOpen(candidate).flatMap(({ index }) => {
      return this.plan({ type: 'part-end', index, ...createCandidateField(candidate) })
    })
    const answer = this.#candidates.get(candidate)
    if (answer !== undefined) answer.isFinished = true
    const path = child(createCandidatePath(candidate), 'finish')
    const stopped = {
      finish: event.finish,
      isOwnFormat: answer?.isOwnFormat ?? true,
      hasToolCalls: answer?.hasToolCalls ?? false,
    }
    const raw = encodeFinish(stopped, path, this.#context)
    return [...left, [{ ...event, finish: { ...event.finish, raw } }]]
  }

  #open(event: PartStartEvent): ChunkEvents {
    const { part, index, candidate = 0 } = event
    this.#parts.open(event)
    this.#checkOrder(part, { candidate, index })
    const answer = this.#candidates.get(candidate)
    if (answer !== undefined && isApplicationCall(part)) answer.hasToolCalls = true
    if (!isStreamable(part)) return []
    if (part.type === 'tool-call') return [[{ ...event, part: { ...part, arguments: {} } }]]
    this.#targets.encodeDelta(event) // an open text is no news, but its deltas must find their field
    return 'text' in part && part.text !== '' ? [[createTextDelta(part, event)]] : []
  }

  /** A part that came in frames of our own goes on as it began; words that nobody opened a part for begin one. */
  #openForDelta(event: PartEvent): ChunkEvents {
    if (this.#targets.has(event)) return hasContent(event) ? [[event]] : []
    const part = createPartForDelta(event)
    if (part === undefined) return []
    const { index, candidate = 0 } = event
    return [
      ...this.plan({ type: 'part-start', index, part, ...createCandidateField(candidate) }),
      ...this.plan(event),
    ]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #close(growing: PartBeingWritten): ChunkEvents {
    const { openingPart, candidate, index, isCorrected, hasGrown } = growing
    const path = createPartPath(growing)
    const whole = this.#dropCitations(growing.getPart(), growing)
    const made = encodeAssistantPart(whole, path, this.#context)
    this.#countTexts(made, candidate)
    if (!isStreamable(openingPart)) return planWhole(made, candidate, this.#targets)
    if (isCorrected) this.#context.report('late-correction', path)
    const text = openingPart.type === 'tool-call' && !hasGrown ? stringifyArguments(openingPart) : ''
    return text === ''
      ? []
      : [[{ type: 'arguments-delta', index, json: text, ...createCandidateField(candidate) }]]
  }

  /** Chunks have no place for citations. */
  #dropCitations(whole: AssistantPart, growing: PartBeingWritten): AssistantPart {
    if (whole.type !== 'text' || whole.citations === undefined) return whole
    const { citations, ...rest } = whole
    const path = child(createPartPath(growing), 'citations')
    const ours = citations.filter((each) => each.type === 'source' || each.dialect === DIALECT_SLOT)
    if (whole.text !== '' && ours.length > 0) this.#context.report('citations-dropped', path)
    for (const [index, each] of whole.text === '' ? [] : citations.entries())
      if (!ours.includes(each)) this.#context.report('foreign-opaque', child(path, index))
    return rest
  }

  /** This format has no order between thoughts, text and calls; a stream keeps it, but nobody must read it. */
  #checkOrder(part: AssistantPart, place: Pick<PartBeingWritten, 'candidate' | 'index'>): void {
    const answer = this.#candidates.get(place.candidate)
    if (answer === undefined) return
    const rank = getPartRank(part)
    if (rank < answer.rank && !answer.hasMoved) {
      this.#context.report('order-lost', createPartPath(place))
      answer.hasMoved = true
    }
    answer.rank = rank
  }

  /** Several texts are one in the end. */
  #countTexts({ content, refusal }: JsonObject, candidate: number): void {
    const answer = this.#candidates.get(candidate)
    if (answer === undefined) return
    answer.texts += typeof content === 'string' ? 1 : 0
    answer.refusals += refusal === null ? 0 : 1
    const joined =
      (typeof content === 'string' && answer.texts === 2) || (refusal !== null && answer.refusals === 2)
    if (joined) this.#context.report('texts-joined', child(createCandidatePath(candidate), 'content'))
  }
}

/** What may be told before it is whole: what has fields that no delta has must wait. */
function isStreamable(part: AssistantPart): boolean {
  const hints = getHints(part, DIALECT_SLOT)
  switch (part.type) {
    case 'text':
      return isPlainText(part)
    case 'refusal':
      return hints['refusalInContent'] !== true
    case 'tool-call':
      return (
        part.executedBy === undefined &&
        hints['wireType'] === undefined &&
        part.extra?.[RESPONSE_SLOT] === undefined
      )
    case 'reasoning': {
      const field = part.redacted ? undefined : getOriginField(part)
      return reasoningTextFields.some((each) => each === field)
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
function isPlainText(part: TextPart): boolean {
  if (part.extra === undefined) return true
  const { citations: _citations, ...text } = { ...part, text: 'x' }
  return typeof encodeAssistantPart(text, child(undefined, 0), noReport)['content'] === 'string'
}

function hasContent({ type }: ChatEvent): boolean {
  return ['text-delta', 'refusal-delta', 'reasoning-delta', 'arguments-delta'].includes(type)
}

function createCandidateField(candidate: number): { readonly candidate?: number } {
  return candidate === 0 ? {} : { candidate }
}

function createTextDelta(
  part: AssistantPart & { readonly text: string },
  { index, candidate = 0 }: PartStartEvent,
): ChatEvent {
  const type =
    part.type === 'text' ? 'text-delta' : part.type === 'refusal' ? 'refusal-delta' : 'reasoning-delta'
  return { type, index, text: part.text, ...createCandidateField(candidate) }
}

/** The chunk that says all of a part: the fields of its encoding that say something. */
function planWhole(made: JsonObject, candidate: number, targets: DeltaTargets): ChunkEvents {
  const { annotations: _none, tool_calls: calls, ...fields } = made
  const said = Object.entries(fields).filter(([, value]) => value !== null)
  const listed: readonly Json[] = Array.isArray(calls) ? calls : []
  const placed = listed.flatMap((call) =>
    isObject(call) ? [{ ...call, index: targets.nextCall(candidate) }] : [],
  )
  const value = { ...Object.fromEntries(said), ...(placed.length > 0 && { tool_calls: placed }) }
  if (Object.keys(value).length === 0) return []
  return [[{ type: 'opaque', dialect: DIALECT_SLOT, value, ...createCandidateField(candidate) }]]
}
