import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEmptyObject, isObject, type JsonObject, getBlockText, readStringOrEmpty } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { noReport } from '../engine/encode-context.ts'
import {
  createCandidatePath,
  createPartPath,
  createTextDelta,
  type PartBeingWritten,
  type PartEvent,
} from '../engine/parts-being-written.ts'
import { type PartWithDeltas, StreamPlanner, type WireEventPlan } from '../engine/stream-planner.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_VENDOR, providerCallTypes, DIALECT_SLOT } from './constants.ts'
import { encodePart } from './parts.ts'
import { isShownAsThinking } from './reasoning.ts'
import { encodeFinish, encodeUsage, isToolUseBlock } from './response-metadata.ts'

/** A part whose block is being written or waits for another block to end. */
interface BlockBeingWritten {
  readonly source: PartBeingWritten
  /** The position of its block, once the block is open. */
  block?: number
  /** Events that arrived before the block was opened. */
  readonly pendingEvents: PartEvent[]
  /** True for thinking of Anthropic, whose signature follows in an event. */
  readonly hasOwnSignature?: boolean
}

/** Plans the blocks of a stream: one block is open at a time, and their positions have no gaps. */
export class StreamPlan extends StreamPlanner {
  protected readonly supportsCandidates = false
  hasToolCalls = false
  #isStarted = false
  #isStopped = false
  #isOwnFormat = true
  /** The positions of blocks that frames of this dialect opened. */
  readonly #framedBlocks = new Set<number>()
  #nextIndex = 0
  #openIndex: number | undefined
  #current: BlockBeingWritten | undefined
  /** Parts that opened while the block of another part was open; they are written in turn. */
  readonly #waiting = new Map<PartBeingWritten, BlockBeingWritten>()

  recordWritten({ type, index, content_block: block }: JsonObject): void {
    if (type === 'message_start') {
      this.#isStarted = true
      this.hasToolCalls = false
      this.#nextIndex = 0
      this.#framedBlocks.clear()
    }
    if (type === 'message_stop') this.#isStopped = true
    this.hasToolCalls ||= isToolUseBlock(block)
    if (typeof index !== 'number') return
    if (type === 'content_block_stop') this.#openIndex = undefined
    if (type !== 'content_block_start') return
    this.#openIndex = index
    // A block that was not planned comes from a frame, in which part and block have the same position.
    if (index >= this.#nextIndex) this.#framedBlocks.add(index)
    this.#nextIndex = Math.max(this.#nextIndex, index + 1)
  }

  override plan(event: ChatEvent): WireEventPlan {
    const isStarted = this.#isStarted || !('index' in event) || (event.candidate ?? 0) !== 0
    return isStarted ? super.plan(event) : [...super.plan({ type: 'start' }), ...super.plan(event)]
  }

  end(): WireEventPlan {
    if (this.#isStopped) return []
    const last = this.#listLastEvents()
    const delta: WireEventPlan = last.length === 0 ? [] : [['message_delta', last]]
    return [...this.endOpenParts(), ...delta, ['message_stop', []]]
  }

  #listLastEvents(): readonly ChatEvent[] {
    const { finish: event, usage } = this
    const last: ChatEvent[] = []
    if (event !== undefined) {
      const { finish } = event
      const stopped = { finish, isOwnFormat: this.#isOwnFormat, hasToolCalls: this.hasToolCalls }
      const { stop_reason: raw } = encodeFinish(stopped, child(createCandidatePath(), 'finish'), this.context)
      last.push({ type: 'finish', finish: { ...finish, raw: raw as string } })
    }
    if (usage !== undefined) {
      encodeUsage(usage, this.context) // reports what is lost
      last.push({ type: 'usage', usage })
    }
    return last
  }

  protected startCandidate(event: StartEvent): WireEventPlan {
    this.#isStarted = true
    this.#isOwnFormat = event.origin?.dialect === DIALECT_SLOT
    return [['message_start', [event]]]
  }

  /** Returns whether a part is streamed: text, arguments, and reasoning whose signature follows. */
  protected isStreamable(part: PartWithDeltas, event: PartStartEvent): boolean {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return true
      case 'tool-call':
        return (
          part.executedBy === undefined || providerCallTypes.has(getHints(part, DIALECT_SLOT)['wireType'])
        )
      case 'reasoning':
        if (isSignatureLater(event)) return part.signature === undefined && !part.redacted
        return isShownAsThinking({ ...part, text: 'any' }, this.context)
    }
  }

  protected openPart(source: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    this.hasToolCalls ||= isApplicationCall(event.part)
    if (this.#current !== undefined) {
      this.#waiting.set(source, { source, pendingEvents: [event] })
      return []
    }
    const index = this.#openIndex
    this.#current = { source, pendingEvents: [], hasOwnSignature: isSignatureLater(event) }
    const begun = this.#beginBlock(this.#current)
    return index === undefined ? begun : [['content_block_stop', [{ type: 'part-end', index }]], ...begun]
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
    return event.type === 'part-end' ? [['content_block_stop', [event]]] : planDeltas(event, index)
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
    return [['content_block_start', [{ type: 'part-start', index, part }]]]
  }

  #growBlock(current: BlockBeingWritten, event: PartEvent): WireEventPlan {
    // The signature of another vendor is not written; the block ends with the one that its encoding has.
    if (event.type === 'part-update' && isReasoning(current) && current.hasOwnSignature !== true) return []
    if (current.block !== undefined) return planDeltas(event, current.block)
    current.pendingEvents.push(event)
    if (!('text' in event) || event.text === '') return []
    if (isReasoning(current)) return this.#openReasoning(current)
    return event.text.trim() === '' ? [] : this.#openText(current)
  }

