import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { isShownAsReasoning } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import {
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import type { BlockContent, BlockStreamFormat } from './content-block-stream-format.ts'

/** A part whose block is being written or waits for another block to end. */
interface BlockBeingWritten {
  readonly source: PartBeingWritten
  /** The position of its block, once the block is open. */
  block?: number
  /** Events that arrived before the block was opened. */
  readonly pendingEvents: PartEvent[]
  /** True for reasoning whose signature follows in an event. */
  readonly hasOwnSignature?: boolean
}

/** Plans the blocks of a stream: one block is open at a time, and their positions have no gaps. */
export abstract class ContentBlockStreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  protected override readonly repeatsText = false
  hasToolCalls = false
  protected isOwnFormat = true
  protected isStopped = false
  readonly #format: BlockStreamFormat
  #isStarted = false
  /** The positions of blocks that frames of this dialect opened. */
  readonly #framedBlocks = new Set<number>()
  #nextIndex = 0
  #openIndex: number | undefined
  #current: BlockBeingWritten | undefined
  /** Parts that opened while the block of another part was open; they are written in turn. */
  readonly #waiting = new Map<PartBeingWritten, BlockBeingWritten>()

  constructor(context: EncodeContext, format: BlockStreamFormat) {
    super(context)
    this.#format = format
  }

  /** Notes that the start of a message was written. */
  protected noteStart(): void {
    this.#isStarted = true
    this.hasToolCalls = false
    this.#nextIndex = 0
    this.#framedBlocks.clear()
  }

  /** Notes that a block was opened. */
  protected noteBlockStart(index: number): void {
    this.#openIndex = index
    // A block that was not planned comes from a frame, in which part and block have the same position.
    if (index >= this.#nextIndex) this.#framedBlocks.add(index)
    this.#nextIndex = Math.max(this.#nextIndex, index + 1)
  }

  /** Notes that the open block was closed. */
  protected noteBlockStop(): void {
    this.#openIndex = undefined
  }

  /** Returns true if a block was opened before. */
  protected isKnownBlock(index: number): boolean {
    return index < this.#nextIndex
  }

  override plan(event: ChatEvent): WireEventPlan {
    const isStarted = this.#isStarted || !('index' in event) || (event.candidate ?? 0) !== 0
    return isStarted ? super.plan(event) : [...super.plan({ type: 'start' }), ...super.plan(event)]
  }

  /** Returns true for reasoning whose signature follows in an event. */
  #isSignatureLater(event: PartStartEvent): boolean {
    return getHints(event, this.#format.slot)['signatureFollows'] === true
  }

  /** Returns whether a part is streamed: text, arguments, and reasoning whose signature follows. */
  protected isStreamable(part: PartWithDeltas, event: PartStartEvent): boolean {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return true
      case 'tool-call':
        return part.executedBy === undefined || this.#format.isStreamedHostedCall(part)
      case 'reasoning':
        if (this.#isSignatureLater(event)) return part.signature === undefined && !part.redacted
        return isShownAsReasoning({ ...part, text: 'any' }, this.context)
    }
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.#isStarted = true
    this.isOwnFormat = event.origin?.dialect === this.#format.slot
    return [[this.#format.kinds.messageStart, [event]]]
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    this.hasToolCalls ||= isApplicationCall(event.part)
    if (this.#current !== undefined) {
      this.#waiting.set(source, { source, pendingEvents: [event] })
      return []
    }
    const index = this.#openIndex
    this.#current = { source, pendingEvents: [], hasOwnSignature: this.#isSignatureLater(event) }
    const begun = this.#beginBlock(this.#current)
    return index === undefined ? begun : [this.#planStop({ type: 'part-end', index }), ...begun]
  }

  protected growPart(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    if (this.#current?.source === source) return this.#growBlock(this.#current, event)
    return this.#wait(source, event)
  }

  protected closePart(source: PartBeingWritten, event: PartEndEvent): WireEventPlan {
    if (this.#current?.source !== source) return this.#wait(source, event)
    const ended = this.#closeBlock(this.#current, event)
    this.#current = undefined
    this.#openIndex = undefined
    return [...ended, ...this.#startNext()]
  }

  #wait(source: PartBeingWritten, event: PartEvent): WireEventPlan {
    this.#waiting.get(source)?.pendingEvents.push(event)
    return []
  }

  protected override continueUnopened(event: PartEvent): WireEventPlan {
    const { index } = event
    if (!this.#framedBlocks.has(index)) return super.continueUnopened(event)
    if (index !== this.#openIndex) return []
    return event.type === 'part-end' ? [this.#planStop(event)] : this.#planDeltas(event, index)
  }

  #startNext(): WireEventPlan {
    for (const [source, { pendingEvents }] of this.#waiting) {
      this.#waiting.delete(source)
      return pendingEvents.flatMap((event) => {
        if (event.type === 'part-start') return this.openPart(source, event)
        return event.type === 'part-end' ? this.closePart(source, event) : this.growPart(source, event)
      })
    }
    return []
  }

  /** Opens the block of a streamed part. The block of a text opens with the first text that is not blank. */
  #beginBlock(current: BlockBeingWritten): WireEventPlan {
    const { openingPart, isStreamed, index } = current.source
    if (!isStreamed) return []
    if (openingPart.type === 'tool-call') return this.#openBlock(current, { ...openingPart, arguments: {} })
    if (openingPart.type === 'reasoning' && current.hasOwnSignature === true)
      return this.#openBlock(current, openingPart)
    return 'text' in openingPart && openingPart.text !== ''
      ? this.#growBlock(current, createTextDelta(openingPart, { index }) as PartEvent)
      : []
  }

  #openBlock(current: BlockBeingWritten, part: AssistantPart): WireEventPlan {
    const index = this.#nextIndex++
    current.block = index
    this.#openIndex = index
    if (!this.#format.hasStartEvent(part)) return []
    return [[this.#format.kinds.start, [{ type: 'part-start', index, part }]]]
  }

  #growBlock(current: BlockBeingWritten, event: PartEvent): WireEventPlan {
    // The signature of another vendor is not written; the block ends with the one that its encoding has.
    if (event.type === 'part-update' && isReasoning(current) && current.hasOwnSignature !== true) return []
    if (current.block !== undefined) return this.#planDeltas(event, current.block)
    current.pendingEvents.push(event)
    if (!('text' in event) || event.text === '') return []
    if (isReasoning(current)) return this.#openReasoning(current)
    return event.text.trim() === '' ? [] : this.#openText(current)
  }

  #openReasoning(current: BlockBeingWritten): WireEventPlan {
    const start = this.#openBlock(current, { type: 'reasoning', text: '' })
    return [
      ...start,
      ...current.pendingEvents.flatMap((event) => this.#planDeltas(event, current.block ?? 0)),
    ]
  }

  #openText(current: BlockBeingWritten): WireEventPlan {
    const { openingPart, index } = current.source
    const { extra, citations = [] } = openingPart.type === 'text' ? openingPart : {}
    const start = this.#openBlock(current, { type: 'text', text: '', ...(extra !== undefined && { extra }) })
    const events: PartEvent[] = [...current.pendingEvents, { type: 'part-update', index, citations }]
    return [...start, ...events.flatMap((event) => this.#planDeltas(event, current.block ?? 0))]
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no block was opened. */
  #closeBlock(current: BlockBeingWritten, event: PartEndEvent): WireEventPlan {
    const { source, block: index } = current
    const part = source.getPart()
    const path = createPartPath(source)
    if (index !== undefined && source.isCorrected) this.context.report('late-correction', path)
    const isStreamedCall = source.isStreamed && source.openingPart.type === 'tool-call'
    const written = isStreamedCall && source.hasGrown ? omitArguments(part) : part
    const encoded = this.#format.encodePart(written, path, this.context)
    if (index === undefined)
      return encoded === undefined ? [] : this.#planCompleteBlock(current, part, encoded)
    const stop: WireEventPlan = [this.#planStop({ ...event, index })]
    const content = encoded === undefined ? undefined : this.#readBlock(encoded)
    if (isReasoning(current) && current.hasOwnSignature !== true)
      return [...this.#planSignature(content?.signature, index), ...stop]
    const input = isStreamedCall && !source.hasGrown ? content?.input : undefined
    if (input === undefined || isEmptyObject(input)) return stop
    const json = JSON.stringify(input)
    return [this.#planDelta({ type: 'arguments-delta', index, json }), ...stop]
  }

  /** Reads a block. A block that was received with another type than an object is sent as received. */
  #readBlock(encoded: Json): BlockContent {
    return isObject(encoded) ? this.#format.readBlock(encoded) : { kind: 'other' }
  }

  /** Plans a block whose content is complete: text, reasoning and signature are written as deltas. */
  #planCompleteBlock(current: BlockBeingWritten, part: AssistantPart, encoded: JsonObject): WireEventPlan {
    const { kind, text = '', signature } = this.#readBlock(encoded)
    const isText = kind === 'text'
    const hasDeltas = kind !== 'other'
    const start = this.#openBlock(
      current,
      hasDeltas ? { type: isText ? 'text' : 'reasoning', text: '' } : part,
    )
    const index = current.block ?? 0
    const type = isText ? 'text-delta' : 'reasoning-delta'
    // If no event opens the block, even an empty text needs a delta.
    const isWritten = hasDeltas && (text !== '' || (isText && start.length === 0))
    const deltas = isWritten ? [this.#planDelta({ type, index, text })] : []
    const rest = hasDeltas ? this.#planSignature(signature, index) : this.#planWhole(part, index)
    return [...start, ...deltas, ...rest, this.#planStop({ type: 'part-end', index })]
  }

  /** Plans the delta with the content of a complete part, if the event that opens its block does not contain it. */
  #planWhole(part: AssistantPart, index: number): WireEventPlan {
    return this.#format.hasWholeDeltas === true ? [this.#planDelta({ type: 'part-end', index, part })] : []
  }

  #planSignature(value: string | undefined, index: number): WireEventPlan {
    if (value === undefined || value === '') return []
    const signature = { vendor: this.#format.vendor, value }
    return [this.#planDelta({ type: 'part-update', index, signature })]
  }

  /** Plans the deltas of an event: an update may contain several values, a delta contains one. */
  #planDeltas(event: PartEvent, index: number): WireEventPlan {
    if (event.type === 'media-delta') return []
    if (event.type !== 'part-update')
      return [this.#planDelta(event.index === index ? event : { ...event, index })]
    const { signature, citations = [] } = event
    const updates = citations
      .filter((citation) => this.#format.isCitationWritten(citation))
      .map((citation) => this.#planDelta({ type: 'part-update', index, citations: [citation] }))
    return signature === undefined
      ? updates
      : [...updates, this.#planDelta({ type: 'part-update', index, signature })]
  }

  #planDelta(event: ChatEvent): WireEventPlan[number] {
    return [this.#format.kinds.delta, [event]]
  }

  #planStop(event: PartEvent): WireEventPlan[number] {
    return [this.#format.kinds.stop, [event]]
  }
}

function isReasoning({ source }: BlockBeingWritten): boolean {
  return source.openingPart.type === 'reasoning'
}

/** Returns a call without its arguments, which were streamed as text: even invalid ones need no wrapper. */
function omitArguments(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool-call') return part
  const { invalidArguments: _error, rawArguments: _raw, ...call } = part
  return { ...call, arguments: {} }
}
