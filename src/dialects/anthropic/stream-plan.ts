import type { ChatEvent, PartEndEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  createPartForDelta,
  type PartBeingWritten,
  PartsBeingWritten,
  type PartEvent,
  createPartPath,
} from '../engine/parts-being-written.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { VENDOR, providerCallTypes, DIALECT_SLOT } from './constants.ts'
import { encodePart } from './parts.ts'

/** Kinds of wire events, each with the events that it says. */
export type WireEventPlan = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/**
 * How a part is told: words from the first that is not blank, arguments and own thoughts as they come, and all else when it
 * is whole, since only then is it known what can be said of it.
 */
type WriteMode = 'words' | 'call' | 'thoughts' | 'held'

/** A part on its way to the wire. */
interface BlockBeingWritten {
  readonly source: PartBeingWritten
  readonly mode: WriteMode
  /** The position of its block, once that is open. */
  block?: number
  /** What came before the block was opened. */
  readonly pendingEvents: ChatEvent[]
}

/** Which blocks the parts of another format become: one open at a time, their positions without gaps. */
export class StreamPlan {
  readonly #context: EncodeContext
  readonly #parts = new PartsBeingWritten()
  /** The blocks of parts that came in frames of our own. */
  readonly #framedBlocks = new Map<number, number>()
  #nextIndex = 0
  #openIndex: number | undefined
  #current: BlockBeingWritten | undefined
  /** Parts that opened while another was being told: theirs is the next turn. */
  readonly #waiting = new Map<number, { readonly growing: PartBeingWritten; readonly events: PartEvent[] }>()

  constructor(context: EncodeContext) {
    this.#context = context
  }