  #openReasoning(current: BlockBeingWritten): WireEventPlan {
    const start = this.#openBlock(current, { type: 'reasoning', text: '' })
    return [...start, ...current.pendingEvents.flatMap((event) => planDeltas(event, current.block ?? 0))]
  }

  #openText(current: BlockBeingWritten): WireEventPlan {
    const { openingPart, index } = current.source
    const { extra, citations = [] } = openingPart.type === 'text' ? openingPart : {}
    const start = this.#openBlock(current, { type: 'text', text: '', ...(extra !== undefined && { extra }) })
    const events: PartEvent[] = [...current.pendingEvents, { type: 'part-update', index, citations }]
    return [...start, ...events.flatMap((event) => planDeltas(event, current.block ?? 0))]
  }

  /** Ends a part. It is encoded as a complete part, which reports losses and is written if no block was opened. */
  #closeBlock(current: BlockBeingWritten, event: PartEndEvent): WireEventPlan {
    const { source, block: index } = current
    const part = source.getPart()
    const path = createPartPath(source)
    if (index !== undefined && source.isCorrected) this.context.report('late-correction', path)
    const isStreamedCall = source.isStreamed && source.openingPart.type === 'tool-call'
    const written = isStreamedCall && source.hasGrown ? omitArguments(part) : part
    const encoded = encodePart(written, path, this.context, 'response')
    if (index === undefined)
      return encoded === undefined ? [] : this.#planCompleteBlock(current, part, encoded)
    const stop: WireEventPlan = [['content_block_stop', [{ ...event, index }]]]
    if (isReasoning(current) && current.hasOwnSignature !== true) {
      const value = readStringOrEmpty(encoded?.['signature'])
      const signature = { vendor: DIALECT_VENDOR, value }
      return value === '' ? stop : [planDelta({ type: 'part-update', index, signature }), ...stop]
    }
    const input = isStreamedCall && !source.hasGrown ? encoded?.['input'] : undefined
    if (!isObject(input) || isEmptyObject(input)) return stop
    const json = JSON.stringify(input)
    return [planDelta({ type: 'arguments-delta', index, json }), ...stop]
  }

  /** Plans a block whose content is complete: text, reasoning and signature are written as deltas. */
  #planCompleteBlock(current: BlockBeingWritten, part: AssistantPart, encoded: JsonObject): WireEventPlan {
    const isText = encoded['type'] === 'text'
    const isThinking = encoded['type'] === 'thinking'
    const emptyPart: AssistantPart = { type: isText ? 'text' : 'reasoning', text: '' }
    const start = this.#openBlock(current, isText || isThinking ? emptyPart : part)
    const index = current.block ?? 0
    const text = isText ? getBlockText(encoded) : isThinking ? readStringOrEmpty(encoded['thinking']) : ''
    const { signature: value } = encoded
    const deltas: ChatEvent[] = []
    if (text !== '') deltas.push({ type: isText ? 'text-delta' : 'reasoning-delta', index, text })
    if (isThinking && typeof value === 'string' && value !== '')
      deltas.push({ type: 'part-update', index, signature: { vendor: DIALECT_VENDOR, value } })
    const stop = ['content_block_stop', [{ type: 'part-end', index }]] as const
    return [...start, ...deltas.map(planDelta), stop]
  }
}

function isReasoning({ source }: BlockBeingWritten): boolean {
  return source.openingPart.type === 'reasoning'
}

function isSignatureLater(event: PartStartEvent): boolean {
  return getHints(event, DIALECT_SLOT)['signatureFollows'] === true
}

/** Returns a call without its arguments, which were streamed as text: even invalid ones need no wrapper. */
function omitArguments(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool-call') return part
  const { invalidArguments: _error, rawArguments: _raw, ...call } = part
  return { ...call, arguments: {} }
}

/** Plans the deltas of an event: an update may contain several values, a delta contains one. */
function planDeltas(event: PartEvent, index: number): WireEventPlan {
  if (event.type === 'media-delta') return []
  if (event.type !== 'part-update') return [planDelta({ ...event, index })]
  const { signature, citations = [] } = event
  const updates = citations
    .filter((citation) => encodeCitation(citation, undefined, noReport, 'response') !== undefined)
    .map((citation) => planDelta({ type: 'part-update', index, citations: [citation] }))
  return signature === undefined
    ? updates
    : [...updates, planDelta({ type: 'part-update', index, signature })]
}

function planDelta(event: ChatEvent): WireEventPlan[number] {
  return ['content_block_delta', [event]]
}
