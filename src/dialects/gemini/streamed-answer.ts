import { argumentsText } from '../../canonical/build/arguments.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { Signature } from '../../canonical/model/signature.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { hintedExtra, hintsFor } from '../unit.ts'
import { append } from '../shared/append.ts'
import { type GivenNames, underOwnName } from '../shared/names.ts'
import { StreamedArguments } from '../shared/streamed-arguments.ts'
import { type CallBook, callBook } from './call-book.ts'
import { SLOT } from './codes.ts'
import { finishFor } from './finish.ts'
import { decodeCitations } from './citations.ts'
import { listOf, decodeParts } from './messages.ts'
import { PartialArgs } from './partial-args.ts'
import { camel, type Wire } from './spelling.ts'
import { isOwnCall } from '../shared/own-calls.ts'

/** A call that is told in pieces. */
interface StreamedCall {
  readonly index: number
  readonly args: PartialArgs
}

/** Text or thoughts that grow. */
interface Open {
  readonly type: 'text' | 'reasoning'
  readonly index: number
}

/** More text, or more thoughts. */
interface Words {
  readonly type: Open['type']
  readonly text: string
}

/** One answer of a stream: which part is open, where the next one goes, and what was said so far. */
export class StreamedAnswer {
  readonly #number: number
  readonly #book: CallBook
  readonly #names: GivenNames
  readonly #limits: StreamLimits | undefined
  readonly #texts = new Map<number, string>()
  readonly #signatures = new Map<number, Signature>()
  readonly #cited = new Set<string>()
  #parts = 0
  #calls = 0
  /** The text or thoughts that grow: at most one of both. */
  #open: Open | undefined
  #call: StreamedCall | undefined
  /** Texts that have come to their end, but are not yet said to have: a source may still be named for them. */
  #ending: number[] = []

  constructor(number: number, about: string, names: GivenNames, limits: StreamLimits | undefined) {
    this.#number = number
    this.#book = callBook(about)
    this.#names = names
    this.#limits = limits
  }

