import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import { createReasoningFallback } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createPartPath, type PartBeingWritten } from '../engine/parts-being-written.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import { reasoningItemCodec } from './reasoning.ts'
import { noContentEvent } from './stream-plan-rules.ts'

/** Plans the wire events of a complete reasoning summary within its item. */
export function planReasoningSummary({ index, part }: PartStartEvent): WireEventPlan {
  if (part.type !== 'reasoning' || part.summary !== true) return []
  return [planPart(index, part), planText(index, part.text), ...summaryEnd]
}

function planPart(index: number, part: ReasoningPart): WireEventPlan[number] {
  const start = { type: 'part-start', index, part: { ...part, text: '' } } as const
  return ['response.reasoning_summary_part.added', [start]]
}

function planText(index: number, text: string): WireEventPlan[number] {
  return ['response.reasoning_summary_text.delta', [{ type: 'reasoning-delta', index, text, summary: true }]]
}

const summaryEnd: WireEventPlan = [
  ['response.reasoning_summary_text.done', [noContentEvent]],
  ['response.reasoning_summary_part.done', [noContentEvent]],
]

/** Plans the item of reasoning of another vendor: one summary, which grows as the reasoning arrives. */
export class SummaryPlan {
  readonly #source: PartBeingWritten
  readonly #context: EncodeContext
  #isOpened = false

  constructor(source: PartBeingWritten, context: EncodeContext) {
    this.#source = source
    this.#context = context
  }

  /** Adds text. The item opens with the first text: reasoning without text has no item. */
  grow(text: string): WireEventPlan {
    if (text === '') return []
    const { index } = this.#source
    const delta = planText(index, text)
    if (this.#isOpened) return [delta]
    this.#isOpened = true
    const start: ChatEvent = { type: 'part-start', index: -1 - index, part: reasoningItemCodec.emptySummary }
    return [['response.output_item.added', [start]], planPart(index, reasoningItemCodec.emptySummary), delta]
  }

  close(part: AssistantPart): WireEventPlan {
    const { index } = this.#source
    const path = createPartPath(this.#source)
    if (part.type !== 'reasoning') {
      this.#context.report('late-correction', path)
      const end: ChatEvent = { type: 'part-end', index }
      return this.#isOpened ? [...summaryEnd, ['response.output_item.done', [end]]] : []
    }
    if (part.text === '') {
      createReasoningFallback(part, path, this.#context) // reports that it is omitted
      return []
    }
    const unwritten = this.#isOpened ? [] : this.grow(part.text)
    const summary = reasoningItemCodec.toSummary(part, path, this.#context)
    const complete: readonly ChatEvent[] = [
      { type: 'part-start', index, part: summary },
      { type: 'part-end', index },
    ]
    return [...unwritten, ...summaryEnd, ['response.output_item.done', complete]]
  }
}
