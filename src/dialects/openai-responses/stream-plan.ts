import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
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
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish } from './response-metadata.ts'
import { encodeItems, isUnsupportedPart } from './items.ts'
import { isShownAsSummary } from './reasoning.ts'
import { planReasoningSummary, SummaryPlan } from './stream-summary-plan.ts'
import { isItemStart, isTextOrRefusalPart } from './assistant-message.ts'
import { getProviderItemType } from './provider-tools.ts'
import { encodeCallName } from './tool-calls.ts'
import {
  getCallEventPrefix,
  endEventSuffixes,
  isCustomCallPart,
  isSameItemPart,
  noContentEvent,
  planCitations,
  textEventPrefixes,
} from './stream-plan-rules.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'

/** Plans the wire events of a stream: items follow each other, each closed before the next opens. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  #open: PartBeingWritten | undefined
  /** Whether an event of the content of the open part was written. */
  #isOpened = false
  /** Complete parts of one item, which is written when no further part can join it. */
  #heldParts: PartStartEvent[] = []
  /** The ends of the texts of a message item, which is done when no further text can join it. */
  #heldEnds: ChatEvent[] = []
  /** The item of the open reasoning of another vendor. */
  #summary: SummaryPlan | undefined
  readonly #texts = new Map<number, AssistantPart>()
  /** Replaced parts, by their index: the response object at the end of the stream contains them. */
  readonly #corrections = new Map<number, ChatEvent>()
  #start: StartEvent | undefined
  #content: AssistantPart[] = []

  end(): WireEventPlan {
    const closing = [...this.#close(), ...this.#completeMessage(), ...this.#planHeldItem()]
    const { usage } = this
    const counted: readonly ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
    const finish = this.finish?.finish
    // A stream without a finish event was cut off, and stays so.
    if (finish === undefined)
      return counted.length === 0 ? closing : [...closing, ['response.in_progress', counted]]
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
      return isForeign && isShownAsSummary({ ...part, text: 'any' }, this.context)
    return isTextOrRefusalPart(part) || (isApplicationCall(part) && getProviderItemType(part) === undefined)
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    const { part } = event
    const closing = this.#close()
    this.#open = source
    this.#isOpened = false
    if (!source.isStreamed) return closing
    this.#content.push(part)
    const isJoined = isTextOrRefusalPart(part) && this.#heldEnds.length > 0 && !isItemStart(part)
    return [
      ...closing,
      ...(isJoined ? [] : this.#completeMessage()),
      ...this.#planHeldItem(),
      ...this.#begin(source, part),
    ]
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    return this.#open === source ? this.#planDelta(source, event) : this.#planLate(event)
  }

  protected closePart(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    return this.#open === source ? this.#close(event) : this.#planLate(event)
  }

  protected override correctPart(event: PartEvent): WireEventPlan {
    return this.#planLate(event)
  }

  protected override continueUnopened(event: PartEvent): WireEventPlan {
    return this.#planLate(event)
  }

  /** Plans an event of a part that is not open. The response object at the end of the stream can correct the part. */
  #planLate(event: PartEvent): WireEventPlan {
    const { index } = event
    if (event.type === 'part-end' && event.replaces === true) this.#corrections.set(index, event)
    if (event.type !== 'part-update') return []
    // Citations of a text that has ended can be written while its item is open.
    const { citations = [] } = event
    const text = this.#texts.get(index)
    if (text?.type === 'text') return planCitations(index, { ...text, citations }, this.context)
    if (citations.length > 0)
      this.context.report('citations-dropped', child(createPartPath(event), 'citations'))
    return []
  }

  /** Ends the message item when something else begins. */
  #completeMessage(): WireEventPlan {
    const ends = this.#heldEnds
    this.#heldEnds = []
    this.#texts.clear()
    return ends.length === 0 ? [] : [['response.output_item.done', ends]]
  }

  #begin(source: PartBeingWritten, part: AssistantPart): WireEventPlan {
    if (part.type === 'tool-call') return this.#startCall(source, part)
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

  #startCall(source: PartBeingWritten, part: ToolCallPart): WireEventPlan {
    const { index } = source
    const path = createPartPath(source)
    reportUnsupportedFields(part, path, this.context)
    // Reports a changed name.
    encodeCallName(part, path, this.context)
    const { arguments: _arguments, rawArguments: _raw, invalidArguments: _error, ...call } = part
    const isCustom = isCustomCallPart(part)
    const emptyInput = isCustom ? { arguments: { input: '' } } : { arguments: {}, rawArguments: '' }
    const start: ChatEvent = { type: 'part-start', index, part: { ...call, ...emptyInput } }
    const json = stringifyArguments(part)
    const isEmpty = json === '{}' || (isCustom && json === '{"input":""}')
    return [
      ['response.output_item.added', [start]],
      ...(isEmpty ? [] : this.#planDelta(source, { type: 'arguments-delta', index, json })),
    ]
  }

  #planDelta(source: PartBeingWritten, event: ChatEvent): WireEventPlan {
    const { openingPart: part } = source
    if (event.type === 'arguments-delta') {
      if (event.json === '') return []
      this.#isOpened = true
      return [[`${getCallEventPrefix(part)}.delta`, [event]]]
    }
    if (!('text' in event) || event.text === '') return []
    if (part.type === 'reasoning') return this.#summary?.grow(event.text) ?? []
    if (!isTextOrRefusalPart(part)) return []
    return [...this.#openText(source), [`${textEventPrefixes[part.type]}.delta`, [event]]]
  }

  /** Ends the open part. */
  #close(event?: PartEndEvent): WireEventPlan {
    const source = this.#open
    if (source === undefined) return []
    const { index, openingPart } = source
    const part = source.getPart()
    this.#open = undefined
    if (!source.isStreamed) return this.#hold(index, part)
    const end: ChatEvent = { type: 'part-end', index }
    // The finished item repeats the content, so it can contain a late name or id.
    const corrected: ChatEvent = { type: 'part-end', index, part, replaces: true }
    const last = event?.replaces === true ? event : source.isCorrected ? corrected : end
    if (openingPart.type === 'reasoning') return this.#summary?.close(part) ?? []
    if (openingPart.type !== 'tool-call') return this.#closeText(source, part, last)
    const prefix = getCallEventPrefix(openingPart)
    const json = part.type === 'tool-call' ? stringifyArguments(part) : ''
    const isUnwritten = !this.#isOpened && json !== '' && !isCustomCallPart(openingPart)
    const delta: WireEventPlan = [[`${prefix}.delta`, [{ type: 'arguments-delta', index, json }]]]
    return [...(isUnwritten ? delta : []), [`${prefix}.done`, [end]], ['response.output_item.done', [last]]]
  }

  #closeText(source: PartBeingWritten, part: AssistantPart, last: ChatEvent): WireEventPlan {
    const { index, openingPart: opening } = source
    if (!isTextOrRefusalPart(opening)) return []
    const path = createPartPath(source)
    // An empty text is written only if it was received as such, which some dialects know at its end.
    const opened = getHints(part, DIALECT_SLOT)['emptyText'] === true ? this.#openText(source) : []
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
  #hold(index: number, part: AssistantPart): WireEventPlan {
    if (isUnsupportedPart(part)) return [...this.#planHeldItem(), ...this.#planFallback(index, part)]
    const isJoined = isSameItemPart(part, this.#heldParts[0]?.part)
    const before = [...this.#completeMessage(), ...(isJoined ? [] : this.#planHeldItem())]
    this.#content.push(part)
    this.#heldParts.push({ type: 'part-start', index, part })
    return before
  }

  /** Plans the text or the reasoning that describes a part for which the dialect has no item. */
  #planFallback(index: number, unsupported: AssistantPart): WireEventPlan {
    const part = createFallback(unsupported, createPartPath({ index }), this.context)
    if (part === undefined) return []
    const isReasoning = part.type === 'reasoning'
    if (isReasoning && !isShownAsSummary(part, this.context)) return this.#planFallback(index, part)
    const source = new PartBeingWritten({ type: 'part-start', index, part }, true)
    this.#open = source
    this.#isOpened = false
    return [...(isReasoning ? this.#completeMessage() : []), ...this.#begin(source, part), ...this.#close()]
  }

  /** Plans the item of the held parts. */
  #planHeldItem(): WireEventPlan {
    const held = this.#heldParts
    this.#heldParts = []
    const [first] = held
    if (first === undefined) return []
    const parts = held.map(({ part }) => part)
    const itemContext = { bodyKind: 'response', context: this.context } as const
    if (encodeItems(parts, createPartPath(first).parent, itemContext).length === 0) return []
    const ends = held.map(({ index }): ChatEvent => ({ type: 'part-end', index }))
    return [
      ['response.output_item.added', held.map((start) => ({ ...start, index: -1 - first.index }))],
      ...(first.part.type === 'reasoning' ? held.flatMap(planReasoningSummary) : []),
      ['response.output_item.done', [...held, ...ends]],
    ]
  }
}