  /** What a chunk says of this answer. */
  read({ content, finishReason, groundingMetadata }: Wire): readonly ChatEvent[] {
    const { parts } = isObject(content) ? content : {}
    const events: ChatEvent[] = []
    for (const part of listOf(parts) ?? []) append(events, this.#part(part))
    if (groundingMetadata !== undefined) append(events, this.#citations(groundingMetadata))
    const finish = finishFor(finishReason, this.#calls > 0)
    if (finish !== undefined) append(events, [...this.#closing(), { type: 'finish', finish }])
    return this.#numbered(events)
  }

  /** Ends whatever is open. */
  close(): readonly ChatEvent[] {
    return this.#numbered(this.#closing())
  }

  #numbered(events: readonly ChatEvent[]): readonly ChatEvent[] {
    return this.#number === 0 ? events : events.map((event) => ({ ...event, candidate: this.#number }))
  }

  /** Ends what is open; texts end when something else than a text follows. */
  #closing(isText = false): ChatEvent[] {
    const events = this.#endCall()
    const open = this.#open
    this.#open = undefined
    if (open?.type === 'text') this.#ending.push(open.index)
    if (!isText) append(events, this.#ending.splice(0).map(ended))
    if (open?.type === 'reasoning') events.push(ended(open.index))
    return events
  }

  #part(wire: Json): ChatEvent[] {
    const words = wordsIn(wire)
    if (words !== undefined) return this.#grow(words, wire)
    const piece = isObject(wire) ? camel(wire)['functionCall'] : undefined
    const pieced = isObject(piece) ? this.#piece(camel(piece), wire) : undefined
    if (pieced !== undefined) return pieced
    const part = this.#read(wire)
    if (part === undefined) return []
    if (isOwnCall(part)) this.#calls += 1
    return [...this.#closing(part.type === 'text'), ...this.#whole(part)]
  }

  #read(wire: Json): AssistantPart | undefined {
    const [part] = decodeParts([wire], 'response', this.#book, this.#calls === 0) as AssistantPart[]
    return part && underOwnName(part, this.#names, SLOT)
  }

  /** More of the open part, or the beginning of one. */
  #grow({ type, text }: Words, wire: Json): ChatEvent[] {
    if (this.#open?.type === type) return [this.#delta(this.#open, text)]
    // The last chunk often says nothing but that: it begins no part.
    const part = text === '' ? undefined : this.#read(wire)
    if (part?.type !== type) return []
    const closed = this.#closing(type === 'text')
    const open = { type, index: this.#parts++ }
    this.#open = open
    const start: ChatEvent = { type: 'part-start', index: open.index, part: { ...part, text: '' } }
    return [...closed, start, this.#delta(open, text)]
  }

  #delta({ type, index }: Open, text: string): ChatEvent {
    if (type === 'text') this.#texts.set(index, (this.#texts.get(index) ?? '') + text)
    return { type: `${type}-delta`, index, text }
  }

  /** A part that came at once: what others tell by deltas is told by one. */
  #whole(part: AssistantPart): ChatEvent[] {
    const index = this.#parts++
    if (part.signature !== undefined) this.#signatures.set(index, part.signature)
    if (part.type === 'text') this.#texts.set(index, part.text)
    const end = ended(index)
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.type === 'text') this.#ending.push(index)
      const start: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } }
      const delta: ChatEvent = { type: `${part.type}-delta`, index, text: part.text }
      return part.type === 'text' ? [start, delta] : [start, delta, end]
    }
    const json = part.type === 'tool-call' ? argumentsText(part) : '{}'
    if (part.type !== 'tool-call' || json === '{}') return [{ type: 'part-start', index, part }, end]
    const start: ChatEvent = { type: 'part-start', index, part: { ...part, arguments: {} } }
    return [start, new StreamedArguments(this.#limits).grow(index, json), end]
  }

  /** A piece of a call: it opens with its name, and is done when nothing more is to come. */
  #piece({ name, partialArgs, willContinue }: Wire, wire: Json): ChatEvent[] | undefined {
    const isOpening = typeof name === 'string' && name !== ''
    if (isOpening && willContinue !== true && partialArgs === undefined) return undefined
    if (!isOpening && this.#call === undefined) return undefined
    const begun = isOpening ? this.#beginCall(wire) : []
    for (const each of isList(partialArgs) ? partialArgs : []) this.#call?.args.add(each)
    return [...begun, ...(willContinue === true ? [] : this.#endCall())]
  }

  #beginCall(wire: Json): ChatEvent[] {
    const closed = this.#closing()
    const read = this.#read(wire)
    if (read?.type !== 'tool-call') return closed
    this.#calls += 1
    const index = this.#parts++
    this.#call = { index, args: new PartialArgs(this.#limits) }
    const { type, id, name, signature } = read
    const hints = hintsFor(read, SLOT)
    const extra = Object.keys(hints).length === 0 ? {} : { extra: hintedExtra(SLOT, hints) }
    const part: ToolCallPart = { type, id, name, arguments: {}, ...extra }
    // What it vouches for is not yet known.
    const signed: readonly ChatEvent[] =
      signature === undefined ? [] : [{ type: 'part-update', index, signature }]
    return [...closed, { type: 'part-start', index, part }, ...signed]
  }

  #endCall(): ChatEvent[] {
    if (this.#call === undefined) return []
    const { index, args } = this.#call
    this.#call = undefined
    const json = JSON.stringify(args.value)
    const told: ChatEvent[] =
      json === '{}' ? [] : [{ type: 'arguments-delta', index, json, value: args.value }]
    return [...told, ended(index)]
  }

  /** Citations that were not told before; with them, a signature vouches for more. */
  #citations(metadata: Json): ChatEvent[] {
    const texts = [...this.#texts].map(([index, text]) => ({ index, text }))
    const fresh = decodeCitations(metadata, texts).cited.filter(({ index, citation }) => {
      const { url, title, start, end } = citation
      const key = JSON.stringify([index, url, title, start, end])
      return !this.#cited.has(key) && this.#cited.add(key)
    })
    const indexes = [...new Set(fresh.map(({ index }) => index))]
    return indexes.map((index) => {
      const signature = this.#signatures.get(index)
      const citations = fresh.filter((each) => each.index === index).map(({ citation }) => citation)
      return { type: 'part-update', index, citations, ...(signature && { signature }) }
    })
  }
}

function ended(index: number): ChatEvent {
  return { type: 'part-end', index }
}

/** The words of a piece that is nothing else: one with a signature, or with more to say, stands by itself. */
function wordsIn(wire: Json): Words | undefined {
  if (!isObject(wire)) return undefined
  const { text, thought } = wire
  const size = thought === true ? 2 : 1
  if (typeof text !== 'string' || Object.keys(wire).length !== size) return undefined
  return { type: thought === true ? 'reasoning' : 'text', text }
}
