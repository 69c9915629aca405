import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath, type PartBeingWritten } from '../engine/parts-being-written.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { encodeItems } from './items.ts'
import { isSameItemPart } from './stream-plan-rules.ts'
import { planReasoningSummary } from './stream-summary-plan.ts'

/** The parts that are written when they are complete, in the order in which they opened. */
export class DeferredParts {
  readonly #context: EncodeContext
  /** The parts that opened; undefined while a part is incomplete. */
  readonly #opened = new Map<PartBeingWritten, AssistantPart | undefined>()
  /** Complete parts of one item, which is written when no further part can join it. */
  #itemParts: PartStartEvent[] = []

  constructor(context: EncodeContext) {
    this.#context = context
  }

  open(source: PartBeingWritten): void {
    this.#opened.set(source, undefined)
  }

  /** Completes a part. Returns the complete parts that no incomplete part precedes. */
  complete(source: PartBeingWritten): readonly PartStartEvent[] {
    this.#opened.set(source, source.getPart())
    const complete: PartStartEvent[] = []
    for (const [each, part] of this.#opened) {
      if (part === undefined) break
      this.#opened.delete(each)
      complete.push({ type: 'part-start', index: each.index, part })
    }
    return complete
  }

  /** Adds a part to the item. Returns the item before it, if the part cannot join that. */
  add(start: PartStartEvent): WireEventPlan {
    const before = isSameItemPart(start.part, this.#itemParts[0]?.part) ? [] : this.planItem()
    this.#itemParts.push(start)
    return before
  }

  /** Plans the item of the complete parts. */
  planItem(): WireEventPlan {
    const held = this.#itemParts
    this.#itemParts = []
    const [first] = held
    if (first === undefined) return []
    const parts = held.map(({ part }) => part)
    const itemContext = { bodyKind: 'response', context: this.#context } as const
    if (encodeItems(parts, createPartPath(first).parent, itemContext).length === 0) return []
    const ends = held.map(({ index }): ChatEvent => ({ type: 'part-end', index }))
    return [
      ['response.output_item.added', held.map((start) => ({ ...start, index: -1 - first.index }))],
      ...(first.part.type === 'reasoning' ? held.flatMap(planReasoningSummary) : []),
      ['response.output_item.done', [...held, ...ends]],
    ]
  }
}
