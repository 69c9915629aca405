import type { ChatEvent, PartEndEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { type Encoding, silent } from '../encoding.ts'
import { blankFor, type Growing, OpenParts, type PartEvent, partPath } from '../shared/open-parts.ts'
import { wireText } from '../shared/wire-text.ts'
import { hintsFor } from '../unit.ts'
import { encodeCitation } from './citations.ts'
import { MAKER, providerCalls, SLOT } from './codes.ts'
import { encodePart } from './parts.ts'

/** Kinds of wire events, each with the events that it says. */
export type Planned = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/**
 * How a part is told: words from the first that is not blank, arguments and own thoughts as they come, and all else when it
 * is whole, since only then is it known what can be said of it.
 */
type Mode = 'words' | 'call' | 'thoughts' | 'held'

/** A part on its way to the wire. */
interface Telling {
  readonly growing: Growing
  readonly mode: Mode
  /** The position of its block, once that is open. */
  block?: number
  /** What came before the block was opened. */
  readonly before: ChatEvent[]
}

/** Which blocks the parts of another format become: one open at a time, their positions without gaps. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #parts = new OpenParts()
  /** The blocks of parts that came in frames of our own. */
  readonly #framed = new Map<number, number>()
  #next = 0
  #open: number | undefined
  #telling: Telling | undefined
  /** Parts that opened while another was being told: theirs is the next turn. */
  readonly #waiting = new Map<number, { readonly growing: Growing; readonly events: PartEvent[] }>()

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  wrote({ type, index }: JsonObject): void {
    if (type === 'message_start') {
      this.#next = 0
      this.#framed.clear()
    }
    if (typeof index !== 'number') return
    if (type === 'content_block_stop') this.#open = undefined
    if (type !== 'content_block_start') return
    this.#open = index
    if (index >= this.#next) this.#framed.set(index, index) // a frame of our own: its positions are the parts'
    this.#next = Math.max(this.#next, index + 1)
  }

  plan(event: PartEvent): Planned {
    if (event.type === 'part-start') return this.#start(this.#parts.open(event), event)
    if (this.#parts.corrects(event))
      this.#encoding.lose('late-correction', partPath({ candidate: 0, ...event }))
    const growing = this.#parts.push(event)
    if (growing !== undefined) return this.#go(growing, event)
    const block = this.#framed.get(event.index)
    if (block !== undefined) return block === this.#open ? framedPiece(event, block) : []
    const blank = blankFor(event)
    if (blank === undefined) return []
    const start: PartStartEvent = { type: 'part-start', index: event.index, part: blank }
    return [...this.plan(start), ...this.plan(event)]
  }

  /** Tells what nobody ended. */
  end(): Planned {
    return this.#parts.left(0).flatMap(({ index }) => this.plan({ type: 'part-end', index }))
  }

  #start(growing: Growing, event: PartStartEvent): Planned {
    if (this.#telling !== undefined) {
      this.#waiting.set(event.index, { growing, events: [event] })
      return []
    }
    const closing: Planned =
      this.#open === undefined ? [] : [['content_block_stop', [{ type: 'part-end', index: this.#open }]]]
    this.#telling = { growing, mode: modeOf(event), before: [] }
    return [...closing, ...this.#begin(this.#telling)]
  }

  #go(growing: Growing, event: PartEvent): Planned {
    const telling = this.#telling
    if (telling?.growing !== growing) {
      this.#waiting.get(event.index)?.events.push(event)
      return []
    }
    if (event.type !== 'part-end') return this.#grow(telling, event)
    const ended = this.#finish(telling, event)
    this.#telling = undefined
    this.#open = undefined
    return [...ended, ...this.#nextTurn()]
  }

  #nextTurn(): Planned {
    for (const [index, { growing, events }] of this.#waiting) {
      this.#waiting.delete(index)
      return events.flatMap((event) =>
        event.type === 'part-start' ? this.#start(growing, event) : this.#go(growing, event),
      )
    }
    return []
  }

  /** Opens the block where nothing needs to be waited for. */
  #begin(telling: Telling): Planned {
    const { mode, growing } = telling
    const { opened, index } = growing
    if (mode === 'words' && 'text' in opened && opened.text !== '')
      return this.#grow(telling, { type: 'text-delta', index, text: opened.text })
    if (mode === 'call') return this.#openBlock(telling, { ...(opened as ToolCallPart), arguments: {} })
    return mode === 'thoughts' ? this.#openBlock(telling, opened) : []
  }

  #openBlock(telling: Telling, part: AssistantPart): Planned {
    const index = this.#next++
    telling.block = index
    this.#open = index
    return [['content_block_start', [{ type: 'part-start', index, part }]]]
  }

  #grow(telling: Telling, event: PartEvent): Planned {
    const { mode, block, before } = telling
    if (mode === 'held') return []
    if (block !== undefined) return pieces(event, block)
    before.push(event)
    return 'text' in event && event.text.trim() !== '' ? this.#openWords(telling) : []
  }

  #openWords(telling: Telling): Planned {
    const { growing, before } = telling
    const { opened } = growing
    const extra = opened.type === 'text' && opened.extra !== undefined ? { extra: opened.extra } : {}
    const start = this.#openBlock(telling, { type: 'text', text: '', ...extra })
    const cited = opened.type === 'text' ? (opened.citations ?? []) : []
    const known: PartEvent = { type: 'part-update', index: growing.index, citations: cited }
    return [
      ...start,
      ...[...before, known].flatMap((event) => pieces(event as PartEvent, telling.block ?? 0)),
    ]
  }

  /** Ends a part. Its encoding as a whole says what is lost, and what to tell of it if nothing was told yet. */
  #finish(telling: Telling, event: PartEndEvent): Planned {
    const { growing, mode, block } = telling
    const whole = growing.whole()
    const at = partPath(growing)
    if (block !== undefined && growing.corrected) this.#encoding.lose('late-correction', at)
    const told = mode === 'call' ? asTold(whole, growing.grew) : whole
    const made = encodePart(told, at, this.#encoding, 'response')
    const stop: Planned = block === undefined ? [] : [['content_block_stop', [{ ...event, index: block }]]]
    if (block === undefined) return made === undefined ? [] : this.#tell(telling, whole, made)
    const input = mode === 'call' && !growing.grew ? made?.['input'] : undefined
    if (!isObject(input) || Object.keys(input).length === 0) return stop
    const json = JSON.stringify(input)
    return [['content_block_delta', [{ type: 'arguments-delta', index: block, json }]], ...stop]
  }

  /** A whole block at once: what deltas can say is said by them. */
  #tell(telling: Telling, whole: AssistantPart, made: JsonObject): Planned {
    const words = made['type'] === 'text'
    const thoughts = made['type'] === 'thinking' && whole.type === 'reasoning'
    const part: AssistantPart = words
      ? { type: 'text', text: '' }
      : thoughts
        ? { type: 'reasoning', text: '' }
        : whole
    const start = this.#openBlock(telling, part)
    const index = telling.block ?? 0
    const text = words ? wireText(made) : thoughts ? whole.text : ''
    const said: ChatEvent[] = [
      ...(text === '' ? [] : [{ type: words ? 'text-delta' : 'reasoning-delta', index, text } as const]),
      ...(thoughts && typeof made['signature'] === 'string'
        ? [{ type: 'part-update', index, signature: { vendor: MAKER, value: made['signature'] } } as const]
        : []),
    ]
    return [
      ...start,
      ...said.map((each) => ['content_block_delta', [each]] as const),
      ['content_block_stop', [{ type: 'part-end', index }]],
    ]
  }
}

