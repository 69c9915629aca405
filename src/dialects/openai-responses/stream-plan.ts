import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { child } from '../../wire/json-pointer.ts'
import {
  createCandidatePath,
  createPartPath,
  createTextDelta,
  PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { createFallback } from '../engine/content-fallback.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish } from './response-metadata.ts'
import { isUnsupportedPart } from './items.ts'
import { reasoningItemCodec } from './reasoning.ts'
import { CallPlan } from './stream-call-plan.ts'
import { DeferredParts } from './stream-deferred-parts.ts'
import { SummaryPlan } from './stream-summary-plan.ts'
import { isItemStart, isTextOrRefusalPart } from './assistant-message.ts'
import { getProviderItemType } from './provider-tools.ts'
import {
  createItemEnd,
  endEventSuffixes,
  noContentEvent,
  planCitations,
  textEventPrefixes,
} from './stream-plan-rules.ts'

/** Plans the wire events of a stream: items follow each other, each closed before the next opens. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  /** The open text or reasoning: its item is closed before the next opens. */
  #open: PartBeingWritten | undefined
  /** True if an event of the content of the open part was written. */
  #isOpened = false
  readonly #calls: CallPlan
  /** The items of texts and reasoning that grew after another item had closed theirs. */
  readonly #continuations = new Map<PartBeingWritten, PartBeingWritten>()
  readonly #held: DeferredParts
  /** The ends of the texts of a message item, which is done when no further text can join it. */
  #heldEnds: ChatEvent[] = []
  /** The item of the open reasoning of another vendor. */
  #summary: SummaryPlan | undefined
  readonly #texts = new Map<number, AssistantPart>()
  /** Replaced parts, by their index: the response object at the end of the stream contains them. */
  readonly #corrections = new Map<number, ChatEvent>()
  #start: StartEvent | undefined
  #content: AssistantPart[] = []

  constructor(context: EncodeContext) {
    super(context)
    this.#calls = new CallPlan(context)
    this.#held = new DeferredParts(context)
  }

  end(): WireEventPlan {
    const ends = [...this.endOpenParts(), ...this.#close()]
    const closing = [...ends, ...this.#completeMessage(), ...this.#held.planItem()]
    const { usage } = this
    const counted: readonly ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
    const finish = this.finish?.finish
    // A stream without a finish event was cut off, and stays so.
    if (finish === undefined) {
      for (const index of this.#corrections.keys())
        this.context.report('late-correction', createPartPath({ index }))
      return counted.length === 0 ? closing : [...closing, ['response.in_progress', counted]]
    }
    const isOwnFormat = this.#start?.origin?.dialect === DIALECT_SLOT
    const isIncomplete = getHints(this.#start?.message ?? {}, DIALECT_SLOT)['incompleteStatus'] === true
    const stopped = { finish, content: this.#content, isOwnFormat, isIncomplete }
    const { status } = encodeFinish(stopped, child(createCandidatePath(), 'finish'), this.context)
    const { raw: _raw, ...plain } = finish
    const last: ChatEvent = { type: 'finish', finish: isOwnFormat ? finish : plain }
    const type = endEventSuffixes.get(status) ?? 'completed'
    return [...closing, [`response.${type}`, [...this.#corrections.values(), last, ...counted]]]
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    const before = this.#start === undefined ? [] : this.end()
    this.#start = event
    this.finish = undefined
    this.usage = undefined
    this.#content = []
    this.#corrections.clear()
    return [
      ...before,
      ['response.created', [this.addDate(event)]],
      ['response.in_progress', [noContentEvent]],
    ]
  }

  /** Returns whether a part is streamed: a text, a call of a tool that the application runs, or reasoning of another vendor. */
  protected isStreamable(part: PartWithDeltas): boolean {
    // The hints of reasoning in this format may arrive with its end only.
    const isForeign = this.#start?.origin?.dialect !== DIALECT_SLOT
    if (part.type === 'reasoning')
      return isForeign && reasoningItemCodec.isShown({ ...part, text: 'any' }, this.context)
    return isTextOrRefusalPart(part) || (isApplicationCall(part) && getProviderItemType(part) === undefined)
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    const closing = this.#close()
    if (!source.isStreamed) {
      this.#held.open(source)
      return closing
    }
    this.#content.push(part)
    if (part.type !== 'tool-call') this.#open = source
    this.#isOpened = false
    const isJoined = isTextOrRefusalPart(part) && this.#heldEnds.length > 0 && !isItemStart(part)
    return [
      ...closing,
      ...(isJoined ? [] : this.#completeMessage()),
      ...this.#held.planItem(),
      ...this.#begin(source, part),
    ]
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    // A text that follows the arguments cannot join the message item before them.
    if (this.#calls.isOpen(source)) return [...this.#completeMessage(), ...this.#calls.grow(source, event)]
    const writing = this.#continuations.get(source) ?? source
    if (this.#open !== writing)
      return 'text' in event ? this.#continueInNewItem(source, event) : this.#planLate(event)
    if (writing !== source) writing.push(event)
    return this.#planDelta(writing, event)
  }

  protected closePart(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    if (this.#calls.isOpen(source)) return [...this.#completeMessage(), ...this.#calls.close(source, event)]
    if (!source.isStreamed)
      return [...this.#close(), ...this.#held.complete(source).flatMap((start) => this.#hold(start))]
    const writing = this.#continuations.get(source) ?? source
    // A part whose text is spread over several items has no item that could contain all of it.
    const isWhole = event.part === undefined || writing === source
    if (!isWhole) this.context.report('late-correction', createPartPath(event))
    if (this.#open === writing) return this.#close(isWhole ? event : undefined)
    return isWhole ? this.#planLate(createItemEnd(source, event)) : []
  }

  protected override correctPart(event: PartEvent): WireEventPlan {
    return this.#planLate(event)
  }

  protected override continueUnopened(event: PartEvent): WireEventPlan {
    return 'text' in event ? super.continueUnopened(event) : this.#planLate(event)
  }

  /** Plans an event of a part that is not open. The response object at the end of the stream can correct the part. */
  #planLate(event: PartEvent): WireEventPlan {
    const { index } = event
    if (event.type === 'part-end' && event.part !== undefined) {
      if (event.replaces === true) this.#corrections.set(index, event)
      else this.context.report('late-correction', createPartPath(event))
    }
    if (event.type !== 'part-update') return []
    // Citations of a text that has ended can be written while its item is open.
    const { citations = [] } = event
    const text = this.#texts.get(index)
    if (text?.type === 'text') return planCitations(index, { ...text, citations }, this.context)
    if (citations.length > 0)
      this.context.report('citations-dropped', child(createPartPath(event), 'citations'))
    return []
  }

  /** Opens a further item for a text or reasoning whose item was closed because another one opened. */
  #continueInNewItem(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    const { index, openingPart } = source
    const part = { ...openingPart, text: '' } as AssistantPart
    const start: PartStartEvent = { type: 'part-start', index, part }
    const continuation = new PartBeingWritten(start, true)
    this.#continuations.set(source, continuation)
    continuation.push(event)
    return [...this.openPart(continuation, start), ...this.#planDelta(continuation, event)]
  }

  /** Ends the message item when something else begins. */
  #completeMessage(): WireEventPlan {
    const ends = this.#heldEnds
    this.#heldEnds = []
    this.#texts.clear()
    return ends.length === 0 ? [] : [['response.output_item.done', ends]]
  }

  #begin(source: PartBeingWritten, part: AssistantPart): WireEventPlan {
    if (part.type === 'tool-call') return this.#calls.open(source, part)
    if (part.type !== 'reasoning') return this.#startText(source)
    this.#summary = new SummaryPlan(source, this.context)
    return this.#summary.grow(part.text)
  }

  #startText(source: PartBeingWritten): WireEventPlan {
    const { openingPart: part } = source
    if (!isTextOrRefusalPart(part)) return []
    const path = createPartPath(source)
    if (part.cache !== undefined) this.context.report('cache-hint', child(path, 'cache'))
    if (part.signature !== undefined) this.context.report('foreign-signature', child(path, 'signature'))
    const isKept = part.type === 'refusal' || getHints(part, DIALECT_SLOT)['emptyText'] === true
    return [
      ...(isKept ? this.#openText(source) : []),
      ...this.#planDelta(source, createTextDelta(part, source)),
    ]
  }

  /** Opens a text, in an item of its own or in the item of the text before it. */
  #openText({ index, openingPart }: PartBeingWritten): WireEventPlan {
    if (this.#isOpened) return []
    this.#isOpened = true
    const part = { ...openingPart, text: '' } as AssistantPart
    const start: ChatEvent = { type: 'part-start', index, part }
    const item: WireEventPlan = [['response.output_item.added', [{ ...start, index: -1 - index }]]]
    return [...(this.#heldEnds.length > 0 ? [] : item), ['response.content_part.added', [start]]]
  }

  #planDelta(source: PartBeingWritten, event: ChatEvent): WireEventPlan {
    const { openingPart: part } = source
    if (!('text' in event) || event.text === '') return []
    if (part.type === 'reasoning') return this.#summary?.grow(event.text) ?? []
    if (!isTextOrRefusalPart(part)) return []
    return [...this.#openText(source), [`${textEventPrefixes[part.type]}.delta`, [event]]]
  }

  /** Ends the open text or reasoning. */
  #close(event?: PartEndEvent): WireEventPlan {
    const source = this.#open
    if (source === undefined) return []
    const part = source.getPart()
    this.#open = undefined
    if (source.openingPart.type === 'reasoning') return this.#summary?.close(part) ?? []
    return this.#closeText(source, part, createItemEnd(source, event))
  }

  #closeText(source: PartBeingWritten, part: AssistantPart, last: ChatEvent): WireEventPlan {
    const { index, openingPart: opening } = source
    if (!isTextOrRefusalPart(opening)) return []
    const path = createPartPath(source)
    // An empty text is written only if it was received as such, which some dialects know at its end.
    const isKept = getHints(part, DIALECT_SLOT)['emptyText'] === true
    const opened = isKept ? [...this.#openText(source)] : []
    // Some dialects send the text of a part only with its end.
    if (!this.#isOpened && isTextOrRefusalPart(part))
      pushAll(opened, this.#planDelta(source, createTextDelta(part, source)))
    if (!this.#isOpened) {
      this.context.report('empty-text', path)
      return []
    }
    if (part.signature !== undefined && opening.signature === undefined)
      this.context.report('foreign-signature', child(path, 'signature'))
    this.#heldEnds.push(last)
    this.#texts.set(index, part)
    const end: ChatEvent = { type: 'part-end', index }
    return [
      ...opened,
      ...planCitations(index, part, this.context),
      [`${textEventPrefixes[opening.type]}.done`, [end]],
      ['response.content_part.done', [end]],
    ]
  }

  /** Holds a complete part for its item: only the parts that follow show which parts the item has. */
  #hold(start: PartStartEvent): WireEventPlan {
    const { index, part } = start
    if (isUnsupportedPart(part)) return [...this.#held.planItem(), ...this.#planFallback(index, part)]
    this.#content.push(part)
    return [...this.#completeMessage(), ...this.#held.add(start)]
  }

  /** Plans the text or the reasoning that describes a part for which the dialect has no item. */
  #planFallback(index: number, unsupported: AssistantPart): WireEventPlan {
    const part = createFallback(unsupported, createPartPath({ index }), this.context)
    if (part === undefined) return []
    const isReasoning = part.type === 'reasoning'
    if (isReasoning && !reasoningItemCodec.isShown(part, this.context)) return this.#planFallback(index, part)
    const source = new PartBeingWritten({ type: 'part-start', index, part }, true)
    this.#open = source
    this.#isOpened = false
    return [...(isReasoning ? this.#completeMessage() : []), ...this.#begin(source, part), ...this.#close()]
  }
}
