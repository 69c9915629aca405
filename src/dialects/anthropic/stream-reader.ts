import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/stream-frames.ts'
import { type RenamedTools, collectRenamedTools, restoreToolName } from '../shared/tool-names.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { StreamArguments } from '../shared/stream-arguments.ts'
import { decodeCitation } from './citations.ts'
import { VENDOR, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { decodeAssistantPart } from './parts.ts'
import { hintedExtra } from '../engine/residue-slots.ts'

/** A block of the message. */
interface OpenBlock {
  /** What was known of it when it opened. */
  readonly part: AssistantPart
  readonly arguments?: StreamArguments
  /** Nothing but white space came. */
  isBlank: boolean
  isSigned: boolean
  isEnded: boolean
}

/** The part that a delta is about, where its block was never opened. */
const blankPartsByDelta: ReadonlyMap<Json | undefined, AssistantPart> = new Map([
  ['text_delta', { type: 'text', text: '' }],
  ['thinking_delta', { type: 'reasoning', text: '' }],
])

/** Says of an event that a signature may follow, so that the thoughts need not wait for it. */
const liveHint = { extra: hintedExtra(DIALECT_SLOT, { signatureFollows: true }) }

/** Reads the events of a streamed message. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  const message = new StreamMessageReader(options)
  return { read: (wire) => message.read(wire), end: () => [] }
}

class StreamMessageReader {
  readonly #options: DecodeOptions
  readonly #renamedTools: RenamedTools
  #usage: JsonObject = {}
  #blocks = new Map<number, OpenBlock>()
  /** Whether a tool of the application was called. */
  #hasToolCalls = false

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#renamedTools = collectRenamedTools(options.request, toolNameRule)
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const { type, message, delta, usage, index, content_block: block } = wire
    if (type === 'message_start') return isObject(message) ? this.#start(message) : []
    if (type === 'message_delta')
      return [...createFinishEvents(delta, this.#hasToolCalls), ...this.#readUsage(usage)]
    if (!Number.isSafeInteger(index) || (index as number) < 0) return []
    const at = index as number
    if (type === 'content_block_start' && block !== undefined) return this.#open(at, block)
    if (type === 'content_block_stop') return this.#close(at)
    return type === 'content_block_delta' && isObject(delta) ? this.#grow(at, delta) : []
  }

  /** A message that starts again begins anew. Some are told whole, so that what they hold is done at once. */
  #start(message: JsonObject): readonly ChatEvent[] {
    const { content, usage } = message
    this.#usage = {}
    this.#blocks = new Map()
    this.#hasToolCalls = false
    return [
      { type: 'start', ...decodeResponseMetadata(message) },
      ...itemsOf(content).flatMap((block, index): ChatEvent[] => {
        const part = restoreToolName(decodeAssistantPart(block), this.#renamedTools, DIALECT_SLOT)
        this.#hasToolCalls ||= isApplicationCall(part)
        this.#blocks.set(index, { part, isBlank: false, isSigned: true, isEnded: true })
        return [
          { type: 'part-start', index, part },
          { type: 'part-end', index },
        ]
      }),
      ...createFinishEvents(message, this.#hasToolCalls),
      ...this.#readUsage(usage),
    ]
  }

  /** Counters are cumulative; null means that nothing changed. */
  #readUsage(wire: Json | undefined): readonly ChatEvent[] {
    if (!isObject(wire)) return []
    const stated = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null))
    this.#usage = { ...this.#usage, ...stated }
    const total = decodeUsage(this.#usage)
    return total === undefined ? [] : [{ type: 'usage', usage: total }]
  }

  #open(index: number, wire: Json): readonly ChatEvent[] {
    if (this.#blocks.has(index)) return []
    const read = restoreToolName(decodeAssistantPart(wire), this.#renamedTools, DIALECT_SLOT)
    const part = createOpeningPart(read)
    this.#hasToolCalls ||= isApplicationCall(part)
    const thoughts = part.type === 'reasoning' && !part.redacted
    const signature = thoughts ? read.signature : undefined
    this.#blocks.set(index, {
      part,
      ...(part.type === 'tool-call' && { arguments: new StreamArguments(this.#options.limits) }),
      isBlank: part.type === 'text' && part.text.trim() === '',
      isSigned: !thoughts || signature !== undefined,
      isEnded: false,
    })
    return [
      { type: 'part-start', index, part, ...(thoughts && liveHint) },
      ...(signature === undefined ? [] : createSignatureEvents(signature.value, index)),
    ]
  }

  #grow(index: number, delta: JsonObject): readonly ChatEvent[] {
    const blank = this.#blocks.has(index) ? undefined : blankPartsByDelta.get(delta['type'])
    const begun = blank && { part: blank, isBlank: true, isSigned: false, isEnded: false }
    const known = this.#blocks.get(index) ?? begun
    if (known === undefined || known.isEnded) return []
    const pieces = readDelta(delta, index, known)
    if (blank === undefined || pieces.length === 0) return pieces
    this.#blocks.set(index, known)
    return [
      { type: 'part-start', index, part: blank, ...(blank.type === 'reasoning' && liveHint) },
      ...pieces,
    ]
  }

  #close(index: number): readonly ChatEvent[] {
    const block = this.#blocks.get(index)
    if (block === undefined || block.isEnded) return []
    block.isEnded = true
    return [{ type: 'part-end', index, ...createEndForm(block) }]
  }
}