function modeOf(event: PartStartEvent): Mode {
  const { part } = event
  switch (part.type) {
    case 'text':
    case 'refusal':
      return 'words'
    case 'tool-call':
      return part.executedBy === undefined || providerCalls.has(hintsFor(part, SLOT)['wireType'])
        ? 'call'
        : 'held'
    case 'reasoning': {
      const unsigned = part.signature === undefined && !part.redacted
      return unsigned && hintsFor(event, SLOT)['signatureFollows'] === true ? 'thoughts' : 'held'
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
function asTold(whole: AssistantPart, grew: boolean): AssistantPart {
  if (!grew || whole.type !== 'tool-call') return whole
  const { invalidArguments: _error, rawArguments: _raw, ...call } = whole
  return { ...call, arguments: {} }
}

/** The wire events of a piece: an update may say several things, but a delta says one. */
function pieces(event: PartEvent, index: number): Planned {
  return singles(event, index).map((each) => ['content_block_delta', [each]] as const)
}

function singles(event: PartEvent, index: number): readonly ChatEvent[] {
  if (event.type === 'media-delta') return []
  if (event.type !== 'part-update') return [{ ...event, index }]
  const { signature, citations = [] } = event
  const held = citations.filter((each) => encodeCitation(each, undefined, silent, 'response') !== undefined)
  return [
    ...held.map((citation): ChatEvent => ({ type: 'part-update', index, citations: [citation] })),
    ...(signature === undefined ? [] : [{ type: 'part-update', index, signature } as const]),
  ]
}

/** A piece of a part that was opened by a frame of our own. */
function framedPiece(event: PartEvent, index: number): Planned {
  return event.type === 'part-end' ? [['content_block_stop', [{ ...event, index }]]] : pieces(event, index)
}
