import type { ChatEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { isEqualJson, type Json, omitUndefined } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import { addHints } from '../engine/residue-slots.ts'
import { FREE_TEXT_JSON_END, encodeFreeTextPiece } from '../shared/free-text-json.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** The functions and limits that the items of a response share. */
export interface ItemReadContext {
  readonly getNextIndex: () => number
  readonly decodeItem: (item: Json, hints?: OpenAIResponsesHints) => readonly AssistantPart[]
  readonly limits: StreamLimits | undefined
}

/** A part that is being read. */
interface OpenItemPart {
  readonly index: number
  readonly opening: AssistantPart
  readonly content: PartAccumulator
  /** The arguments of a call. */
  readonly arguments: StreamArgumentsReader | undefined
  hasDeltas: boolean
  isFreeTextOpen: boolean
  isEnded: boolean
}

interface FinalPart {
  readonly index: number
  readonly part: AssistantPart
}

/** Reads an item of a streamed response: its parts as they are streamed, and their final content. */
export class StreamItemReader {
  readonly #context: ItemReadContext
  readonly #parts = new Map<string, OpenItemPart>()
  /** The parts as the finished item or the finished response contains them, in order. */
  #final: FinalPart[] | undefined
  /** The finished item that was read last. */
  #finalItem: Json | undefined

  constructor(context: ItemReadContext) {
    this.#context = context
  }

  /** Returns the parts so far. */
  parts(): readonly AssistantPart[] {
    if (this.#final !== undefined) return this.#final.map(({ part }) => part)
    return [...this.#parts.values()].map(({ content }) => content.build())
  }

  /** Opens a part, unless it is open or the finished item was read, which later events only repeat. */
  begin(key: string, part: AssistantPart): ChatEvent[] {
    if (this.#parts.has(key) || this.#final !== undefined) return []
    const index = this.#context.getNextIndex()
    this.#parts.set(key, {
      index,
      opening: part,
      content: new PartAccumulator(part),
      arguments: part.type === 'tool-call' ? new StreamArgumentsReader(this.#context.limits) : undefined,
      hasDeltas: false,
      isFreeTextOpen: false,
      isEnded: false,
    })
    return [{ type: 'part-start', index, part }]
  }

  /** Adds a delta to a part, and opens the part if necessary; a call is opened only by its item. */
  append(key: string, emptyPart: AssistantPart | undefined, text: string): ChatEvent[] {
    const known = this.#parts.get(key)
    if (known !== undefined) return known.isEnded ? [] : [appendPiece(known, key, text)]
    const opened = emptyPart === undefined ? [] : this.begin(key, emptyPart)
    const state = this.#parts.get(key)
    return state === undefined ? opened : [...opened, appendPiece(state, key, text)]
  }

  /** Adds the complete text of a part without deltas: some hosts send it only at the end. */
  addCompleteText(key: string, emptyPart: AssistantPart | undefined, text: string): ChatEvent[] {
    return this.#parts.get(key)?.hasDeltas === true || text === '' ? [] : this.append(key, emptyPart, text)
  }

  /** Adds fields of a part that deltas do not contain. */
  update(key: string, update: Omit<PartUpdateEvent, 'type' | 'index'>): ChatEvent[] {
    const state = this.#parts.get(key)
    if (state === undefined) return []
    const event = { type: 'part-update', index: state.index, ...update } as const
    state.content.update(event)
    return [event]
  }

  /** Completes the JSON that contains the free text of a call. */
  close(key: string): ChatEvent[] {
    const state = this.#parts.get(key)
    if (state === undefined || state.isEnded || !state.isFreeTextOpen || !isFreeText(state.opening, key))
      return []
    state.isFreeTextOpen = false
    state.content.append(FREE_TEXT_JSON_END)
    return [createDelta(state, FREE_TEXT_JSON_END)]
  }

  /**
   * Reads the finished item: ends the parts that were streamed and adds the others. An item that was read
   * before, as in the finished response, replaces the parts that differ; most responses repeat it unchanged.
   */
  end(item: Json, hints: OpenAIResponsesHints): ChatEvent[] {
    if (this.#final !== undefined && isEqualJson(this.#finalItem, item)) return []
    this.#finalItem = item
    const parts = this.#context.decodeItem(item, hints)
    if (this.#final !== undefined) return this.#correct(this.#final, parts)
    const keys = [...this.#parts.keys()]
    const ending = keys.flatMap((key) => this.close(key))
    const hasAllParts = parts.length >= keys.length
    const final: FinalPart[] = []
    const ended = parts.flatMap((part, number) =>
      this.#endPart(part, (hasAllParts ? keys[number] : undefined) ?? `unstreamed ${number}`, final),
    )
    this.#final = final
    return [...ending, ...ended]
  }

  /** Adds a hint to a finished reasoning item that turned out to be the last item. */
  markLast(): ChatEvent[] {
    const [head] = this.#final ?? []
    if (head?.part.type !== 'reasoning') return []
    const part = addHints(head.part, DIALECT_SLOT, { lastItem: true })
    return [{ type: 'part-end', index: head.index, part, replaces: true }]
  }

  #correct(final: readonly FinalPart[], parts: readonly AssistantPart[]): ChatEvent[] {
    return final.flatMap(({ index, part: before }, number) => {
      const part = parts[number]
      if (part === undefined || hasSameContent(before, part)) return []
      this.#final = this.#final?.with(number, { index, part })
      return [{ type: 'part-end', index, part, replaces: true }]
    })
  }

  #endPart(part: AssistantPart, key: string, final: FinalPart[]): ChatEvent[] {
    const text = getDeltaText(part, key)
    const completing =
      text === undefined
        ? []
        : [...this.addCompleteText(key, createEmptyPart(part), text), ...this.close(key)]
    const opened = completing.length > 0 ? completing : this.begin(key, part)
    const state = this.#parts.get(key)
    if (state === undefined) return opened
    const { index, opening, content } = state
    final.push({ index, part })
    state.isEnded = true
    if (opening === part) return [...opened, { type: 'part-end', index }]
    // If deltas and signature are the content of the finished part, the end adds only the fields that no
    // delta contains.
    const { extra, signature } = part
    const added = { ...opening, ...omitUndefined({ extra, signature }) }
    content.end({ type: 'part-end', index, part: added })
    const isReplaced = !hasSameContent(content.build(), part)
    return [
      ...opened,
      { type: 'part-end', index, ...(isReplaced ? { part, replaces: true } : { part: added }) },
    ]
  }
}

/** Adds a delta to a part that is being read. */
function appendPiece(state: OpenItemPart, key: string, text: string): ChatEvent {
  const piece = isFreeText(state.opening, key) ? encodeFreeTextPiece(text, state.isFreeTextOpen, key) : text
  state.isFreeTextOpen = true
  state.hasDeltas = true
  state.content.append(piece)
  return createDelta(state, piece)
}

function createDelta({ index, opening, arguments: json }: OpenItemPart, piece: string): ChatEvent {
  if (json !== undefined) return json.append(index, piece)
  if (opening.type !== 'reasoning')
    return { type: opening.type === 'refusal' ? 'refusal-delta' : 'text-delta', index, text: piece }
  const summary = opening.summary && { summary: true as const }
  return { type: 'reasoning-delta', index, text: piece, ...summary }
}

/** Returns the text that the deltas of a part contain; undefined for a part without deltas. */
function getDeltaText(part: AssistantPart, key: string): string | undefined {
  if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') return part.text
  if (part.type !== 'tool-call' || part.executedBy === 'provider') return undefined
  const input = isFreeText(part, key) ? part.arguments?.[key] : undefined
  return typeof input === 'string' ? input : stringifyArguments(restoreNulls(part, DIALECT_SLOT))
}

/** Returns a part as it is before its deltas. */
function createEmptyPart(part: AssistantPart): AssistantPart {
  if ('text' in part) return { ...part, text: '' }
  if (part.type !== 'tool-call') return part
  const { rawArguments: _raw, invalidArguments: _error, ...call } = part
  return { ...call, arguments: {} }
}

/** Returns whether the deltas of a call are free text, the value of `key` in its arguments, instead of JSON. */
function isFreeText(part: AssistantPart, key: string): boolean {
  return part.type === 'tool-call' && (key === 'input' || key === 'code')
}

function hasSameContent(a: AssistantPart, b: AssistantPart): boolean {
  return isEqualJson(omitExtra(a), omitExtra(b))
}

function omitExtra({ extra: _extra, ...part }: AssistantPart): unknown {
  if (part.type !== 'text' || part.citations === undefined) return part
  const citations = part.citations.map((each) => {
    if (each.type === 'opaque') return each
    const { extra: _, ...citation } = each
    return citation
  })
  return { ...part, citations }
}
