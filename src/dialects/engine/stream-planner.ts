import type {
  ChatEvent,
  FinishEvent,
  PartEndEvent,
  PartStartEvent,
  StartEvent,
} from '../../canonical/model/event.ts'
import type {
  AssistantPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import {
  createCandidateField,
  createCandidatePath,
  createPartForDelta,
  createPartPath,
  type PartBeingWritten,
  type PartEvent,
  PartsBeingWritten,
} from './parts-being-written.ts'

/** A part that can arrive in deltas of text; other parts are written when they are complete. */
export type PartWithDeltas = TextPart | RefusalPart | ReasoningPart | ToolCallPart

/** The types of the wire events to write, each with the events that it contains. */
export type WireEventPlan = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/**
 * Plans which wire events contain the events of another dialect. This class tracks the parts and candidates; a dialect
 * implements what it writes when a part opens, grows and closes.
 */
export abstract class StreamPlanner {
  /** The finish event of the stream, until the dialect writes it. */
  finish: FinishEvent | undefined
  /** The latest usage: each usage event replaces the one before. */
  usage: Usage | undefined
  protected readonly context: EncodeContext
  /** True if a stream can contain several candidates; otherwise only the first one is written. */
  protected abstract readonly supportsCandidates: boolean
  /**
   * Whether the end of a streamed text needs the text, which is kept until then. Otherwise `getPart` returns its beginning: enough
   * for a format whose events do not repeat texts and whose citations have no offsets.
   */
  protected readonly repeatsText: boolean = true
  readonly #parts = new PartsBeingWritten()
  readonly #droppedCandidates = new Set<number>()

  constructor(context: EncodeContext) {
    this.context = context
  }

  /** Returns the wire events that an event adds. */
  plan(event: ChatEvent): WireEventPlan {
    const { candidate = 0 } = event
    if (candidate !== 0 && !this.supportsCandidates) return this.#dropCandidate(candidate)
    if ('index' in event)
      return event.type === 'part-start' ? this.#openPart(event) : this.#continuePart(event)
    if (event.type === 'start') return this.#startCandidate(event)
    if (event.type === 'finish') return this.finishCandidate(event)
    if (event.type === 'usage') this.usage = event.usage
    return []
  }

  /** Returns the wire events that end the stream. */
  abstract end(): WireEventPlan

  /** Returns whether the deltas of a part are written as they arrive; otherwise the part is written when it is complete. */
  protected abstract isStreamable(part: PartWithDeltas, event: PartStartEvent): boolean

  protected abstract startCandidate(event: StartEvent): WireEventPlan

  protected abstract openPart(part: PartBeingWritten, event: PartStartEvent): WireEventPlan

  /** Plans a delta or an update of a streamed part. */
  protected abstract growPart(part: PartBeingWritten, event: PartEvent): WireEventPlan

  protected abstract closePart(part: PartBeingWritten, event: PartEndEvent): WireEventPlan

  /** Plans a finish event. Most dialects write it when the stream ends, since usage may follow it. */
  protected finishCandidate(event: FinishEvent): WireEventPlan {
    this.finish = event
    return []
  }

  /** Plans a change to a part that has ended. Most dialects cannot retract what they wrote. */
  protected correctPart(event: PartEvent): WireEventPlan {
    this.context.report('late-correction', createPartPath(event))
    return []
  }

  /** Plans an event of a part that was never opened: a delta opens the part. */
  protected continueUnopened(event: PartEvent): WireEventPlan {
    const part = createPartForDelta(event)
    if (part === undefined) {
      const isEmptyEnd = event.type === 'part-end' && event.part === undefined
      if (!isEmptyEnd) this.context.report('misplaced-delta', createPartPath(event))
      return []
    }
    const { index, candidate } = event
    const start: PartStartEvent = { type: 'part-start', index, part, ...createCandidateField(candidate) }
    return [...this.plan(start), ...this.plan(event)]
  }

  /** Ends the parts that are still open, of one candidate or of all. */
  protected endOpenParts(only?: number): WireEventPlan {
    return this.#parts
      .listOpen(only)
      .flatMap(({ candidate, index }) =>
        this.plan({ type: 'part-end', index, ...createCandidateField(candidate) }),
      )
  }

  /** Adds the current time to the start event of a stream without one. */
  protected addDate(event: StartEvent): StartEvent {
    if (event.createdAt !== undefined) return event
    const { now = Date.now } = this.context.options
    return { ...event, createdAt: new Date(now()).toISOString() }
  }

  #openPart(event: PartStartEvent): WireEventPlan {
    const { part } = event
    const isStreamed = hasDeltas(part) && this.isStreamable(part, event)
    const isText = part.type === 'text' || part.type === 'refusal'
    return this.openPart(
      this.#parts.open(event, isStreamed, !isStreamed || !isText || this.repeatsText),
      event,
    )
  }

  #startCandidate(event: StartEvent): WireEventPlan {
    const planned = this.startCandidate(event)
    if (event.message?.name !== undefined)
      this.context.report('message-name', child(createCandidatePath(event.candidate), 'name'))
    return planned
  }

  #continuePart(event: PartEvent): WireEventPlan {
    const part = this.#parts.push(event)
    if (part === undefined)
      return this.#parts.isCorrection(event) ? this.correctPart(event) : this.continueUnopened(event)
    if (event.type === 'part-end') return this.closePart(part, event)
    return part.isStreamed ? this.growPart(part, event) : []
  }

  #dropCandidate(candidate: number): WireEventPlan {
    if (!this.#droppedCandidates.has(candidate))
      this.context.report('candidates-dropped', createCandidatePath(candidate))
    this.#droppedCandidates.add(candidate)
    return []
  }
}

function hasDeltas(part: AssistantPart): part is PartWithDeltas {
  return 'text' in part || part.type === 'tool-call'
}
