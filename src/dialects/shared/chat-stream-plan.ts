import type { PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, TextPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  createCandidateField,
  createPartPath,
  createTextDelta,
  MovedPartDetector,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'

/** What the plan of a stream with `choices` needs from the writer of its deltas. */
interface ChatPartWriter {
  /** Returns true if a part was opened. */
  has(event: PartEvent): boolean
  /** Returns the index of the next call of a candidate. */
  nextCall(candidate: number): number
  /** Encodes an event as a delta; the start of a part defines the form of its deltas. */
  encodeDelta(event: PartStartEvent): JsonObject
}

/** The format of a stream with `choices`. */
interface ChatPlanFormat {
  readonly slot: string
  /** Encodes a part as the fields of a message that contains only this part. */
  encodeAssistantPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject
  /** Returns the position of a part's wire field. */
  getPartRank(part: AssistantPart): number
}

/** A candidate that is being written. */
export class ChatCandidatePlan {
  readonly isOwnFormat: boolean
  readonly order: MovedPartDetector = new MovedPartDetector()
  hasToolCalls = false

  constructor({ origin }: StartEvent, slot: string) {
    this.isOwnFormat = origin?.dialect === slot
  }
}

/** Plans the chunks of a stream with `choices`: each delta is a chunk, and complete parts are fields of a chunk. */
export abstract class ChatStreamPlanner<Candidate extends ChatCandidatePlan> extends StreamPlanner {
  protected readonly supportsCandidates = true
  protected override readonly repeatsText = false
  protected readonly candidates: Map<number, Candidate> = new Map()
  protected readonly writer: ChatPartWriter
  readonly #format: ChatPlanFormat

  constructor(context: EncodeContext, writer: ChatPartWriter, format: ChatPlanFormat) {
    super(context)
    this.writer = writer
    this.#format = format
  }

  protected abstract createCandidate(event: StartEvent): Candidate

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.candidates.set(event.candidate ?? 0, this.createCandidate(event))
    return [['chunk', [this.addDate(event)]]]
  }

  /** Opens a streamed part: its start writes nothing, but defines the field and the form of its deltas. */
  protected openStreamedPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    this.writer.encodeDelta(event)
    return 'text' in part && part.text !== '' ? [['chunk', [createTextDelta(part, source)]]] : []
  }

  protected growPart(_source: PartBeingWritten, event: PartEvent): WireEventPlan {
    return planDelta(event)
  }

  /** Continues a part that a frame of this dialect opened; otherwise a delta opens a part. */
  protected override continueUnopened(event: PartEvent): WireEventPlan {
    return this.writer.has(event) ? planDelta(event) : super.continueUnopened(event)
  }

  /** Plans a chunk with fields and complete calls; no chunk without any. */
  protected planFields(fields: JsonObject, calls: Json | undefined, candidate: number): WireEventPlan {
    const indexed = itemsOf(calls).flatMap((call) =>
      isObject(call) ? [{ ...call, index: this.writer.nextCall(candidate) }] : [],
    )
    const value = { ...fields, ...(indexed.length > 0 && { tool_calls: indexed }) }
    if (Object.keys(value).length === 0) return []
    const dialect = this.#format.slot
    return [['chunk', [{ type: 'opaque', dialect, value, ...createCandidateField(candidate) }]]]
  }

  /** Notes calls, and reports a part out of the order of a complete message. Returns the state of its candidate. */
  protected noteOpened(part: AssistantPart, source: PartBeingWritten): Candidate | undefined {
    const state = this.candidates.get(source.candidate)
    if (state === undefined) return undefined
    if (state.order.isFirstMove(this.#format.getPartRank(part)))
      this.context.report('order-lost', createPartPath(source))
    state.hasToolCalls ||= isApplicationCall(part)
    return state
  }

  /** Returns true if a text can be written as a string, without fields of its own. */
  protected isPlainText(part: TextPart): boolean {
    if (part.extra === undefined) return true
    const { citations: _citations, ...text } = { ...part, text: 'x' }
    const { content } = this.#format.encodeAssistantPart(text, child(undefined, 0), noReport)
    return typeof content === 'string'
  }
}

function planDelta(event: PartEvent): WireEventPlan {
  return 'text' in event || 'json' in event ? [['chunk', [event]]] : []
}
