import type { FinishEvent, PartStartEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createCandidateField,
  createCandidatePath,
  createPartPath,
  type PartBeingWritten,
} from '../engine/parts-being-written.ts'
import type { PartWithDeltas, WireEventPlan } from '../engine/stream-planner.ts'
import { ChatCandidatePlan, ChatStreamPlanner } from '../shared/chat-stream-plan.ts'
import { encodeAssistantPart, getPartRank } from './assistant-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import { isThinking } from './reasoning.ts'
import { encodeFinish } from './response-metadata.ts'
import { createSignatureChunk, type StreamPartWriter } from './stream-part-writer.ts'

/** The usage of a stream without usage: the last chunk always has one. */
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }

/** A candidate that is being written. */
class CandidatePlan extends ChatCandidatePlan {
  finish: FinishEvent | undefined
  /** The type of the chunk that a further text or thinking chunk would continue. */
  openType: string | undefined
  isJoined = false
}

/**
 * Plans the chunks of a stream: text and reasoning as they arrive, calls when they are complete, since clients of this API
 * expect complete calls. The finish reason and the usage are in the last chunk.
 */
export class StreamPlan extends ChatStreamPlanner<CandidatePlan> {
  constructor(context: EncodeContext, writer: StreamPartWriter) {
    super(context, writer, { slot: DIALECT_SLOT, encodeAssistantPart, getPartRank })
  }

  protected createCandidate(event: StartEvent): CandidatePlan {
    return new CandidatePlan(event, DIALECT_SLOT)
  }

  /** Ends the open parts and all candidates; a choice requires a finish reason. */
  end(): WireEventPlan {
    const chunks = [...this.endOpenParts()]
    const finishes = Array.from(this.candidates, ([candidate, state]) => {
      if (state.finish === undefined)
        this.context.report('finish-synthesized', child(createCandidatePath(candidate), 'finish'))
      const synthesized = {
        type: 'finish',
        finish: { reason: 'stop' },
        ...createCandidateField(candidate),
      } as const
      return state.finish ?? synthesized
    })
    const usage: UsageEvent = { type: 'usage', usage: this.usage ?? NO_USAGE }
    for (const [index, finish] of finishes.entries())
      chunks.push(['chunk', index === finishes.length - 1 ? [finish, usage] : [finish]])
    if (finishes.length === 0 && this.usage !== undefined) chunks.push(['chunk', [usage]])
    return chunks
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    const { candidate = 0, finish } = event
    const parts = this.endOpenParts(candidate)
    const state = this.candidates.get(candidate)
    const { isOwnFormat = true, hasToolCalls = false } = state ?? {}
    const path = child(createCandidatePath(candidate), 'finish')
    const raw = encodeFinish({ finish, isOwnFormat, hasToolCalls }, path, this.context)
    const written = { ...event, finish: { ...finish, raw } }
    if (state === undefined) return [...parts, ['chunk', [written]]]
    state.finish = written
    return parts
  }

  /** Returns whether a part is streamed: text and reasoning without fields that no delta has. */
  protected isStreamable(part: PartWithDeltas): boolean {
    if (part.type === 'text') return this.isPlainText(part)
    if (part.type === 'reasoning') return isThinking({ ...part, text: 'x' }, this.context)
    return part.type === 'refusal'
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    const state = this.noteOpened(part, source)
    if (state !== undefined && isApplicationCall(part)) state.openType = undefined
    return source.isStreamed ? this.openStreamedPart(source, event) : []
  }

  /** Ends a part. It is encoded as a complete part, which reports losses; what no delta contained is written. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const { candidate } = source
    const path = createPartPath(source)
    const { content, tool_calls: calls } = encodeAssistantPart(source.getPart(), path, this.context)
    const chunks = isList(content) ? content : content === '' ? [] : [content ?? '']
    this.#noteChunks(chunks, candidate)
    if (!source.isStreamed)
      return this.planFields({ ...(chunks.length > 0 && { content: content ?? '' }) }, calls, candidate)
    if (source.isCorrected) this.context.report('late-correction', path)
    const added = listAddedChunks(chunks)
    return added.length === 0 ? [] : this.planFields({ content: added }, undefined, candidate)
  }

  /** Reports a text or thinking that clients cannot separate from the one before. */
  #noteChunks(chunks: readonly Json[], candidate: number): void {
    const state = this.candidates.get(candidate)
    const types = chunks.map((chunk) => (isObject(chunk) ? chunk['type'] : 'text'))
    const [first] = types
    if (state === undefined || first === undefined) return
    if (first === state.openType && !state.isJoined) {
      state.isJoined = true
      this.context.report('stream-joined', child(createCandidatePath(candidate), 'content'))
    }
    const last = types.at(-1)
    state.openType = last === 'text' || last === 'thinking' ? last : undefined
  }
}

/** Returns the chunks of a streamed part that no delta contained: references, and the signature of its thinking. */
function listAddedChunks([first, ...others]: readonly Json[]): readonly Json[] {
  const signature = isObject(first) && first['type'] === 'thinking' ? first['signature'] : undefined
  return typeof signature === 'string' ? [createSignatureChunk(signature), ...others] : others
}
