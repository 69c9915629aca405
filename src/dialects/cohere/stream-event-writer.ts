import type { ChatEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { encodeCitations } from './citations.ts'
import { CodePointOffsets } from './code-point-offsets.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { createThinkingBlock } from './reasoning.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { createTextBlock } from './text-blocks.ts'

/** The type of a wire event that the codec writes. */
export type WireEventType =
  | 'message-start'
  | 'content-start'
  | 'content-delta'
  | 'content-end'
  | 'tool-plan-delta'
  | 'tool-call-start'
  | 'tool-call-delta'
  | 'tool-call-end'
  | 'citation-start'
  | 'citation-end'
  | 'message-end'

/** Writes wire events from events and the positions of the parts that were written before. */
export class StreamEventWriter {
  /** The positions of blocks and calls by the index of their part. */
  readonly #positions = new Map<number, Json>()
  /** The texts that were written, by the position of their block. */
  readonly #texts = new Map<Json, CodePointOffsets>()
  #next = { content: 0, call: 0, citation: 0 }
  #pendingPart: number | undefined
  #isOwnFormat = false
  #hasCalls = false
  hasStarted = false
  hasEnded = false

  /** Returns true if the part was opened by a wire event. */
  isOpened(index: number): boolean {
    return this.#positions.has(index)
  }

  /** Returns the length of the text that was written of a part. */
  getTextLength(index: number): number {
    const position = this.#positions.get(index)
    return (position === undefined ? undefined : this.#texts.get(position))?.length ?? 0
  }

  /** Encodes the finish reason of the answer that was written. */
  encodeFinishReason(finish: Finish, path?: Path, context: EncodeContext = noReport): string {
    const stopped = { finish, hasToolCalls: this.#hasCalls, isOwnFormat: this.#isOwnFormat }
    return encodeFinish(stopped, path, context)
  }

  encodeFrame(kind: string, events: readonly ChatEvent[]): JsonObject {
    const last = events.at(-1)
    const index = last !== undefined && 'index' in last ? last.index : undefined
    const position = index === undefined ? undefined : this.#positions.get(index)
    switch (kind as WireEventType) {
      case 'message-start':
        return this.#encodeStart(events.find((event) => event.type === 'start'))
      case 'content-start':
        this.#pendingPart = index
        return wrap(kind, this.#next.content, { content: encodeBlockStart(findPart(events)) })
      case 'content-delta':
        return wrap(kind, position, { content: encodeContentDelta(events) })
      case 'content-end':
        return wrap(kind, position)
      case 'tool-plan-delta':
        return wrap(kind, undefined, { tool_plan: joinTexts(events) })
      case 'tool-call-start':
        this.#pendingPart = events.find((event) => event.type === 'part-start')?.index
        return wrap(kind, this.#next.call, { tool_calls: encodeCallStart(findPart(events), events) })
      case 'tool-call-delta':
        return wrap(kind, position, { tool_calls: { function: { arguments: joinArguments(events) } } })
      case 'tool-call-end':
        return wrap(kind, position)
      case 'citation-start':
        return wrap(kind, this.#next.citation, { citations: this.#encodeCitation(events, position) })
      case 'citation-end':
        return wrap(kind, Math.max(this.#next.citation - 1, 0))
      case 'message-end':
        return this.#encodeEnd(events)
    }
    return { type: kind }
  }

  recordWritten(wire: JsonObject): void {
    const { type, index, delta } = wire
    const message = readObject(readObject(delta)['message'])
    if (type === 'message-start') this.hasStarted = true
    if (type === 'message-end') this.hasEnded = true
    if (type === 'citation-start') this.#next.citation = toNext(index, this.#next.citation)
    if (type === 'content-start') this.#next.content = this.#record(index, this.#next.content)
    if (type === 'tool-call-start') {
      this.#next.call = this.#record(index, this.#next.call)
      this.#hasCalls = true
    }
    if (type === 'content-start' || type === 'content-delta')
      this.#recordText(index, readObject(message['content'])['text'])
  }

  #record(position: Json | undefined, next: number): number {
    if (this.#pendingPart !== undefined && position !== undefined)
      this.#positions.set(this.#pendingPart, position)
    this.#pendingPart = undefined
    return toNext(position, next)
  }

  #recordText(position: Json | undefined, text: Json | undefined): void {
    if (typeof text !== 'string' || position === undefined) return
    const known = this.#texts.get(position)
    if (known === undefined) this.#texts.set(position, new CodePointOffsets(text))
    else known.append(text)
  }

  #encodeStart(event: StartEvent | undefined): JsonObject {
    this.#isOwnFormat = event?.origin?.dialect === DIALECT_SLOT
    const id = event?.id ?? event?.origin?.responseId ?? ''
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
    return { id, type: 'message-start', delta: { message } }
  }

  #encodeCitation(events: readonly ChatEvent[], position: Json | undefined): JsonObject {
    const citations = events.flatMap((event) => (event.type === 'part-update' ? (event.citations ?? []) : []))
    const text = (position === undefined ? undefined : this.#texts.get(position)) ?? new CodePointOffsets()
    const block = typeof position === 'number' ? position : 0
    return encodeCitations(citations, text, block, undefined, noReport)[0] ?? {}
  }

  #encodeEnd(events: readonly ChatEvent[]): JsonObject {
    const finish = events.find((event) => event.type === 'finish')?.finish
    const usage = events.findLast((event) => event.type === 'usage')?.usage
    const reason = finish && this.encodeFinishReason(finish)
    return {
      type: 'message-end',
      delta: {
        ...(reason !== undefined && { finish_reason: reason }),
        ...(usage !== undefined && { usage: encodeUsage(usage) }),
      },
    }
  }
}

function wrap(type: string, index: Json | undefined, message?: JsonObject): JsonObject {
  return { type, ...(index !== undefined && { index }), ...(message !== undefined && { delta: { message } }) }
}

function toNext(position: Json | undefined, next: number): number {
  return typeof position === 'number' ? Math.max(position + 1, next) : next
}

function findPart(events: readonly ChatEvent[]): AssistantPart | undefined {
  return events.find((event) => event.type === 'part-start')?.part
}

function encodeBlockStart(part: AssistantPart | undefined): JsonObject {
  if (part?.type === 'reasoning') return createThinkingBlock(part.text)
  if (part?.type === 'opaque' && isObject(part.value)) return part.value
  return createTextBlock(part?.type === 'text' ? part.text : '')
}

function encodeContentDelta(events: readonly ChatEvent[]): JsonObject {
  const key = events.some((event) => event.type === 'reasoning-delta') ? 'thinking' : 'text'
  return { [key]: joinTexts(events) }
}

function encodeCallStart(part: AssistantPart | undefined, events: readonly ChatEvent[]): JsonObject {
  if (part?.type !== 'tool-call') return {}
  const name = encodeToolName(part.name, getHints(part, DIALECT_SLOT), toolNameRule, undefined, noReport)
  return { id: part.id, type: 'function', function: { name, arguments: joinArguments(events) } }
}

function joinTexts(events: readonly ChatEvent[]): string {
  return events
    .map((event) => (event.type === 'text-delta' || event.type === 'reasoning-delta' ? event.text : ''))
    .join('')
}

function joinArguments(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'arguments-delta' ? event.json : '')).join('')
}

function readObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
