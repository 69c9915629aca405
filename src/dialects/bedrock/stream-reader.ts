import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import { isList, isObject, isSafeInteger, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import {
  collectOriginalPropertyKeys,
  OriginalArgumentsReader,
  type OriginalPropertyKeys,
} from '../shared/property-keys.ts'
import { decodeCitation } from './citations.ts'
import {
  DIALECT_SLOT,
  DIALECT_VENDOR,
  getSignatureVendor,
  mediaFormatTables,
  toolNameRule,
} from './constants.ts'
import { claudePropertyKeyRule, createClaudeCallRestorer } from '../shared/claude-tools.ts'
import { getBlockKey } from './part-context.ts'
import { decodeAssistantPart } from './parts.ts'
import { decodeResponseMetadata, decodeFinishWithCalls, decodeUsage } from './response-metadata.ts'

/** A block of the message that is being read. */
interface OpenBlock {
  /** The part as it was opened. */
  readonly part: AssistantPart
  readonly arguments?: OriginalArgumentsReader
  /** The content of a tool result so far. */
  readonly resultContent: Json[]
  /** The pieces of redacted reasoning so far, each in base64. */
  readonly redactedPieces: string[]
  /** True if its text so far is only white space. */
  isBlank: boolean
  isSigned: boolean
  isEnded: boolean
}

/** The hint that a signature may follow: a writer need not wait for it before it streams the reasoning. */
const signatureFollowsHint = { extra: createHintExtra(DIALECT_SLOT, { signatureFollows: true }) }

/** Creates the reader of a streamed message. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return new StreamMessageReader(options)
}

/** Returns the type of a wire event: its only key. */
export function wireEventType(wire: JsonObject): string {
  return getBlockKey(wire) ?? ''
}

class StreamMessageReader implements StreamReader {
  readonly #options: DecodeOptions
  readonly #vendor: string
  readonly #restoreCall: ReturnType<typeof createClaudeCallRestorer>
  readonly #originalKeys: OriginalPropertyKeys
  #blocks = new Map<number, OpenBlock>()
  #hasToolCalls = false

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#vendor = getSignatureVendor(options.request?.model)
    this.#restoreCall = createClaudeCallRestorer(options.request, DIALECT_SLOT, toolNameRule)
    this.#originalKeys = collectOriginalPropertyKeys(options.request, claudePropertyKeyRule)
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const kind = wireEventType(wire)
    const value = wire[kind]
    if (!isObject(value)) return []
    const { contentBlockIndex: index, start, delta, usage } = value
    if (kind === 'messageStart') return this.#start()
    if (kind === 'messageStop') return this.#finish(value)
    if (kind === 'metadata') {
      const decoded = decodeUsage(usage)
      return decoded === undefined ? [] : [{ type: 'usage', usage: decoded }]
    }
    if (!isSafeInteger(index) || index < 0) return []
    if (kind === 'contentBlockStop') return this.#close(index)
    if (kind === 'contentBlockStart') return isObject(start) ? this.#open(index, start) : []
    return kind === 'contentBlockDelta' && isObject(delta) ? this.#grow(index, delta) : []
  }

  end(): readonly ChatEvent[] {
    return []
  }

  /** Starts a message and discards an earlier one. */
  #start(): readonly ChatEvent[] {
    this.#blocks = new Map()
    this.#hasToolCalls = false
    return [{ type: 'start', ...decodeResponseMetadata(this.#options) }]
  }

  #finish(wire: JsonObject): readonly ChatEvent[] {
    const finish = decodeFinishWithCalls(wire, this.#hasToolCalls)
    return finish === undefined ? [] : [{ type: 'finish', finish }]
  }

  #open(index: number, start: JsonObject): readonly ChatEvent[] {
    const opened = this.#blocks.has(index) ? undefined : decodeStart(start, this.#vendor)
    if (opened === undefined) return []
    const part = this.#restoreCall(opened)
    this.#hasToolCalls ||= isApplicationCall(part)
    this.#addBlock(index, part)
    return [{ type: 'part-start', index, part }]
  }

  #addBlock(index: number, part: AssistantPart): OpenBlock {
    const block: OpenBlock = {
      part,
      ...(part.type === 'tool-call' && {
        arguments: new OriginalArgumentsReader(this.#originalKeys.get(part.name), this.#options.limits),
      }),
      resultContent: [],
      redactedPieces: [],
      isBlank: part.type === 'text',
      isSigned: part.type !== 'reasoning' || part.redacted === true,
      isEnded: false,
    }
    this.#blocks.set(index, block)
    return block
  }

  /** Reads a delta, which opens the block of text or reasoning. */
  #grow(index: number, delta: JsonObject): readonly ChatEvent[] {
    const known = this.#blocks.get(index)
    const part = known === undefined ? createPartForDelta(delta) : undefined
    if (known?.isEnded || (known === undefined && part === undefined)) return []
    const block = known ?? this.#addBlock(index, part as AssistantPart)
    const events = this.#readDelta(index, delta, block)
    if (part === undefined) return events
    if (events.length === 0) this.#blocks.delete(index)
    const isSignatureLater = part.type === 'reasoning' && !part.redacted
    return events.length === 0
      ? []
      : [{ type: 'part-start', index, part, ...(isSignatureLater && signatureFollowsHint) }, ...events]
  }

  /** Returns the events of a delta; none if the type of the block does not match. */
  #readDelta(index: number, delta: JsonObject, block: OpenBlock): readonly ChatEvent[] {
    const { text, toolUse, toolResult, reasoningContent, citation, image } = delta
    const { type } = block.part
    if (typeof text === 'string' && type === 'text') {
      block.isBlank &&= text.trim() === ''
      return [{ type: 'text-delta', index, text }]
    }
    if (isObject(citation) && type === 'text')
      return [{ type: 'part-update', index, citations: [decodeCitation(citation)] }]
    if (isObject(reasoningContent)) return this.#readReasoning(index, reasoningContent, block)
    const json = isObject(toolUse) ? toolUse['input'] : undefined
    if (typeof json === 'string' && block.arguments !== undefined)
      return [block.arguments.append(index, json)]
    if (isList(toolResult) && type === 'tool-result') {
      for (const each of toolResult) block.resultContent.push(each)
      return [{ type: 'part-update', index }]
    }
    const source = isObject(image) ? image['source'] : undefined
    const data = isObject(source) ? source['bytes'] : undefined
    return typeof data === 'string' && type === 'image' ? [{ type: 'media-delta', index, data }] : []
  }

  #readReasoning(index: number, delta: JsonObject, block: OpenBlock): readonly ChatEvent[] {
    const { text, signature, redactedContent } = delta
    const { part } = block
    if (part.type !== 'reasoning') return []
    const value = part.redacted ? redactedContent : signature
    if (typeof value === 'string' && value !== '') {
      block.isSigned = true
      if (part.redacted) block.redactedPieces.push(value)
      // Redacted reasoning in several pieces is complete when its block ends.
      if (block.redactedPieces.length > 1) return [{ type: 'part-update', index }]
      return [this.#createSignatureEvent(index, value)]
    }
    return typeof text === 'string' && !part.redacted ? [{ type: 'reasoning-delta', index, text }] : []
  }

  #createSignatureEvent(index: number, value: string): ChatEvent {
    return { type: 'part-update', index, signature: { vendor: this.#vendor, value } }
  }

  #close(index: number): readonly ChatEvent[] {
    const block = this.#blocks.get(index)
    if (block === undefined || block.isEnded) return []
    block.isEnded = true
    return [
      ...(block.arguments?.end(index) ?? []),
      ...(block.redactedPieces.length > 1
        ? [this.#createSignatureEvent(index, joinBase64(block.redactedPieces))]
        : []),
      { type: 'part-end', index, ...this.#createEndForm(block) },
    ]
  }

  /** Returns the complete result, or the hints of a part that ended blank or without its signature. */
  #createEndForm({
    part,
    isBlank,
    isSigned,
    resultContent,
  }: OpenBlock): Pick<PartEndEvent, 'part' | 'replaces'> {
    if (part.type === 'tool-result' && resultContent.length > 0)
      return { part: { ...part, content: [{ type: 'json', value: resultContent }] }, replaces: true }
    if (part.type === 'text' && isBlank)
      return { part: { ...part, extra: createHintExtra(DIALECT_SLOT, { emptyText: true }) } }
    if (part.type !== 'reasoning') return {}
    if (!isSigned)
      return { part: { ...part, extra: createHintExtra(DIALECT_SLOT, { missingSignature: true }) } }
    return this.#vendor === DIALECT_VENDOR
      ? {}
      : { part: { ...part, extra: createHintExtra(DIALECT_SLOT, { hostSignature: true }) } }
  }
}

