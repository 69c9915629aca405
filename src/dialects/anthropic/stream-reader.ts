import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, isSafeInteger, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import {
  collectOriginalPropertyKeys,
  OriginalArgumentsReader,
  type OriginalPropertyKeys,
} from '../shared/property-keys.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { decodeCitation } from './citations.ts'
import { DIALECT_VENDOR, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { claudePropertyKeyRule, createClaudeCallRestorer } from '../shared/claude-tools.ts'
import { decodeFinishWithCalls, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { decodeAssistantPart } from './parts.ts'
import { createHintExtra } from '../engine/residue-slots.ts'

/** A block of the message that is being read. */
interface OpenBlock {
  /** The part as `content_block_start` contained it. */
  readonly part: AssistantPart
  readonly arguments?: OriginalArgumentsReader
  /** True if its text so far is only white space. */
  isBlank: boolean
  isSigned: boolean
  isEnded: boolean
}

/** The part that a delta opens if its block was never opened, by the type of the delta. */
const blankPartsByDelta: ReadonlyMap<Json | undefined, AssistantPart> = new Map([
  ['text_delta', { type: 'text', text: '' }],
  ['thinking_delta', { type: 'reasoning', text: '' }],
])

/** The hint that a signature may follow: a writer need not wait for it before it streams the reasoning. */
const signatureFollowsHint = { extra: createHintExtra(DIALECT_SLOT, { signatureFollows: true }) }

/** Creates the reader of a streamed message. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return new StreamMessageReader(options)
}

class StreamMessageReader implements StreamReader {
  readonly #options: DecodeOptions
  readonly #restoreCall: ReturnType<typeof createClaudeCallRestorer>
  readonly #originalKeys: OriginalPropertyKeys
  #usage: JsonObject = {}
  #blocks = new Map<number, OpenBlock>()
  #hasToolCalls = false

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#restoreCall = createClaudeCallRestorer(options.request, DIALECT_SLOT, toolNameRule)
    this.#originalKeys = collectOriginalPropertyKeys(options.request, claudePropertyKeyRule)
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const { type, message, delta, usage, index, content_block: block } = wire
    if (type === 'message_start') return isObject(message) ? this.#start(message) : []
    if (type === 'message_delta')
      return [...createFinishEvents(delta, this.#hasToolCalls), ...this.#readUsage(usage)]
    if (!isSafeInteger(index) || index < 0) return []
    if (type === 'content_block_start' && block !== undefined) return this.#open(index, block)
    if (type === 'content_block_stop') return this.#close(index)
    return type === 'content_block_delta' && isObject(delta) ? this.#grow(index, delta) : []
  }

  end(): readonly ChatEvent[] {
    return []
  }

  /** Starts a message and discards an earlier one. Some hosts send the complete message in this event. */
  #start(message: JsonObject): readonly ChatEvent[] {
    const { content, usage } = message
    this.#usage = {}
    this.#blocks = new Map()
    this.#hasToolCalls = false
    return [
      { type: 'start', ...decodeResponseMetadata(message) },
      ...itemsOf(content).flatMap((block, index): ChatEvent[] => {
        const part = this.#decodePart(block)
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

  #decodePart(block: Json): AssistantPart {
    const part = this.#restoreCall(decodeAssistantPart(block))
    this.#hasToolCalls ||= isApplicationCall(part)
    return part
  }

  /** Reads usage. Counters are cumulative; null means that a counter has not changed. */
  #readUsage(wire: Json | undefined): readonly ChatEvent[] {
    if (!isObject(wire)) return []
    const changed = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null))
    this.#usage = { ...this.#usage, ...changed }
    const total = decodeUsage(this.#usage)
    return total === undefined ? [] : [{ type: 'usage', usage: total }]
  }

  #open(index: number, wire: Json): readonly ChatEvent[] {
    if (this.#blocks.has(index)) return []
    const decoded = this.#decodePart(wire)
    const part = createOpeningPart(decoded)
    const isVisibleReasoning = part.type === 'reasoning' && !part.redacted
    const signature = isVisibleReasoning ? decoded.signature : undefined
    this.#blocks.set(index, {
      part,
      ...(part.type === 'tool-call' && {
        arguments: new OriginalArgumentsReader(this.#originalKeys.get(part.name), this.#options.limits),
      }),
      isBlank: part.type === 'text' && part.text.trim() === '',
      isSigned: !isVisibleReasoning || signature !== undefined,
      isEnded: false,
    })
    return [
      { type: 'part-start', index, part, ...(isVisibleReasoning && signatureFollowsHint) },
      ...(signature === undefined ? [] : createSignatureEvents(signature.value, index)),
    ]
  }

  #grow(index: number, delta: JsonObject): readonly ChatEvent[] {
    const blank = this.#blocks.has(index) ? undefined : blankPartsByDelta.get(delta['type'])
    const opened = blank && { part: blank, isBlank: true, isSigned: false, isEnded: false }
    const known = this.#blocks.get(index) ?? opened
    if (known === undefined || known.isEnded) return []
    const events = readDelta(delta, index, known)
    if (blank === undefined || events.length === 0) return events
    this.#blocks.set(index, known)
    return [
      { type: 'part-start', index, part: blank, ...(blank.type === 'reasoning' && signatureFollowsHint) },
      ...events,
    ]
  }

  #close(index: number): readonly ChatEvent[] {
    const block = this.#blocks.get(index)
    if (block === undefined || block.isEnded) return []
    block.isEnded = true
    return [...(block.arguments?.end(index) ?? []), { type: 'part-end', index, ...createEndForm(block) }]
  }
}

function createFinishEvents(wire: Json | undefined, hasToolCalls: boolean): readonly ChatEvent[] {
  const finish = decodeFinishWithCalls(wire, hasToolCalls)
  return finish === undefined ? [] : [{ type: 'finish', finish }]
}

/** Removes the hints and the signature of an empty block, which the finished part must not keep. */
function createOpeningPart(part: AssistantPart): AssistantPart {
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  if (part.type === 'reasoning' && part.redacted) return part
  const { extra: _extra, signature: _signature, ...rest } = part
  return rest
}

/** Creates the update that signs a part. The signature covers the complete part, whenever it arrives. */
function createSignatureEvents(value: string, index: number): readonly ChatEvent[] {
  return [{ type: 'part-update', index, signature: { vendor: DIALECT_VENDOR, value } }]
}

/** Returns the hints of a part that ended blank or without its signature. */
function createEndForm({ part, isBlank, isSigned }: OpenBlock): Pick<PartEndEvent, 'part'> {
  if (part.type === 'text' && isBlank)
    return { part: { ...part, extra: createHintExtra(DIALECT_SLOT, { emptyText: true }) } }
  if (part.type === 'reasoning' && !isSigned)
    return { part: { ...part, extra: createHintExtra(DIALECT_SLOT, { missingSignature: true }) } }
  return {}
}

/** Returns the events of a delta; none if the type of the block does not match. */
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
  if (type === 'citations_delta' && citation !== undefined && kind === 'text')
    return [{ type: 'part-update', index, citations: [decodeCitation(citation, 'response')] }]
  if (type !== 'signature_delta' || typeof signature !== 'string' || signature === '' || kind !== 'reasoning')
    return []
  block.isSigned = true
  return createSignatureEvents(signature, index)
}

export function wireEventType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
