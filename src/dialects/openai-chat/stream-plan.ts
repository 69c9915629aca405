import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Citation } from '../../canonical/model/citation.ts'
import type { AssistantPart, TextPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  createCandidateField,
  createCandidatePath,
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
  MovedPartDetector,
} from '../engine/parts-being-written.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { encodeAssistantPart, getPartRank } from './assistant-message.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { getAnswerField, getReasoningOriginField, reasoningTextFields } from './reasoning.ts'
import { encodeFinish, toLegacyFinish } from './response-metadata.ts'
import type { StreamPartWriter } from './stream-part-writer.ts'
import { isLegacyCall } from './tool-calls.ts'

/** A candidate that is being written. */
class CandidatePlan {
  readonly isOwnFormat: boolean
  readonly order = new MovedPartDetector()
  textCount = 0
  refusalCount = 0
  hasToolCalls = false
  hasLegacyCall = false
  isFinished = false

  constructor({ origin }: StartEvent) {
    this.isOwnFormat = origin?.dialect === DIALECT_SLOT
  }
}

/** Plans the chunks of a stream: text and calls as they arrive, other parts when they are complete. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = true
  readonly #writer: StreamPartWriter
  readonly #candidates = new Map<number, CandidatePlan>()

  constructor(context: EncodeContext, writer: StreamPartWriter) {
    super(context)
    this.#writer = writer
  }

  /** Ends the open parts, and adds a finish reason to candidates without one: a choice requires it. */
  end(): WireEventPlan {
    const chunks = [...this.endOpenParts()]
    for (const [candidate, { isFinished }] of this.#candidates) {
      if (isFinished) continue
      this.context.report('finish-synthesized', child(createCandidatePath(candidate), 'finish'))
      const finish = { reason: 'stop' } as const
      chunks.push(['chunk', [{ type: 'finish', finish, ...createCandidateField(candidate) }]])
    }
    return chunks
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.#candidates.set(event.candidate ?? 0, new CandidatePlan(event))
    return [['chunk', [this.addDate(event)]]]
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    const { candidate = 0, finish } = event
    const parts = this.endOpenParts(candidate)
    const state = this.#candidates.get(candidate)
    if (state !== undefined) state.isFinished = true
    const { isOwnFormat = true, hasToolCalls = false, hasLegacyCall = false } = state ?? {}
    const path = child(createCandidatePath(candidate), 'finish')
    const reason = encodeFinish({ finish, isOwnFormat, hasToolCalls }, path, this.context)
    const raw = toLegacyFinish(reason, hasLegacyCall)
    return [...parts, ['chunk', [{ ...event, finish: { ...finish, raw } }]]]
  }

  /** Returns whether a part is streamed: text, calls and reasoning without fields that no delta has. */
  protected isStreamable(part: PartWithDeltas): boolean {
    const hints = getHints(part, DIALECT_SLOT)
    switch (part.type) {
      case 'text':
        return isPlainText(part)
      case 'refusal':
        return hints['refusalInContent'] !== true
      case 'tool-call':
        return (
          isApplicationCall(part) &&
          hints['wireType'] === undefined &&
          part.extra?.[RESPONSE_SLOT] === undefined
        )
      case 'reasoning': {
        const field = getReasoningOriginField(part) ?? getAnswerField(this.context)
        return !part.redacted && reasoningTextFields.some((each) => each === field)
      }
    }
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    this.#noteOpened(part, source)
    if (!source.isStreamed) return []
    if (part.type === 'tool-call') return [['chunk', [{ ...event, part: { ...part, arguments: {} } }]]]
    this.#writer.encodeDelta(this.#chooseField(event)) // writes nothing, but defines the field of the deltas
    return 'text' in part && part.text !== '' ? [['chunk', [createTextDelta(part, source)]]] : []
  }

  /** Returns the start of a part; reasoning of another format gets the field in which answers show it. */
  #chooseField(event: PartStartEvent): PartStartEvent {
    const { part } = event
    if (part.type !== 'reasoning' || getReasoningOriginField(part) !== undefined) return event
    const hints = { reasoningField: getAnswerField(this.context) ?? '' }
    return { ...event, part: { ...part, extra: createHintExtra(DIALECT_SLOT, hints) } }
  }

  protected growPart(_source: PartBeingWritten, event: PartEvent): WireEventPlan {
    return planDelta(event)
  }

  /** Continues a part that a frame of this dialect opened; otherwise a delta opens a part. */
  protected override continueUnopened(event: PartEvent): WireEventPlan {
    return this.#writer.has(event) ? planDelta(event) : super.continueUnopened(event)
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no delta was. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const { openingPart, candidate, index } = source
    const path = createPartPath(source)
    const message = encodeAssistantPart(this.#dropCitations(source), path, this.context)
    this.#countTexts(message, candidate)
    if (!source.isStreamed) return this.#planCompletePart(message, candidate)
    if (source.isCorrected) this.context.report('late-correction', path)
    const json = openingPart.type === 'tool-call' && !source.hasGrown ? stringifyArguments(openingPart) : ''
    if (json === '') return []
    return [['chunk', [{ type: 'arguments-delta', index, json, ...createCandidateField(candidate) }]]]
  }

  /** Plans the chunk of a complete part: the fields of its encoded message that are not null. */
  #planCompletePart(message: JsonObject, candidate: number): WireEventPlan {
    const { annotations: _annotations, tool_calls: calls, ...fields } = message
    const value = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null))
    const indexed = itemsOf(calls).flatMap((call) =>
      isObject(call) ? [{ ...call, index: this.#writer.nextCall(candidate) }] : [],
    )
    if (indexed.length > 0) value['tool_calls'] = indexed
    if (Object.keys(value).length === 0) return []
    return [['chunk', [{ type: 'opaque', dialect: DIALECT_SLOT, value, ...createCandidateField(candidate) }]]]
  }

  /** Returns a complete part without its citations, for which chunks have no field. */
  #dropCitations(source: PartBeingWritten): AssistantPart {
    const part = source.getPart()
    if (part.type !== 'text' || part.citations === undefined) return part
    const { citations, ...rest } = part
    if (part.text === '') return rest
    const path = child(createPartPath(source), 'citations')
    const isForeign = (citation: Citation): boolean =>
      citation.type === 'opaque' && citation.dialect !== DIALECT_SLOT
    if (!citations.every(isForeign)) this.context.report('citations-dropped', path)
    for (const [index, citation] of citations.entries())
      if (isForeign(citation)) this.context.report('foreign-opaque', child(path, index))
    return rest
  }

  /** Notes calls, and reports a part out of order: a complete message has no order between reasoning, text and calls. */
  #noteOpened(part: AssistantPart, source: PartBeingWritten): void {
    const state = this.#candidates.get(source.candidate)
    if (state === undefined) return
    if (state.order.isFirstMove(getPartRank(part))) this.context.report('order-lost', createPartPath(source))
    state.hasToolCalls ||= isApplicationCall(part)
    state.hasLegacyCall ||= isLegacyCall(part)
  }

  /** Counts texts and refusals: a client joins several of them to one. */
  #countTexts({ content, refusal }: JsonObject, candidate: number): void {
    const state = this.#candidates.get(candidate)
    if (state === undefined) return
    const isText = typeof content === 'string'
    const isRefusal = refusal !== null
    if (isText) state.textCount += 1
    if (isRefusal) state.refusalCount += 1
    if ((isText && state.textCount === 2) || (isRefusal && state.refusalCount === 2))
      this.context.report('texts-joined', child(createCandidatePath(candidate), 'content'))
  }
}

/** Returns whether a text can be written as a string, without fields of its own. */
function isPlainText(part: TextPart): boolean {
  if (part.extra === undefined) return true
  const { citations: _citations, ...text } = { ...part, text: 'x' }
  return typeof encodeAssistantPart(text, child(undefined, 0), noReport)['content'] === 'string'
}

function planDelta(event: PartEvent): WireEventPlan {
  return 'text' in event || 'json' in event ? [['chunk', [event]]] : []
}
