import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { StreamReader } from '../frames.ts'
import { type GivenNames, namesGiven, underOwnName } from '../shared/names.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { StreamedArguments } from '../shared/streamed-arguments.ts'
import { decodeCitation } from './citations.ts'
import { MAKER, SLOT, toolNames } from './codes.ts'
import { finishFor } from './finish.ts'
import { decodeHead } from './head.ts'
import { decodeAnswerPart } from './parts.ts'
import { decodeUsage } from './usage.ts'
import { hintedExtra } from '../unit.ts'

type Wire = { readonly [key: string]: Json }

/** A block of the message. */
interface Block {
  /** What was known of it when it opened. */
  readonly part: AssistantPart
  readonly arguments?: StreamedArguments
  /** Nothing but white space came. */
  blank: boolean
  signed: boolean
  ended: boolean
}

/** The part that a delta is about, where its block was never opened. */
const blanks: ReadonlyMap<Json | undefined, AssistantPart> = new Map([
  ['text_delta', { type: 'text', text: '' }],
  ['thinking_delta', { type: 'reasoning', text: '' }],
])

/** Says of an event that a signature may follow, so that the thoughts need not wait for it. */
const live = { extra: hintedExtra(SLOT, { signatureFollows: true }) }

/** Reads the events of a streamed message. */
export function streamReader(options: DecodeOptions = {}): StreamReader {
  const message = new StreamedMessage(options)
  return { read: (wire) => message.read(wire), end: () => [] }
}

class StreamedMessage {
  readonly #options: DecodeOptions
  readonly #names: GivenNames
  #usage: Wire = {}
  #blocks = new Map<number, Block>()
  /** Whether a tool of the application was called. */
  #calls = false

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#names = namesGiven(options.request, toolNames)
  }

  read(wire: Wire): readonly ChatEvent[] {
    const { type, message, delta, usage, index, content_block: block } = wire
    if (type === 'message_start') return isObject(message) ? this.#start(message) : []
    if (type === 'message_delta') return [...finished(delta, this.#calls), ...this.#counted(usage)]
    if (!Number.isSafeInteger(index) || (index as number) < 0) return []
    const at = index as number
    if (type === 'content_block_start' && block !== undefined) return this.#open(at, block)
    if (type === 'content_block_stop') return this.#close(at)
    return type === 'content_block_delta' && isObject(delta) ? this.#grow(at, delta) : []
  }

  /** A message that starts again begins anew. Some are told whole, so that what they hold is done at once. */
  #start(message: Wire): readonly ChatEvent[] {
    const { content, usage } = message
    this.#usage = {}
    this.#blocks = new Map()
    this.#calls = false
    return [
      { type: 'start', ...decodeHead(message) },
      ...itemsOf(content).flatMap((block, index): ChatEvent[] => {
        const part = underOwnName(decodeAnswerPart(block), this.#names, SLOT)
        this.#calls ||= isOwnCall(part)
        this.#blocks.set(index, { part, blank: false, signed: true, ended: true })
        return [
          { type: 'part-start', index, part },
          { type: 'part-end', index },
        ]
      }),
      ...finished(message, this.#calls),
      ...this.#counted(usage),
    ]
  }

  /** Counters are cumulative; null means that nothing changed. */
  #counted(wire: Json | undefined): readonly ChatEvent[] {
    if (!isObject(wire)) return []
    const stated = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null))
    this.#usage = { ...this.#usage, ...stated }
    const total = decodeUsage(this.#usage)
    return total === undefined ? [] : [{ type: 'usage', usage: total }]
  }

  #open(index: number, wire: Json): readonly ChatEvent[] {
    if (this.#blocks.has(index)) return []
    const read = underOwnName(decodeAnswerPart(wire), this.#names, SLOT)
    const part = opened(read)
    this.#calls ||= isOwnCall(part)
    const thoughts = part.type === 'reasoning' && !part.redacted
    const signature = thoughts ? read.signature : undefined
    this.#blocks.set(index, {
      part,
      ...(part.type === 'tool-call' && { arguments: new StreamedArguments(this.#options.limits) }),
      blank: part.type === 'text' && part.text.trim() === '',
      signed: !thoughts || signature !== undefined,
      ended: false,
    })
    return [
      { type: 'part-start', index, part, ...(thoughts && live) },
      ...(signature === undefined ? [] : signedBy(signature.value, index)),
    ]
  }

  #grow(index: number, delta: Wire): readonly ChatEvent[] {
    const blank = this.#blocks.has(index) ? undefined : blanks.get(delta['type'])
    const begun = blank && { part: blank, blank: true, signed: false, ended: false }
    const known = this.#blocks.get(index) ?? begun
    if (known === undefined || known.ended) return []
    const pieces = readPiece(delta, index, known)
    if (blank === undefined || pieces.length === 0) return pieces
    this.#blocks.set(index, known)
    return [{ type: 'part-start', index, part: blank, ...(blank.type === 'reasoning' && live) }, ...pieces]
  }

  #close(index: number): readonly ChatEvent[] {
    const block = this.#blocks.get(index)
    if (block === undefined || block.ended) return []
    block.ended = true
    return [{ type: 'part-end', index, ...formOf(block) }]
  }
}

function finished(wire: Json | undefined, calls: boolean): readonly ChatEvent[] {
  const finish = finishFor(wire, calls)
  return finish === undefined ? [] : [{ type: 'finish', finish }]
}

/** An open block has the form hints of an empty one, and a signature that vouches for less: the finished part must not. */
function opened(part: AssistantPart): AssistantPart {
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  if (part.type === 'reasoning' && part.redacted) return part
  const { extra: _extra, signature: _signature, ...rest } = part
  return rest
}

/** A signature vouches for the whole part, whenever it comes. */
function signedBy(value: string, index: number): readonly ChatEvent[] {
  return [{ type: 'part-update', index, signature: { vendor: MAKER, value } }]
}

/** The form hints of a part that ended as it should not: blank, or without its signature. */
function formOf({ part, blank, signed }: Block): Pick<PartEndEvent, 'part'> {
  if (part.type === 'text' && blank)
    return { part: { ...part, extra: hintedExtra(SLOT, { emptyText: true }) } }
  if (part.type === 'reasoning' && !signed)
    return { part: { ...part, extra: hintedExtra(SLOT, { missingSignature: true }) } }
  return {}
}

/** What a delta says of its block; nothing where the block has no place for it. */
function readPiece(delta: Wire, index: number, block: Block): readonly ChatEvent[] {
  const { type, text, thinking, partial_json: json, signature, citation } = delta
  const kind = block.part.type
  if (type === 'text_delta' && typeof text === 'string' && kind === 'text') {
    block.blank &&= text.trim() === ''
    return [{ type: 'text-delta', index, text }]
  }
  if (type === 'thinking_delta' && typeof thinking === 'string' && kind === 'reasoning')
    return [{ type: 'reasoning-delta', index, text: thinking }]
  if (type === 'input_json_delta' && typeof json === 'string' && block.arguments !== undefined)
    return [block.arguments.grow(index, json)]
  if (
    type === 'signature_delta' &&
    typeof signature === 'string' &&
    kind === 'reasoning' &&
    signature !== ''
  ) {
    block.signed = true
    return signedBy(signature, index)
  }
  if (type !== 'citations_delta' || citation === undefined || kind !== 'text') return []
  return [{ type: 'part-update', index, citations: [decodeCitation(citation, 'response')] }]
}

/** The kind of a wire event is its type. */
export function kindOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
