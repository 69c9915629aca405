import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent, FinishEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { withHints } from '../engine/residue-slots.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import type { BlockPartCodec } from './block-parts.ts'

/** The kind of every payload: the events alone determine what is written. */
export const EVENT_KIND = 'event'

const plan = (...events: readonly ChatEvent[]): WireEventPlan => [[EVENT_KIND, events]]

/** Plans the payloads for events of another dialect. The writer adds the last one when all events have arrived. */
export class BlockStreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  isOwnFormat = false
  readonly #parts: BlockPartCodec
  readonly #dialect: string

  constructor(context: EncodeContext, parts: BlockPartCodec, dialect: string) {
    super(context)
    this.#parts = parts
    this.#dialect = dialect
  }

  end(): WireEventPlan {
    return this.endOpenParts()
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.isOwnFormat = event.origin?.dialect === this.#dialect
    return plan(event)
  }

  protected override finishCandidate(event: FinishEvent): WireEventPlan {
    this.finish = event
    return this.endOpenParts()
  }

  protected isStreamable(part: PartWithDeltas): boolean {
    // Reasoning opens empty, and is not reasoning of this dialect until it has a text.
    const complete = part.type === 'reasoning' ? { ...part, text: 'any' } : part
    return this.#parts.getRow(part.type)?.isStreamed === true && this.#parts.isNative(complete, this.context)
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    if (!source.isStreamed) return []
    const { part } = event
    // Without the hint, reasoning that is empty so far would count as foreign, and its block would not be opened.
    const isReasoning = part.type === 'reasoning'
    const opening = isReasoning ? withHints(part, this.#parts.slots.dialect, { ownReasoning: true }) : part
    return plan({ ...event, part: opening })
  }

  protected growPart(_source: PartBeingWritten, event: PartEvent): WireEventPlan {
    return 'text' in event || 'json' in event ? plan(event) : []
  }

  /** Ends a part. It is encoded as a complete part, which reports its losses and is written if no piece was. */
  protected closePart(source: PartBeingWritten): WireEventPlan {
    const { index } = source
    const part = source.getPart()
    const path = createPartPath(source)
    const block = this.#parts.encode(part, path, this.context, this.#parts.slots.response)
    const end: ChatEvent = { type: 'part-end', index }
    if (!source.isStreamed) return block === undefined ? [] : plan({ type: 'part-start', index, part }, end)
    const late = source.hasGrown ? undefined : createLateDelta(part, source)
    if (late !== undefined) return [...plan(late), ...plan(end)]
    if (source.isCorrected) this.context.report('late-correction', path)
    return plan(end)
  }
}

/** Returns the delta of a part whose content arrived only with its end; undefined without such content. */
function createLateDelta(part: AssistantPart, source: PartBeingWritten): ChatEvent | undefined {
  const { openingPart } = source
  if (part.type === 'tool-call' && openingPart.type === 'tool-call') {
    const json = stringifyArguments(part)
    const isNew = stringifyArguments(openingPart) === '{}' && json !== '{}'
    return isNew ? { type: 'arguments-delta', index: source.index, json } : undefined
  }
  const isText = part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning'
  const isNew = isText && 'text' in openingPart && openingPart.text === '' && part.text !== ''
  return isNew ? createTextDelta(part, source) : undefined
}
