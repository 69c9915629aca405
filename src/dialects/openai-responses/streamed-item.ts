import type { ChatEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { argumentsText } from '../../canonical/build/arguments.ts'
import { OpenPart } from '../../canonical/stream/open-part.ts'
import { equalJson, type Json } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import type { Hints } from '../../wire/residue.ts'
import { freeEnding, freePiece } from '../shared/free-text.ts'
import { asSpoken } from '../shared/restored.ts'
import { StreamedArguments } from '../shared/streamed-arguments.ts'
import { SLOT } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** What the items of an answer share: the position of the next part, how items are read, and how much a call may say. */
export interface ItemReading {
  readonly next: () => number
  readonly read: (item: Json, hints?: Hints<OpenAIResponsesHint>) => readonly AssistantPart[]
  readonly limits: StreamLimits | undefined
}

/** A part that is being told: how it opened, and what came. */
interface Telling {
  readonly index: number
  readonly opening: AssistantPart
  readonly open: OpenPart
  readonly arguments: StreamedArguments
  /** Whether a delta told of it, whether its free text is still open, and whether its end was told. */
  told: boolean
  begun: boolean
  ended: boolean
}

/** An item of a streamed answer: its parts as they are told, and at last as they are. */
export class StreamedItem {
  readonly #reading: ItemReading
  readonly #parts = new Map<string, Telling>()
  /** The parts as the item or the whole answer states them, in order. */
  #final: { readonly index: number; readonly part: AssistantPart }[] | undefined
  /** Whether the item was told whole: what comes late repeats it. */
  #ended = false

  constructor(reading: ItemReading) {
    this.#reading = reading
  }

  /** The parts so far. */
  parts(): readonly AssistantPart[] {
    return this.#final?.map(({ part }) => part) ?? [...this.#parts.values()].map(({ open }) => open.whole())
  }

  has(key: string): boolean {
    return this.#parts.has(key)
  }

  /** Opens a part; one that is open stays as it is. */
  begin(key: string, part: AssistantPart): ChatEvent[] {
    if (this.#parts.has(key) || this.#ended) return []
    const { next, limits } = this.#reading
    const index = next()
    const growing = { open: new OpenPart(part), arguments: new StreamedArguments(limits) }
    this.#parts.set(key, { index, opening: part, ...growing, told: false, begun: false, ended: false })
    return [{ type: 'part-start', index, part }]
  }

  /** More of a part, which opens with it if it has not yet. */
  grow(key: string, blank: AssistantPart, text: string): ChatEvent[] {
    const known = this.#parts.get(key)
    const begun = known === undefined ? this.begin(key, blank) : []
    const telling = known ?? this.#parts.get(key)
    if (telling === undefined || telling.ended) return begun
    const { index, opening, open } = telling
    const piece = isFree(opening, key) ? freePiece(text, telling.begun, key) : text
    telling.begun = true
    telling.told = true
    open.grow(piece)
    if (opening.type === 'tool-call') return [...begun, telling.arguments.grow(index, piece)]
    if (opening.type === 'reasoning')
      return [
        ...begun,
        { type: 'reasoning-delta', index, text: piece, ...(opening.summary && { summary: true }) },
      ]
    const type = opening.type === 'refusal' ? 'refusal-delta' : 'text-delta'
    return [...begun, { type, index, text: piece }]
  }

  /** The whole of a part, for hosts that tell it at its end only. */
  late(key: string, blank: AssistantPart, text: string): ChatEvent[] {
    return this.#parts.get(key)?.told === true || text === '' ? [] : this.grow(key, blank, text)
  }

  /** Something about a part that no delta can say. */
  update(key: string, update: Omit<PartUpdateEvent, 'type' | 'index'>): ChatEvent[] {
    const telling = this.#parts.get(key)
    if (telling === undefined) return []
    const event = { type: 'part-update', index: telling.index, ...update } as const
    telling.open.update(event)
    return [event]
  }

  /** What completes the free text of a call. */
  close(key: string): ChatEvent[] {
    const telling = this.#parts.get(key)
    if (telling === undefined || telling.ended || !telling.begun || !isFree(telling.opening, key)) return []
    telling.begun = false
    telling.open.grow(freeEnding)
    return [telling.arguments.grow(telling.index, freeEnding)]
  }

  /** The item as it is when it is done: what was told ends, what was not is told. */
  end(item: Json, hints: Hints<OpenAIResponsesHint>): ChatEvent[] {
    if (this.#final !== undefined) return this.correct(item, hints)
    const parts = this.#reading.read(item, hints)
    const told = [...this.#parts.entries()]
    const ending = told.flatMap(([key]) => this.close(key))
    const keys = told.map(([key]) => key)
    const same = parts.length >= keys.length
    this.#final = []
    const settled = parts.flatMap((part, number) =>
      this.#settle(part, (same ? keys[number] : undefined) ?? `untold ${number}`),
    )
    this.#ended = true
    return [...ending, ...settled]
  }

  #settle(part: AssistantPart, key: string): ChatEvent[] {
    const text = textOf(part, key)
    const late = text === undefined ? [] : [...this.late(key, emptied(part), text), ...this.close(key)]
    const opened = late.length > 0 ? late : this.begin(key, part)
    const telling = this.#parts.get(key)
    if (telling === undefined) return opened
    const { index, opening, open } = telling
    this.#final?.push({ index, part })
    telling.ended = true
    if (opening === part) return [...opened, { type: 'part-end', index }]
    // What came is right, or becomes so with a signature: the rest is what no delta says.
    const added = { ...opening, ...said(part) }
    open.end({ type: 'part-end', index, part: added })
    const restated = !saysSame(open.whole(), part)
    return [
      ...opened,
      { type: 'part-end', index, ...(restated ? { part, replaces: restated } : { part: added }) },
    ]
  }

  /** The item as the whole answer states it, where that differs. */
  correct(item: Json, hints: Hints<OpenAIResponsesHint>): ChatEvent[] {
    if (this.#final === undefined) return this.end(item, hints)
    const parts = this.#reading.read(item, hints)
    return this.#final.flatMap(({ index, part: before }, number): ChatEvent[] => {
      const part = parts[number]
      if (part === undefined || saysSame(before, part)) return []
      this.#final = this.#final?.with(number, { index, part })
      return [{ type: 'part-end', index, part, replaces: true }]
    })
  }
}

/** The text that deltas tell of a part; undefined for a part that comes whole. */
function textOf(part: AssistantPart, key: string): string | undefined {
  if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') return part.text
  if (part.type !== 'tool-call' || part.executedBy === 'provider') return undefined
  const input = isFree(part, key) ? part.arguments?.[key] : undefined
  return typeof input === 'string' ? input : argumentsText(asSpoken(part, SLOT))
}

/** A part before its deltas. */
function emptied(part: AssistantPart): AssistantPart {
  if ('text' in part) return { ...part, text: '' }
  if (part.type !== 'tool-call') return part
  const { rawArguments: _raw, invalidArguments: _error, ...call } = part
  return { ...call, arguments: {} }
}

/** Whether the deltas of a call are free text, not JSON: what stands under its key. */
function isFree(part: AssistantPart, key: string): boolean {
  return part.type === 'tool-call' && (key === 'input' || key === 'code')
}

/** What no delta says: what vouches for a part, and what only this format knows. */
function said({ extra, signature }: AssistantPart): Partial<Pick<AssistantPart, 'extra' | 'signature'>> {
  return { ...(extra !== undefined && { extra }), ...(signature !== undefined && { signature }) }
}

function saysSame(a: AssistantPart, b: AssistantPart): boolean {
  return equalJson(content(a), content(b))
}

function content({ extra: _extra, ...part }: AssistantPart): unknown {
  if (part.type !== 'text' || part.citations === undefined) return part
  const citations = part.citations.map((each) => {
    if (each.type === 'opaque') return each
    const { extra: _, ...citation } = each
    return citation
  })
  return { ...part, citations }
}
