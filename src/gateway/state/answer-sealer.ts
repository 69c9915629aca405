import type { ChatEvent, PartEndEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart, ToolCallPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { unlinkReasoning } from '../../dialects/openai-responses/item-pairing.ts'
import type { Json } from '../../wire/json.ts'
import { type SealedItem, type RoundTripField, ROUND_TRIP_FIELDS, createSealedPart } from './sealed-items.ts'
import type { Sealer } from './sealer.ts'

/** What is needed to seal an answer for a client. */
export interface SealContext {
  /** The dialect of the client. */
  readonly dialect: string
  readonly sealer: Sealer
  /** Remembers what a client without a carrier may not send back. */
  readonly remember: (callId: string, items: readonly SealedItem[]) => Promise<void>
}

/**
 * Adds to an answer what its provider wants back with the next request, sealed, where the client's format has a place that its
 * clients send back. An answer in the client's own format passes through unchanged: its signatures are part of it.
 */
export class AnswerSealer {
  readonly #context: SealContext
  readonly #candidates = new Map<number, CandidateSealer>()
  #isOwnFormat = false

  constructor(context: SealContext) {
    this.#context = context
  }

  /** Returns the events to send for some events of the answer: at once, unless something is sealed. */
  seal(events: readonly ChatEvent[]): readonly ChatEvent[] | Promise<readonly ChatEvent[]> {
    const sealed: ChatEvent[] = []
    for (const [at, event] of events.entries()) {
      const added = this.#sealEvent(event)
      if (added instanceof Promise) return this.#sealRest(sealed, added, events.slice(at + 1))
      if (added !== undefined) sealed.push(added)
    }
    return sealed
  }

  async #sealRest(
    sealed: ChatEvent[],
    awaited: Promise<readonly ChatEvent[]>,
    rest: readonly ChatEvent[],
  ): Promise<readonly ChatEvent[]> {
    for (const each of await awaited) sealed.push(each)
    for (const event of rest) {
      const added = this.#sealEvent(event)
      if (added instanceof Promise) for (const each of await added) sealed.push(each)
      else if (added !== undefined) sealed.push(added)
    }
    return sealed
  }

  #sealEvent(event: ChatEvent): SealedEvents {
    if (event.type === 'start') this.#isOwnFormat = event.origin?.dialect === this.#context.dialect
    if (this.#isOwnFormat) return event
    const number = event.candidate ?? 0
    const candidate = this.#candidates.get(number) ?? new CandidateSealer(this.#context)
    this.#candidates.set(number, candidate)
    return candidate.read(event)
  }
}

/** How many calls remember the same reasoning: a client may send back only some calls of an answer, and an answer may have any number. */
const MAX_CALLS_PER_REASONING = 16

/** The event to send for an event; several after something was sealed; undefined for none. */
type SealedEvents = ChatEvent | undefined | Promise<readonly ChatEvent[]>

/** A part that has started and not ended. */
interface OpenPart {
  readonly index: number
  readonly type: AssistantPart['type']
  /** Only for parts that may be sealed. */
  readonly accumulator: PartAccumulator | undefined
}

const SEALED_TYPES: ReadonlySet<AssistantPart['type']> = new Set(['reasoning', 'tool-call'])

/** Tests whether a part may be sealed, or carries a signature of another vendor. */
export function mayBeSealed({ type, signature }: AssistantPart): boolean {
  return signature !== undefined || SEALED_TYPES.has(type)
}

/** Seals the parts of one candidate. Carriers are parts of their own, so that the parts after them are counted anew. */
class CandidateSealer {
  readonly #context: SealContext
  readonly #carrier: RoundTripField | undefined
  readonly #open = new Map<number, OpenPart>()
  /** The reasoning of the answer so far, which belongs to the next calls. */
  #reasoning: { readonly item: SealedItem; callCount: number }[] = []
  #nextIndex = 0

  constructor(context: SealContext) {
    this.#context = context
    this.#carrier = Object.hasOwn(ROUND_TRIP_FIELDS, context.dialect)
      ? ROUND_TRIP_FIELDS[context.dialect]
      : undefined
  }

  read(event: ChatEvent): SealedEvents {
    if (event.type === 'part-start') return this.#start(event)
    if (event.type === 'part-end') return this.#end(event)
    if (!('index' in event)) return event
    const open = this.#getOpen(event.index)
    if (event.type === 'part-update') {
      open.accumulator?.update(event)
      const { signature, ...rest } = event
      const isForeign = signature !== undefined && !this.#isNative(open.type, signature.vendor)
      if (!isForeign) return { ...event, index: open.index }
      return rest.citations === undefined ? undefined : { ...rest, index: open.index }
    }
    open.accumulator?.append(event.type === 'arguments-delta' ? event.json : getPiece(event))
    return open.index === event.index ? event : { ...event, index: open.index }
  }

