import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Citation } from '../../canonical/model/citation.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createCandidateField,
  createCandidatePath,
  createPartPath,
  type PartBeingWritten,
} from '../engine/parts-being-written.ts'
import type { PartWithDeltas, WireEventPlan } from '../engine/stream-planner.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { ChatCandidatePlan, ChatStreamPlanner } from '../shared/chat-stream-plan.ts'
import { encodeAssistantPart, getPartRank } from './assistant-message.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { getAnswerField, getReasoningOriginField, reasoningTextFields } from './reasoning.ts'
import { encodeFinish, toLegacyFinish } from './response-metadata.ts'
import type { StreamPartWriter } from './stream-part-writer.ts'
import { isLegacyCall } from './tool-calls.ts'

/** A candidate that is being written. */
class CandidatePlan extends ChatCandidatePlan {
  textCount = 0
  refusalCount = 0
  hasLegacyCall = false
  isFinished = false
}

/** Plans the chunks of a stream: text and calls as they arrive, other parts when they are complete. */
export class StreamPlan extends ChatStreamPlanner<CandidatePlan> {
  constructor(context: EncodeContext, writer: StreamPartWriter) {
    super(context, writer, { slot: DIALECT_SLOT, encodeAssistantPart, getPartRank })
  }

  protected createCandidate(event: StartEvent): CandidatePlan {
    return new CandidatePlan(event, DIALECT_SLOT)
  }

  /** Ends the open parts, and adds a finish reason to candidates without one: a choice requires it. */
  end(): WireEventPlan {
    const chunks = [...this.endOpenParts()]
    for (const [candidate, { isFinished }] of this.candidates) {
      if (isFinished) continue
      this.context.report('finish-synthesized', child(createCandidatePath(candidate), 'finish'))
      const finish = { reason: 'stop' } as const
      chunks.push(['chunk', [{ type: 'finish', finish, ...createCandidateField(candidate) }]])
    }
    return chunks
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    const { candidate = 0, finish } = event
    const parts = this.endOpenParts(candidate)
    const state = this.candidates.get(candidate)
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
        return this.isPlainText(part)
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
    const state = this.noteOpened(part, source)
    if (state !== undefined) state.hasLegacyCall ||= isLegacyCall(part)
    if (!source.isStreamed) return []
    if (part.type === 'tool-call') return [['chunk', [{ ...event, part: { ...part, arguments: {} } }]]]
    return this.openStreamedPart(source, this.#chooseField(event))
  }

  /** Returns the start of a part; reasoning of another format gets the field in which answers show it. */
  #chooseField(event: PartStartEvent): PartStartEvent {
    const { part } = event
    if (part.type !== 'reasoning' || getReasoningOriginField(part) !== undefined) return event
    const hints = { reasoningField: getAnswerField(this.context) ?? '' }
    return { ...event, part: { ...part, extra: createHintExtra(DIALECT_SLOT, hints) } }
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
    return this.planFields(value, calls, candidate)
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

  /** Counts texts and refusals: a client joins several of them to one. */
  #countTexts({ content, refusal }: JsonObject, candidate: number): void {
    const state = this.candidates.get(candidate)
    if (state === undefined) return
    const isText = typeof content === 'string'
    const isRefusal = refusal !== null
    if (isText) state.textCount += 1
    if (isRefusal) state.refusalCount += 1
    if ((isText && state.textCount === 2) || (isRefusal && state.refusalCount === 2))
      this.context.report('texts-joined', child(createCandidatePath(candidate), 'content'))
  }
}
