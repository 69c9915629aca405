import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart, Signature } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { hintedExtra, getHints } from '../engine/residue-slots.ts'
import { pushAll } from '../engine/stream-frames.ts'
import { type RenamedTools, restoreToolName } from '../shared/tool-names.ts'
import { StreamArguments } from '../shared/stream-arguments.ts'
import { type CallIdResolver, createCallIdResolver } from './call-ids.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeFinishWithCalls } from './response-metadata.ts'
import { decodeCitations } from './citations.ts'
import { toList, decodeParts } from './messages.ts'
import { PartialArguments } from './partial-arguments.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** A call that is streamed in pieces. */
interface PartialCall {
  readonly index: number
  readonly args: PartialArguments
}

/** The text or reasoning that is being read. */
interface OpenText {
  readonly type: 'text' | 'reasoning'
  readonly index: number
}

/** A piece of text or reasoning. */
interface TextPiece {
  readonly type: OpenText['type']
  readonly text: string
}

/** Reads one candidate of a stream. It tracks the open part, the next index and the texts so far. */
export class StreamCandidateReader {
  readonly #candidate: number
  readonly #callIds: CallIdResolver
  readonly #renamedTools: RenamedTools
  readonly #limits: StreamLimits | undefined
  readonly #texts = new Map<number, string>()
  readonly #signatures = new Map<number, Signature>()
  readonly #cited = new Set<string>()
  #parts = 0
  #calls = 0
  /** The open text or reasoning; at most one is open. */
  #open: OpenText | undefined
  #call: PartialCall | undefined
  /** Complete texts whose end event is delayed, since citations of them may still follow. */
  #ending: number[] = []

  constructor(
    candidate: number,
    idSeed: string,
    renamedTools: RenamedTools,
    limits: StreamLimits | undefined,
  ) {
    this.#candidate = candidate
    this.#callIds = createCallIdResolver(idSeed)
    this.#renamedTools = renamedTools
    this.#limits = limits
  }