  #start(event: PartStartEvent): ChatEvent {
    const { type } = event.part
    const accumulator = SEALED_TYPES.has(type) ? new PartAccumulator(event.part) : undefined
    const open = { index: this.#nextIndex++, accumulator, type }
    this.#open.set(event.index, open)
    return { ...event, index: open.index, part: this.#withoutForeignSignature(event.part) }
  }

  #end(event: PartEndEvent): SealedEvents {
    const open = this.#getOpen(event.index)
    this.#open.delete(event.index)
    open.accumulator?.end(event)
    const part = open.accumulator?.build()
    const end: ChatEvent = {
      ...event,
      index: open.index,
      ...(event.part !== undefined && { part: this.#withoutForeignSignature(event.part) }),
    }
    if (part?.type === 'reasoning') return this.#sealReasoning(part, open.index, end)
    return part?.type === 'tool-call' ? this.#sealCall(part, open.index, end) : end
  }

  /** Adds the sealed part where the format has a place for it, or keeps it for the next call. */
  async #sealReasoning(part: ReasoningPart, index: number, end: ChatEvent): Promise<ChatEvent[]> {
    const carrier = this.#carrier
    if (part.signature !== undefined && this.#isNative(part.type, part.signature.vendor)) return [end]
    const item: SealedItem = { type: 'reasoning', part: unlinkReasoning(part) }
    this.#reasoning.push({ item, callCount: 0 })
    if (carrier?.place === 'signature') {
      const value = await this.#seal([item])
      return [{ type: 'part-update', index, signature: { vendor: carrier.vendor, value } }, end]
    }
    return carrier?.place === 'item'
      ? [end, ...(await this.#createCarrier(carrier, [item], undefined))]
      : [end]
  }

  /** Adds what belongs to a call: on the call itself, or in a carrier after it. */
  async #sealCall({ signature, id }: ToolCallPart, index: number, end: ChatEvent): Promise<ChatEvent[]> {
    const carrier = this.#carrier
    const isForeign = signature !== undefined && !this.#isNative('tool-call', signature.vendor)
    const own: readonly SealedItem[] = isForeign ? [{ type: 'call', id, signature }] : []
    const all = [...this.#takeReasoning(), ...own]
    // Before the client gets the call: its next request may reach another instance.
    await this.#context.remember(id, all)
    const isReasoningSealed = carrier?.place === 'signature' || carrier?.place === 'item'
    const items = isReasoningSealed ? own : all
    if (carrier === undefined || items.length === 0) return [end]
    if (!isReasoningSealed) this.#reasoning = []
    if (carrier.place !== 'call') return [end, ...(await this.#createCarrier(carrier, items, id))]
    const value = await this.#seal(items)
    return [{ type: 'part-update', index, signature: { vendor: carrier.vendor, value } }, end]
  }

  /** Returns the reasoning that belongs to a call. */
  #takeReasoning(): readonly SealedItem[] {
    const taken = this.#reasoning
    for (const reasoning of taken) reasoning.callCount += 1
    this.#reasoning = taken.filter(({ callCount }) => callCount < MAX_CALLS_PER_REASONING)
    return taken.map(({ item }) => item)
  }

  /** Creates hidden reasoning that carries the items. */
  async #createCarrier(
    carrier: RoundTripField,
    items: readonly SealedItem[],
    callId: string | undefined,
  ): Promise<readonly ChatEvent[]> {
    const index = this.#nextIndex++
    const part = createSealedPart(carrier, await this.#seal(items), callId)
    return [
      { type: 'part-start', index, part },
      { type: 'part-end', index },
    ]
  }

  #seal(items: readonly SealedItem[]): Promise<string> {
    return this.#context.sealer.seal(items as unknown as Json)
  }

  #getOpen(index: number): OpenPart {
    const found = this.#open.get(index)
    if (found !== undefined) return found
    // A delta without a start: streams of some hosts omit it.
    const open: OpenPart = { index: this.#nextIndex++, accumulator: undefined, type: 'text' }
    this.#open.set(index, open)
    return open
  }

  /** Returns true if the client's format has a place for a signature: that of its own vendor, and on calls only if it signs them. */
  #isNative(type: AssistantPart['type'], vendor: string): boolean {
    return vendor === this.#carrier?.vendor && (type !== 'tool-call' || this.#carrier.place === 'call')
  }

  /** A signature of another vendor has no place in the client's format; what it signs is sealed instead. */
  #withoutForeignSignature(part: AssistantPart): AssistantPart {
    if (part.signature === undefined || this.#isNative(part.type, part.signature.vendor)) return part
    const { signature: _signature, ...rest } = part
    return rest
  }
}

function getPiece(event: { readonly type: string; readonly text?: string; readonly data?: string }): string {
  return event.text ?? event.data ?? ''
}