/** Joins the bytes of texts in base64. */
function joinBase64(pieces: readonly string[]): string {
  const chunks = pieces.map((piece) => fromBase64(piece) ?? new Uint8Array())
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return toBase64(bytes)
}

/** Decodes the part that an event opens; undefined for a block of an unknown type. */
function decodeStart(start: JsonObject, vendor: string): AssistantPart | undefined {
  const { toolUse, toolResult, image } = start
  if (isObject(image)) {
    const mediaType = mediaFormatTables.image.fromWire(image['format'])
    if (mediaType === undefined) return undefined
    return { type: 'image', source: { kind: 'base64', data: '', mediaType } }
  }
  const wire = isObject(toolUse)
    ? { toolUse: { ...toolUse, input: {} } }
    : isObject(toolResult)
      ? { toolResult: { ...toolResult, content: [] } }
      : undefined
  const part = wire && decodeAssistantPart(wire, vendor)
  return part?.type === 'opaque' ? undefined : part
}

/** Returns the empty part that a delta opens; undefined for a delta whose block an event must open. */
function createPartForDelta({ text, citation, reasoningContent }: JsonObject): AssistantPart | undefined {
  if (typeof text === 'string' || isObject(citation)) return { type: 'text', text: '' }
  if (!isObject(reasoningContent)) return undefined
  const isRedacted = typeof reasoningContent['redactedContent'] === 'string'
  return { type: 'reasoning', text: '', ...(isRedacted && { redacted: true }) }
}