  noteWritten({ type, index }: JsonObject): void {
    if (type === 'message_start') {
      this.#nextIndex = 0
      this.#framedBlocks.clear()
    }
    if (typeof index !== 'number') return
    if (type === 'content_block_stop') this.#openIndex = undefined
    if (type !== 'content_block_start') return
    this.#openIndex = index
    if (index >= this.#nextIndex) this.#framedBlocks.set(index, index) // a frame of our own: its positions are the parts'
    this.#nextIndex = Math.max(this.#nextIndex, index + 1)
  }

  plan(event: PartEvent): WireEventPlan {
    if (event.type === 'part-start') return this.#start(this.#parts.open(event), event)
    if (this.#parts.isCorrection(event))
      this.#context.report('late-correction', createPartPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing !== undefined) return this.#continue(growing, event)
    const block = this.#framedBlocks.get(event.index)
    if (block !== undefined) return block === this.#openIndex ? planFramedDelta(event, block) : []
    const blank = createPartForDelta(event)
    if (blank === undefined) return []
    const start: PartStartEvent = { type: 'part-start', index: event.index, part: blank }
    return [...this.plan(start), ...this.plan(event)]
  }

  /** Tells what nobody ended. */
  end(): WireEventPlan {
    return this.#parts.listOpen(0).flatMap(({ index }) => this.plan({ type: 'part-end', index }))
  }

  #start(growing: PartBeingWritten, event: PartStartEvent): WireEventPlan {
    if (this.#current !== undefined) {
      this.#waiting.set(event.index, { growing, events: [event] })
      return []
    }
    const closing: WireEventPlan =
      this.#openIndex === undefined
        ? []
        : [['content_block_stop', [{ type: 'part-end', index: this.#openIndex }]]]
    this.#current = { source: growing, mode: getWriteMode(event), pendingEvents: [] }
    return [...closing, ...this.#begin(this.#current)]
  }

  #continue(growing: PartBeingWritten, event: PartEvent): WireEventPlan {
    const telling = this.#current
    if (telling?.source !== growing) {
      this.#waiting.get(event.index)?.events.push(event)
      return []
    }
    if (event.type !== 'part-end') return this.#grow(telling, event)
    const ended = this.#finish(telling, event)
    this.#current = undefined
    this.#openIndex = undefined
    return [...ended, ...this.#startNext()]
  }

  #startNext(): WireEventPlan {
    for (const [index, { growing, events }] of this.#waiting) {
      this.#waiting.delete(index)
      return events.flatMap((event) =>
        event.type === 'part-start' ? this.#start(growing, event) : this.#continue(growing, event),
      )
    }
    return []
  }

  /** Opens the block where nothing needs to be waited for. */
  #begin(telling: BlockBeingWritten): WireEventPlan {
    const { mode, source } = telling
    const { openingPart, index } = source
    if (mode === 'words' && 'text' in openingPart && openingPart.text !== '')
      return this.#grow(telling, { type: 'text-delta', index, text: openingPart.text })
    if (mode === 'call') return this.#openBlock(telling, { ...(openingPart as ToolCallPart), arguments: {} })
    return mode === 'thoughts' ? this.#openBlock(telling, openingPart) : []
  }

  #openBlock(telling: BlockBeingWritten, part: AssistantPart): WireEventPlan {
    const index = this.#nextIndex++
    telling.block = index
    this.#openIndex = index
    return [['content_block_start', [{ type: 'part-start', index, part }]]]
  }

  #grow(telling: BlockBeingWritten, event: PartEvent): WireEventPlan {
    const { mode, block, pendingEvents } = telling
    if (mode === 'held') return []
    if (block !== undefined) return planDeltas(event, block)
    pendingEvents.push(event)
    return 'text' in event && event.text.trim() !== '' ? this.#openText(telling) : []
  }

  #openText(telling: BlockBeingWritten): WireEventPlan {
    const { source, pendingEvents } = telling
    const { openingPart } = source
    const extra =
      openingPart.type === 'text' && openingPart.extra !== undefined ? { extra: openingPart.extra } : {}
    const start = this.#openBlock(telling, { type: 'text', text: '', ...extra })
    const cited = openingPart.type === 'text' ? (openingPart.citations ?? []) : []
    const known: PartEvent = { type: 'part-update', index: source.index, citations: cited }
    return [
      ...start,
      ...[...pendingEvents, known].flatMap((event) => planDeltas(event as PartEvent, telling.block ?? 0)),
    ]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #finish(telling: BlockBeingWritten, event: PartEndEvent): WireEventPlan {
    const { source, mode, block } = telling
    const whole = source.getPart()
    const path = createPartPath(source)
    if (block !== undefined && source.isCorrected) this.#context.report('late-correction', path)
    const told = mode === 'call' ? toStreamedForm(whole, source.hasGrown) : whole
    const made = encodePart(told, path, this.#context, 'response')
    const stop: WireEventPlan =
      block === undefined ? [] : [['content_block_stop', [{ ...event, index: block }]]]
    if (block === undefined) return made === undefined ? [] : this.#writeWhole(telling, whole, made)
    const input = mode === 'call' && !source.hasGrown ? made?.['input'] : undefined
    if (!isObject(input) || Object.keys(input).length === 0) return stop
    const json = JSON.stringify(input)
    return [['content_block_delta', [{ type: 'arguments-delta', index: block, json }]], ...stop]
  }

  /** A whole block at once: what deltas can say is said by them. */
  #writeWhole(telling: BlockBeingWritten, whole: AssistantPart, made: JsonObject): WireEventPlan {
    const words = made['type'] === 'text'
    const thoughts = made['type'] === 'thinking' && whole.type === 'reasoning'
    const part: AssistantPart = words
      ? { type: 'text', text: '' }
      : thoughts
        ? { type: 'reasoning', text: '' }
        : whole
    const start = this.#openBlock(telling, part)
    const index = telling.block ?? 0
    const text = words ? getBlockText(made) : thoughts ? whole.text : ''
    const said: ChatEvent[] = [
      ...(text === '' ? [] : [{ type: words ? 'text-delta' : 'reasoning-delta', index, text } as const]),
      ...(thoughts && typeof made['signature'] === 'string'
        ? [{ type: 'part-update', index, signature: { vendor: VENDOR, value: made['signature'] } } as const]
        : []),
    ]
    return [
      ...start,
      ...said.map((each) => ['content_block_delta', [each]] as const),
      ['content_block_stop', [{ type: 'part-end', index }]],
    ]
  }
}

function getWriteMode(event: PartStartEvent): WriteMode {
  const { part } = event
  switch (part.type) {
    case 'text':
    case 'refusal':
      return 'words'
    case 'tool-call':
      return part.executedBy === undefined || providerCallTypes.has(getHints(part, DIALECT_SLOT)['wireType'])
        ? 'call'
        : 'held'
    case 'reasoning': {
      const unsigned = part.signature === undefined && !part.redacted
      return unsigned && getHints(event, DIALECT_SLOT)['signatureFollows'] === true ? 'thoughts' : 'held'
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return 'held'
  }
}

/** A call whose arguments were told as the text that they are: there is nothing to wrap, whatever the text was. */
function toStreamedForm(whole: AssistantPart, grew: boolean): AssistantPart {
  if (!grew || whole.type !== 'tool-call') return whole
  const { invalidArguments: _error, rawArguments: _raw, ...call } = whole
  return { ...call, arguments: {} }
}

/** The wire events of a piece: an update may say several things, but a delta says one. */
function planDeltas(event: PartEvent, index: number): WireEventPlan {
  return splitUpdate(event, index).map((each) => ['content_block_delta', [each]] as const)
}

function splitUpdate(event: PartEvent, index: number): readonly ChatEvent[] {
  if (event.type === 'media-delta') return []
  if (event.type !== 'part-update') return [{ ...event, index }]
  const { signature, citations = [] } = event
  const held = citations.filter((each) => encodeCitation(each, undefined, noReport, 'response') !== undefined)
  return [
    ...held.map((citation): ChatEvent => ({ type: 'part-update', index, citations: [citation] })),
    ...(signature === undefined ? [] : [{ type: 'part-update', index, signature } as const]),
  ]
}

/** A piece of a part that was opened by a frame of our own. */
function planFramedDelta(event: PartEvent, index: number): WireEventPlan {
  return event.type === 'part-end'
    ? [['content_block_stop', [{ ...event, index }]]]
    : planDeltas(event, index)
}
