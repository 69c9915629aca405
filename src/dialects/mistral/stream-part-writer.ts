import type { ChatEvent, PartStartEvent, PartUpdateEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { noReport } from '../engine/encode-context.ts'
import { createPartKey, type PartKey } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, toolNameRule } from './constants.ts'

/** The form in which the deltas of a part are written: a string, a chunk of a list, or the arguments of a call. */
type DeltaTarget = 'text' | 'text-chunk' | 'thinking' | { readonly call: number }

/** Encodes the events of parts as deltas, and tracks the form of each part and the indexes of calls. */
export class StreamPartWriter {
  readonly #targets = new Map<PartKey, DeltaTarget>()
  readonly #callCounts = new Map<number, number>()

  has(event: ChatEvent & { readonly index: number }): boolean {
    return this.#targets.has(createPartKey(event))
  }

  /** Returns the index of the next call of a candidate. */
  nextCall(candidate: number): number {
    const position = this.#callCounts.get(candidate) ?? 0
    this.#callCounts.set(candidate, position + 1)
    return position
  }

  /** Returns whether a candidate calls tools that the application runs. */
  hasToolCalls(candidate: number): boolean {
    return this.#callCounts.has(candidate)
  }

  /** Encodes an event as a delta. */
  encodeDelta(event: ChatEvent): JsonObject {
    if (event.type === 'part-start') return this.#open(event)
    if (event.type === 'opaque') return isObject(event.value) ? event.value : {}
    const target = 'index' in event ? this.#targets.get(createPartKey(event)) : undefined
    if (target === undefined) return {}
    if (event.type === 'part-update') return encodeUpdate(event)
    if (typeof target === 'object')
      return event.type === 'arguments-delta'
        ? { tool_calls: [{ index: target.call, function: { arguments: event.json } }] }
        : {}
    if (!('text' in event)) return {}
    const chunk = { type: 'text', text: event.text }
    if (target === 'text') return { content: event.text }
    return { content: [target === 'thinking' ? { type: 'thinking', thinking: [chunk] } : chunk] }
  }

  #open(event: PartStartEvent): JsonObject {
    const { part, candidate = 0 } = event
    const key = createPartKey(event)
    if (part.type === 'tool-call') return this.#openCall(part, candidate, key)
    if (part.type === 'opaque') return { content: [part.value] }
    const isChunk = getHints(part, DIALECT_SLOT)['chunkList'] === true
    if (part.type === 'reasoning') this.#targets.set(key, 'thinking')
    else if ('text' in part) this.#targets.set(key, isChunk ? 'text-chunk' : 'text')
    return {}
  }

  #openCall(part: ToolCallPart, candidate: number, key: PartKey): JsonObject {
    const hints = getHints(part, DIALECT_SLOT)
    const name = encodeToolName(part.name, hints, toolNameRule, undefined, noReport)
    const call = this.nextCall(candidate)
    this.#targets.set(key, { call })
    return {
      tool_calls: [{ id: part.id, type: 'function', function: { name, arguments: '' }, index: call }],
    }
  }
}

/** Encodes the references of a text, and the signature of reasoning, as chunks. */
function encodeUpdate({ citations = [], signature }: PartUpdateEvent): JsonObject {
  const chunks: Json[] = citations.flatMap((citation) =>
    citation.type === 'opaque' && citation.dialect === DIALECT_SLOT ? [citation.value] : [],
  )
  if (signature?.vendor === DIALECT_VENDOR) chunks.push(createSignatureChunk(signature.value))
  return chunks.length === 0 ? {} : { content: chunks }
}

/** Returns the chunk that adds a signature to the thinking before it. */
export function createSignatureChunk(signature: string): JsonObject {
  return { type: 'thinking', thinking: [], signature }
}

/** Merges the content of the deltas of one chunk to a list; a signature belongs to the thinking before it. */
export function mergeContent(contents: readonly Json[]): Json {
  const merged: Json[] = []
  for (const content of contents) {
    const chunks = isList(content) ? content : content === '' ? [] : [{ type: 'text', text: content }]
    for (const chunk of chunks) {
      const last = merged.at(-1)
      if (isObject(last) && isSignatureOnly(chunk))
        merged[merged.length - 1] = { ...chunk, ...last, ...pickSignature(chunk) }
      else merged.push(chunk)
    }
  }
  return merged
}

function isSignatureOnly(chunk: Json): chunk is JsonObject {
  if (!isObject(chunk) || chunk['type'] !== 'thinking' || chunk['signature'] === undefined) return false
  return isList(chunk['thinking']) && chunk['thinking'].length === 0
}

function pickSignature({ signature = null }: JsonObject): JsonObject {
  return { signature }
}
