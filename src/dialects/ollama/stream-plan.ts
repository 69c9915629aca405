import type { ChatEvent, FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import {
  createCandidatePath,
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
  MovedPartDetector,
} from '../engine/parts-being-written.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import { encodeAssistantPart, getPartRank } from './parts.ts'
import { isThinking } from './reasoning.ts'

/** Plans the lines of a stream. The writer adds the last line, with the finish reason, when all events have arrived. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  protected override readonly repeatsText = false
  isOwnFormat = false
  /** Parts that are written when complete, in the order in which they opened; undefined while a part is open. */
  readonly #heldMessages = new Map<PartBeingWritten, JsonObject | undefined>()
  readonly #order = new MovedPartDetector()
  #callCount = 0
  #textCount = 0
  #reasoningCount = 0

  end(): WireEventPlan {
    return this.endOpenParts()
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.isOwnFormat = event.origin?.dialect === DIALECT_SLOT
    return [['chunk', [event]]]
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    this.finish = event
    return this.endOpenParts()
  }

  protected isStreamable(part: PartWithDeltas): boolean {
    return this.#isText(part)
  }

  /** Returns whether a part is written piece by piece: text, and reasoning that is sent as such. */
  #isText(part: AssistantPart): part is TextPart | RefusalPart | ReasoningPart {
    // Reasoning opens empty, and is not reasoning of this dialect until it has a text.
    const isReasoning = part.type === 'reasoning' && isThinking({ ...part, text: 'any' }, this.context)
    return part.type === 'text' || part.type === 'refusal' || isReasoning
  }

  protected openPart(source: PartBeingWritten, { part }: PartStartEvent): WireEventPlan {
    // The message of a complete response has no order between reasoning, images, text and calls.
    if (this.#order.isFirstMove(getPartRank(part))) this.context.report('order-lost', createPartPath(source))
    if (this.#isText(part)) return part.text === '' ? [] : [['chunk', [createTextDelta(part, source)]]]
    this.#heldMessages.set(source, undefined)
    return []
  }

  protected growPart(_source: PartBeingWritten, event: PartEvent): WireEventPlan {
    return 'text' in event ? [['chunk', [event]]] : []
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no text was. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const { openingPart } = source
    const part = source.getPart()
    const path = createPartPath(source)
    const message = encodeAssistantPart(part, path, this.#callCount, this.context, RESPONSE_SLOT)
    this.#countTexts(message)
    if (!source.isStreamed) {
      this.#heldMessages.set(source, message)
      return this.#takeComplete()
    }
    // Some dialects send the text of a part only with its end.
    const hasText = source.hasGrown || ('text' in openingPart && openingPart.text !== '')
    if (!hasText && this.#isText(part) && part.text !== '')
      return [['chunk', [createTextDelta(part, source)]]]
    if (source.isCorrected) this.context.report('late-correction', path)
    return []
  }

  /** Takes the complete parts that no open part precedes. */
  #takeComplete(): WireEventPlan {
    const lines: (readonly [kind: string, events: readonly ChatEvent[]])[] = []
    for (const [source, message] of this.#heldMessages) {
      if (message === undefined) break
      this.#heldMessages.delete(source)
      if (Object.values(message).some((value) => value !== ''))
        lines.push(['chunk', [{ type: 'opaque', dialect: DIALECT_SLOT, value: message }]])
    }
    return lines
  }

  /** Counts texts and reasoning: a client joins several of them to one. */
  #countTexts({ content, thinking, tool_calls: calls }: JsonObject): void {
    const isText = content !== undefined
    const isReasoning = thinking !== undefined
    if (isText) this.#textCount += 1
    if (isReasoning) this.#reasoningCount += 1
    if (calls !== undefined) this.#callCount += 1
    if ((isText && this.#textCount === 2) || (isReasoning && this.#reasoningCount === 2))
      this.context.report('texts-joined', child(createCandidatePath(), 'content'))
  }
}

/** Returns the message fields that an event contains in encoded form. */
export function getOpaqueEventFields(event: ChatEvent): JsonObject | undefined {
  return event.type === 'opaque' && event.dialect === DIALECT_SLOT && isObject(event.value)
    ? event.value
    : undefined
}