  /** Reads the fields of a chunk that belong to this candidate. */
  read({ content, finishReason, groundingMetadata }: JsonObject): readonly ChatEvent[] {
    const { parts } = isObject(content) ? content : {}
    const events: ChatEvent[] = []
    for (const part of toList(parts) ?? []) pushAll(events, this.#readPart(part))
    if (groundingMetadata !== undefined) pushAll(events, this.#readCitations(groundingMetadata))
    const finish = decodeFinishWithCalls(finishReason, this.#calls > 0)
    if (finish !== undefined) pushAll(events, [...this.#closeOpen(), { type: 'finish', finish }])
    return this.#setCandidate(events)
  }

  /** Ends the open parts. */
  close(): readonly ChatEvent[] {
    return this.#setCandidate(this.#closeOpen())
  }

  #setCandidate(events: readonly ChatEvent[]): readonly ChatEvent[] {
    return this.#candidate === 0 ? events : events.map((event) => ({ ...event, candidate: this.#candidate }))
  }

  /** Ends the open parts. Texts end when a part of another type follows. */
  #closeOpen(isText = false): ChatEvent[] {
    const events = this.#endCall()
    const open = this.#open
    this.#open = undefined
    if (open?.type === 'text') this.#ending.push(open.index)
    if (!isText) pushAll(events, this.#ending.splice(0).map(createEndEvent))
    if (open?.type === 'reasoning') events.push(createEndEvent(open.index))
    return events
  }

  #readPart(wire: Json): ChatEvent[] {
    const textPiece = getTextPiece(wire)
    if (textPiece !== undefined) return this.#grow(textPiece, wire)
    const callPiece = isObject(wire) ? toCamelCaseKeys(wire)['functionCall'] : undefined
    const callEvents = isObject(callPiece) ? this.#readCallPiece(toCamelCaseKeys(callPiece), wire) : undefined
    if (callEvents !== undefined) return callEvents
    const part = this.#decodePart(wire)
    if (part === undefined) return []
    if (isApplicationCall(part)) this.#calls += 1
    return [...this.#closeOpen(part.type === 'text'), ...this.#addCompletePart(part)]
  }

  #decodePart(wire: Json): AssistantPart | undefined {
    const [part] = decodeParts([wire], 'response', this.#callIds, this.#calls === 0) as AssistantPart[]
    return part && restoreToolName(part, this.#renamedTools, DIALECT_SLOT)
  }

  /** Adds text to the open part, or opens a part. */
  #grow({ type, text }: TextPiece, wire: Json): ChatEvent[] {
    if (this.#open?.type === type) return [this.#delta(this.#open, text)]
    // The last chunk often contains only an empty text, which opens no part.
    const part = text === '' ? undefined : this.#decodePart(wire)
    if (part?.type !== type) return []
    const closed = this.#closeOpen(type === 'text')
    const open = { type, index: this.#parts++ }
    this.#open = open
    const start: ChatEvent = { type: 'part-start', index: open.index, part: { ...part, text: '' } }
    return [...closed, start, this.#delta(open, text)]
  }

  #delta({ type, index }: OpenText, text: string): ChatEvent {
    if (type === 'text') this.#texts.set(index, (this.#texts.get(index) ?? '') + text)
    return { type: `${type}-delta`, index, text }
  }

  /** Adds a complete part; its text or arguments become one delta. */
  #addCompletePart(part: AssistantPart): ChatEvent[] {
    const index = this.#parts++
    if (part.signature !== undefined) this.#signatures.set(index, part.signature)
    if (part.type === 'text') this.#texts.set(index, part.text)
    const end = createEndEvent(index)
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.type === 'text') this.#ending.push(index)
      const start: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } }
      const delta: ChatEvent = { type: `${part.type}-delta`, index, text: part.text }
      return part.type === 'text' ? [start, delta] : [start, delta, end]
    }
    const json = part.type === 'tool-call' ? stringifyArguments(part) : '{}'
    if (part.type !== 'tool-call' || json === '{}') return [{ type: 'part-start', index, part }, end]
    const start: ChatEvent = { type: 'part-start', index, part: { ...part, arguments: {} } }
    return [start, new StreamArguments(this.#limits).append(index, json), end]
  }

  /**
   * Reads a piece of a call. A piece with a name opens the call; the first piece without `willContinue` ends
   * it.
   */
  #readCallPiece({ name, partialArgs, willContinue }: JsonObject, wire: Json): ChatEvent[] | undefined {
    const isOpening = typeof name === 'string' && name !== ''
    if (isOpening && willContinue !== true && partialArgs === undefined) return undefined
    if (!isOpening && this.#call === undefined) return undefined
    const opened = isOpening ? this.#beginCall(wire) : []
    for (const each of isList(partialArgs) ? partialArgs : []) this.#call?.args.add(each)
    return [...opened, ...(willContinue === true ? [] : this.#endCall())]
  }

  #beginCall(wire: Json): ChatEvent[] {
    const closed = this.#closeOpen()
    const decoded = this.#decodePart(wire)
    if (decoded?.type !== 'tool-call') return closed
    this.#calls += 1
    const index = this.#parts++
    this.#call = { index, args: new PartialArguments(this.#limits) }
    const { type, id, name, signature } = decoded
    const hints = getHints(decoded, DIALECT_SLOT)
    const extra = Object.keys(hints).length === 0 ? {} : { extra: hintedExtra(DIALECT_SLOT, hints) }
    const part: ToolCallPart = { type, id, name, arguments: {}, ...extra }
    // The content that the signature covers is not yet known.
    const signed: readonly ChatEvent[] =
      signature === undefined ? [] : [{ type: 'part-update', index, signature }]
    return [...closed, { type: 'part-start', index, part }, ...signed]
  }

  #endCall(): ChatEvent[] {
    if (this.#call === undefined) return []
    const { index, args } = this.#call
    this.#call = undefined
    const json = JSON.stringify(args.value)
    const deltas: ChatEvent[] =
      json === '{}' ? [] : [{ type: 'arguments-delta', index, json, value: args.value }]
    return [...deltas, createEndEvent(index)]
  }

  /**
   * Reads the citations that are new. The signature is repeated with them, since they are part of the content
   * that it covers.
   */
  #readCitations(metadata: Json): ChatEvent[] {
    const texts = [...this.#texts].map(([index, text]) => ({ index, text }))
    const added = decodeCitations(metadata, texts).cited.filter(({ index, citation }) => {
      const { url, title, start, end } = citation
      const key = JSON.stringify([index, url, title, start, end])
      return !this.#cited.has(key) && this.#cited.add(key)
    })
    const indexes = [...new Set(added.map(({ index }) => index))]
    return indexes.map((index) => {
      const signature = this.#signatures.get(index)
      const citations = added.filter((each) => each.index === index).map(({ citation }) => citation)
      return { type: 'part-update', index, citations, ...(signature && { signature }) }
    })
  }
}

function createEndEvent(index: number): ChatEvent {
  return { type: 'part-end', index }
}

/**
 * Returns the text of a wire part with no other fields; a text with a signature or other fields is a part of
 * its own.
 */
function getTextPiece(wire: Json): TextPiece | undefined {
  if (!isObject(wire)) return undefined
  const { text, thought } = wire
  const size = thought === true ? 2 : 1
  if (typeof text !== 'string' || Object.keys(wire).length !== size) return undefined
  return { type: thought === true ? 'reasoning' : 'text', text }
}
