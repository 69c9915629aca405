import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart, Signature, TextPart } from '../../canonical/model/part.ts'
import { isEmptyObject, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { joinEach, joinLists } from '../engine/join-lists.ts'
import { type OriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import { type CallIdResolver, createCallIdResolver } from './call-ids.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeFinishWithCalls } from './response-metadata.ts'
import { decodeCitations } from './citations.ts'
import { toPartList } from './messages.ts'
import { decodePart } from './parts.ts'
import { PartialArguments } from './partial-arguments.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** A signature that arrives before the content that it covers is complete. */
type ArrivingSignature = Omit<Signature, 'contentDigest'>

/** A piece of text or reasoning. */
interface TextPiece {
  readonly type: 'text' | 'reasoning'
  readonly text: string
}

/** Reads one candidate of a stream. It tracks the open part, the next index and the texts so far. */
export class StreamCandidateReader {
  readonly #candidate: number
  readonly #callIds: CallIdResolver
  readonly #renamedTools: OriginalToolNames
  readonly #limits: StreamLimits | undefined
  readonly #texts = new Map<number, string>()
  readonly #signatures = new Map<number, ArrivingSignature>()
  readonly #cited = new Set<string>()
  #parts = 0
  #calls = 0
  /** The open text or reasoning; at most one is open. */
  #open: { readonly type: TextPiece['type']; readonly index: number } | undefined
  /** The open call, which is streamed in pieces. */
  #call: { readonly index: number; readonly args: PartialArguments } | undefined
  /** Complete texts whose end event is delayed, since citations of them may still follow. */
  #ending: number[] = []

  constructor(candidate: number, idSeed: string, renamedTools: OriginalToolNames, options: DecodeOptions) {
    this.#candidate = candidate
    this.#callIds = createCallIdResolver(options, idSeed)
    this.#renamedTools = renamedTools
    this.#limits = options.limits
  }

  /** Reads the fields of a chunk that belong to this candidate. */
  read({ content, finishReason, groundingMetadata }: JsonObject): readonly ChatEvent[] {
    const { parts } = isObject(content) ? content : {}
    let events = joinEach(toPartList(parts) ?? [], (part) => this.#readPart(part))
    if (groundingMetadata !== undefined) events = joinLists(events, this.#readCitations(groundingMetadata))
    const finish = decodeFinishWithCalls(finishReason, this.#calls > 0)
    if (finish !== undefined) events = [...events, ...this.#closeOpen(), { type: 'finish', finish }]
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
    if (isApplicationCall(part)) this.#calls += 1
    return [...this.#closeOpen(part.type === 'text'), ...this.#addCompletePart(part)]
  }

  #decodePart(wire: Json): AssistantPart {
    const isFirstCall = this.#calls === 0
    const part = decodePart(wire, { location: 'response', callIds: this.#callIds, isFirstCall })
    return restoreToolName(part as AssistantPart, this.#renamedTools, DIALECT_SLOT)
  }

  /** Adds text to the open part, or opens a part. */
  #grow(piece: TextPiece, wire: Json): ChatEvent[] {
    const { type, text } = piece
    if (this.#open?.type === type) return [this.#addText(piece, this.#open.index)]
    // The last chunk often contains only an empty text, which opens no part.
    const part = text === '' ? undefined : this.#decodePart(wire)
    if (part?.type !== type) return []
    const closed = this.#closeOpen(type === 'text')
    const index = this.#parts++
    this.#open = { type, index }
    return [...closed, createTextStart(index, part), this.#addText(piece, index)]
  }

  #addText({ type, text }: TextPiece, index: number): ChatEvent {
    if (type === 'text') this.#texts.set(index, (this.#texts.get(index) ?? '') + text)
    return { type: `${type}-delta`, index, text }
  }

  /** Adds a complete part; its text or arguments become one delta. */
  #addCompletePart(part: AssistantPart): ChatEvent[] {
    const index = this.#parts++
    if (part.signature !== undefined) this.#signatures.set(index, withoutDigest(part.signature))
    const end = createEndEvent(index)
    if (part.type === 'text' || part.type === 'reasoning') {
      const events = [createTextStart(index, part), this.#addText(part, index)]
      if (part.type === 'text') this.#ending.push(index)
      else events.push(end)
      return events
    }
    const json = part.type === 'tool-call' ? stringifyArguments(part) : '{}'
    if (part.type !== 'tool-call' || json === '{}') return [{ type: 'part-start', index, part }, end]
    const start: ChatEvent = { type: 'part-start', index, part: { ...part, arguments: {} } }
    return [start, new StreamArgumentsReader(this.#limits).append(index, json), end]
  }

  /** Reads a piece of a call. A piece with a name opens the call; one without `willContinue` ends it. */
  #readCallPiece({ name, partialArgs, willContinue }: JsonObject, wire: Json): ChatEvent[] | undefined {
    const isOpening = typeof name === 'string' && name !== ''
    if (isOpening && willContinue !== true && partialArgs === undefined) return undefined
    if (!isOpening && this.#call === undefined) return undefined
    const opened = isOpening ? this.#beginCall(wire) : []
    for (const each of itemsOf(partialArgs)) this.#call?.args.add(each)
    return [...opened, ...(willContinue === true ? [] : this.#endCall())]
  }

  #beginCall(wire: Json): ChatEvent[] {
    const closed = this.#closeOpen()
    const decoded = this.#decodePart(wire)
    if (decoded.type !== 'tool-call') return closed
    this.#calls += 1
    const index = this.#parts++
    this.#call = { index, args: new PartialArguments(this.#limits) }
    const { type, id, name, signature } = decoded
    const hints = getHints(decoded, DIALECT_SLOT)
    const extra = isEmptyObject(hints) ? {} : { extra: createHintExtra(DIALECT_SLOT, hints) }
    const part = { type, id, name, arguments: {}, ...extra }
    // The content that the signature covers is not yet known.
    const signed: readonly ChatEvent[] =
      signature === undefined ? [] : [{ type: 'part-update', index, signature: withoutDigest(signature) }]
    return [...closed, { type: 'part-start', index, part }, ...signed]
  }

  #endCall(): ChatEvent[] {
    if (this.#call === undefined) return []
    const { index, args } = this.#call
    this.#call = undefined
    const { value } = args
    const end = createEndEvent(index)
    if (isEmptyObject(value)) return [end]
    return [{ type: 'arguments-delta', index, json: JSON.stringify(value), value }, end]
  }

  /** Reads the citations that are new. The signature is repeated with them, since it covers them. */
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

function createTextStart(index: number, part: TextPart | ReasoningPart): ChatEvent {
  return { type: 'part-start', index, part: { ...part, text: '' } }
}

function withoutDigest({ vendor, value }: Signature): ArrivingSignature {
  return { vendor, value }
}

function createEndEvent(index: number): ChatEvent {
  return { type: 'part-end', index }
}

/** Returns the text of a wire part with no other fields; a text with other fields is a part of its own. */
function getTextPiece(wire: Json): TextPiece | undefined {
  if (!isObject(wire)) return undefined
  const { text, thought } = wire
  const isThought = thought === true
  if (typeof text !== 'string' || Object.keys(wire).length !== (isThought ? 2 : 1)) return undefined
  return { type: isThought ? 'reasoning' : 'text', text }
}