function createFinishEvents(wire: Json | undefined, calls: boolean): readonly ChatEvent[] {
  const finish = decodeFinishWithCalls(wire, calls)
  return finish === undefined ? [] : [{ type: 'finish', finish }]
}

/** An open block has the form hints of an empty one, and a signature that vouches for less: the finished part must not. */
function createOpeningPart(part: AssistantPart): AssistantPart {
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  if (part.type === 'reasoning' && part.redacted) return part
  const { extra: _extra, signature: _signature, ...rest } = part
  return rest
}

/** A signature vouches for the whole part, whenever it comes. */
function createSignatureEvents(value: string, index: number): readonly ChatEvent[] {
  return [{ type: 'part-update', index, signature: { vendor: VENDOR, value } }]
}

/** The form hints of a part that ended as it should not: blank, or without its signature. */
function createEndForm({ part, isBlank, isSigned }: OpenBlock): Pick<PartEndEvent, 'part'> {
  if (part.type === 'text' && isBlank)
    return { part: { ...part, extra: hintedExtra(DIALECT_SLOT, { emptyText: true }) } }
  if (part.type === 'reasoning' && !isSigned)
    return { part: { ...part, extra: hintedExtra(DIALECT_SLOT, { missingSignature: true }) } }
  return {}
}

/** What a delta says of its block; nothing where the block has no place for it. */
function readDelta(delta: JsonObject, index: number, block: OpenBlock): readonly ChatEvent[] {
  const { type, text, thinking, partial_json: json, signature, citation } = delta
  const kind = block.part.type
  if (type === 'text_delta' && typeof text === 'string' && kind === 'text') {
    block.isBlank &&= text.trim() === ''
    return [{ type: 'text-delta', index, text }]
  }
  if (type === 'thinking_delta' && typeof thinking === 'string' && kind === 'reasoning')
    return [{ type: 'reasoning-delta', index, text: thinking }]
  if (type === 'input_json_delta' && typeof json === 'string' && block.arguments !== undefined)
    return [block.arguments.append(index, json)]
  if (
    type === 'signature_delta' &&
    typeof signature === 'string' &&
    kind === 'reasoning' &&
    signature !== ''
  ) {
    block.isSigned = true
    return createSignatureEvents(signature, index)
  }
  if (type !== 'citations_delta' || citation === undefined || kind !== 'text') return []
  return [{ type: 'part-update', index, citations: [decodeCitation(citation, 'response')] }]
}

/** The kind of a wire event is its type. */
export function wireEventType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
