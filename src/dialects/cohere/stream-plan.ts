import type { AssistantPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { Citation } from '../../canonical/model/citation.ts'
import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import {
  createCandidatePath,
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { encodeAssistantPart } from './assistant-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import { createReasoning, isSentAsReasoning, isToolPlan } from './reasoning.ts'
import { encodeUsage } from './response-metadata.ts'
import type { StreamEventWriter, WireEventType } from './stream-event-writer.ts'
import { isCohereTextBlock } from './text-blocks.ts'

type PlannedEvent = readonly [kind: WireEventType, events: readonly ChatEvent[]]

/** Plans the wire events of a response: text, reasoning, calls and citations as they arrive. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  readonly #frames: StreamEventWriter
  /** The number of citations that were written of each part. */
  readonly #citationCounts = new Map<number, number>()
  /** The parts with citations that refer to text that was not written yet. */
  readonly #waitingCitations = new Set<number>()

  /** The starts of parts without content so far. */
  readonly #waitingStarts = new Map<number, PartStartEvent>()

  constructor(context: EncodeContext, frames: StreamEventWriter) {
    super(context)
    this.#frames = frames
  }

  override plan(event: ChatEvent): WireEventPlan {
    const planned = super.plan(event)
    if (planned.length === 0 || this.#frames.hasStarted || planned[0]?.[0] === 'message-start') return planned
    return [['message-start', [{ type: 'start' }]], ...planned]
  }

  /** Ends the open parts and the message. */
  end(): WireEventPlan {
    if (this.#frames.hasEnded) return []
    const { usage, finish, context } = this
    const events: ChatEvent[] = []
    if (usage !== undefined) {
      encodeUsage(usage, context) // reports what is lost
      events.push({ type: 'usage', usage })
    }
    if (finish === undefined) context.report('finish-synthesized', createCandidatePath())
    else this.#frames.encodeFinishReason(finish.finish, child(createCandidatePath(), 'finish'), context)
    events.push(finish ?? { type: 'finish', finish: { reason: 'stop' } })
    const start: readonly PlannedEvent[] = this.#frames.hasStarted
      ? []
      : [['message-start', [{ type: 'start' }]]]
    return [...start, ...this.endOpenParts(), ['message-end', events]]
  }

  protected isStreamable(part: PartWithDeltas): boolean {
    if (part.type === 'reasoning')
      return (
        isSentAsReasoning(part, this.context) ||
        (part.redacted !== true && this.context.policy.foreignReasoning === 'native')
      )
    return part.type === 'text' || (part.type === 'tool-call' && part.executedBy === undefined)
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    return [['message-start', [event]]]
  }

  /** Plans the start of a part. An empty text is written only if a delta or a citation follows. */
  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    if (!source.isStreamed || isPlan(part)) return []
    if (part.type === 'tool-call') return [['tool-call-start', [event]]]
    if ((part.type === 'text' || part.type === 'reasoning') && part.text === '') {
      this.#waitingStarts.set(event.index, event)
      return []
    }
    return [['content-start', [event]]]
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    const isEmpty = 'text' in event && event.text === ''
    if (isEmpty && this.#waitingStarts.has(event.index)) return []
    const planned = this.#planDelta(event, isPlan(source.openingPart))
    return planned.length === 0 ? planned : [...this.#takeStart(event.index), ...planned]
  }

  /** Returns the start of a part that was not written yet. */
  #takeStart(index: number): WireEventPlan {
    const start = this.#waitingStarts.get(index)
    this.#waitingStarts.delete(index)
    return start === undefined ? [] : [['content-start', [start]]]
  }

  /** Continues a part that a received wire event opened; otherwise a delta opens a part. */
  protected override continueUnopened(event: PartEvent): WireEventPlan {
    return this.#frames.isOpened(event.index) ? this.#planDelta(event, false) : super.continueUnopened(event)
  }

  #planDelta(event: PartEvent, isToolPlanPart: boolean): WireEventPlan {
    switch (event.type) {
      case 'text-delta':
        return [['content-delta', [event]]]
      case 'reasoning-delta':
        return [[isToolPlanPart ? 'tool-plan-delta' : 'content-delta', [event]]]
      case 'arguments-delta':
        return [['tool-call-delta', [event]]]
      case 'part-update':
        return this.#planCitations(event.index, event.citations ?? [])
      case 'part-start':
      case 'part-end':
      case 'refusal-delta':
      case 'media-delta':
        return []
    }
  }

  /** Plans citations whose text was written. Others, and those after them, are planned when the part ends. */
  #planCitations(index: number, citations: readonly Citation[], isEnd = false): WireEventPlan {
    if (this.#waitingCitations.has(index) && !isEnd) return []
    const waiting = isEnd ? -1 : citations.findIndex((citation) => !this.#isTextWritten(index, citation))
    if (waiting !== -1) this.#waitingCitations.add(index)
    const ready = waiting === -1 ? citations : citations.slice(0, waiting)
    this.#citationCounts.set(index, (this.#citationCounts.get(index) ?? 0) + ready.length)
    // Citations that only another format can express are reported when the part ends.
    const own = ready.filter((each) => each.type !== 'opaque' || each.dialect === DIALECT_SLOT)
    return groupByRange(own).flatMap((group): readonly PlannedEvent[] => [
      ['citation-start', [{ type: 'part-update', index, citations: group }]],
      ['citation-end', [{ type: 'part-update', index }]],
    ])
  }

  /** Returns true if the range of a citation was written; one without a range refers to the whole text. */
  #isTextWritten(index: number, citation: Citation): boolean {
    if (citation.type !== 'source') return true
    const { start, end } = citation
    return start !== undefined && end !== undefined && end <= this.#frames.getTextLength(index)
  }

  /** Ends a part. It is encoded as a complete part, which reports losses; what no delta contained is written. */
  protected closePart(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    const part = source.getPart()
    const path = createPartPath(event)
    const encoded = encodeAssistantPart(part, path, this.context, 'response')
    const { index } = event
    if (!source.isStreamed) {
      if (encoded?.field !== 'content') return []
      const { block } = encoded
      const isText = isCohereTextBlock(block)
      const { thinking } = block
      const shown = isText
        ? { type: 'text' as const, text: block.text }
        : typeof thinking === 'string'
          ? createReasoning('thinkingBlock', thinking)
          : { type: 'opaque' as const, dialect: DIALECT_SLOT, value: block }
      return [
        ['content-start', [{ type: 'part-start', index, part: shown }]],
        ['content-end', [event]],
      ]
    }
    if (encoded !== undefined && 'encodeCitations' in encoded) encoded.encodeCitations(0)
    if (source.isCorrected && source.hasGrown) this.context.report('late-correction', path)
    const rest: (readonly [kind: string, events: readonly ChatEvent[]])[] = []
    if (!source.hasGrown) pushAll(rest, this.#planRest(source, part, index))
    // A part that is omitted has no citations.
    if (part.type === 'text' && encoded !== undefined) {
      const written = this.#citationCounts.get(index) ?? 0
      pushAll(rest, this.#planCitations(index, (part.citations ?? []).slice(written), true))
    }
    if (part.type === 'tool-call') return [...rest, ['tool-call-end', [event]]]
    const isEmpty = encoded === undefined && rest.length === 0 && this.#waitingStarts.delete(index)
    if (isPlan(part) || isEmpty) return rest
    return [...this.#takeStart(index), ...rest, ['content-end', [event]]]
  }

  /** Plans the content of a part without deltas that its start did not contain. */
  #planRest(
    { openingPart }: PartBeingWritten,
    part: ReturnType<PartBeingWritten['getPart']>,
    index: number,
  ): WireEventPlan {
    if (part.type === 'tool-call') {
      const json = stringifyArguments(part)
      return json === '{}' ? [] : [['tool-call-delta', [{ type: 'arguments-delta', index, json }]]]
    }
    if (part.type !== 'text' && part.type !== 'reasoning') return []
    const isWritten = !isPlan(part) && openingPart.type === part.type && openingPart.text === part.text
    return isWritten || part.text === ''
      ? []
      : this.#planDelta(createTextDelta(part, { index }) as PartEvent, isPlan(part))
  }
}

/** Returns true for the tool plan. */
function isPlan(part: AssistantPart): boolean {
  return part.type === 'reasoning' && isToolPlan(part)
}

/** Splits citations where another range starts. */
function groupByRange(citations: readonly Citation[]): readonly (readonly Citation[])[] {
  const groups: Citation[][] = []
  let last: Citation | undefined
  for (const citation of citations) {
    const isSame =
      last?.type === 'source' &&
      citation.type === 'source' &&
      last.start === citation.start &&
      last.end === citation.end &&
      getHints(citation, DIALECT_SLOT).startsCitation !== true
    if (isSame) groups.at(-1)?.push(citation)
    else groups.push([citation])
    last = citation
  }
  return groups
}
