import type { Citation } from '../../canonical/model/citation.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { pushAll, type StreamReader } from '../engine/frame-reader-writer.ts'
import { withHints } from '../engine/residue-slots.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import {
  collectOriginalToolNames,
  createToolNameHint,
  type OriginalToolNames,
  readToolName,
  restoreToolName,
} from '../shared/tool-names.ts'
import { decodeCitation } from './citations.ts'
import { CodePointOffsets } from './code-point-offsets.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { createReasoning } from './reasoning.ts'
import { decodeFinishWithCalls, decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import { isNullText } from './tool-calls.ts'

/** The open text, thinking block or tool plan. */
interface OpenPart {
  readonly index: number
  readonly kind: 'text' | 'thinking' | 'plan'
  /** The position of the block in the content. */
  readonly block: Json | undefined
  readonly text: CodePointOffsets
  lastCitation?: Citation | undefined
}

interface OpenCall {
  readonly part: ToolCallPart
  readonly index: number
  readonly reader: StreamArgumentsReader
  /** The arguments, as long as they are short enough to be the text `null`. */
  text: string
}

const NULL_TEXT_LENGTH = 16

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return new ResponseStreamReader(options)
}

/** Returns the type of a wire event. */
export function wireEventType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}

/**
 * Reads the events of a response. Citations of a text may follow the end of its block, so the text stays open until the next
 * part begins.
 */
class ResponseStreamReader implements StreamReader {
  readonly #options: DecodeOptions
  readonly #names: OriginalToolNames
  readonly #calls = new Map<Json | undefined, OpenCall>()
  #open: OpenPart | undefined
  #nextIndex = 0
  #hasCalls = false

  constructor(options: DecodeOptions) {
    this.#options = options
    this.#names = collectOriginalToolNames(options.request, toolNameRule)
  }

  #reset(): void {
    this.#calls.clear()
    this.#open = undefined
    this.#nextIndex = 0
    this.#hasCalls = false
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const { index, delta } = wire
    const fields = readObject(delta)
    const message = readObject(fields['message'])
    switch (wireEventType(wire)) {
      case 'message-start':
        // A second start begins another answer: recordings contain several.
        this.#reset()
        return [{ type: 'start', ...decodeResponseMetadata(wire, this.#options) }]
      case 'content-start':
        return this.#startBlock(index, readObject(message['content']))
      case 'content-delta':
        return this.#readContent(index, readObject(message['content']))
      case 'content-end':
        return this.#open !== undefined && this.#open.block === index ? [this.#touch(this.#open)] : []
      case 'tool-plan-delta':
        return this.#readPlan(message['tool_plan'])
      case 'tool-call-start':
        return this.#startCall(index, readObject(message['tool_calls']))
      case 'tool-call-delta':
        return this.#readArguments(
          index,
          readObject(readObject(message['tool_calls'])['function'])['arguments'],
        )
      case 'tool-call-end':
        return this.#endCall(index)
      case 'citation-start':
        return this.#readCitation(readObject(message['citations']))
      case 'citation-end':
        return this.#open?.kind === 'text' ? [this.#touch(this.#open)] : []
      case 'message-end':
        return this.#finish(fields)
    }
    return []
  }

  end(): readonly ChatEvent[] {
    return this.#endAll()
  }

  #startBlock(block: Json | undefined, content: JsonObject): ChatEvent[] {
    const { type, text, thinking } = content
    if (type === 'text' && (typeof text === 'string' || text === undefined))
      return this.#begin('text', block, typeof text === 'string' ? text : '')
    if (type === 'thinking' && (typeof thinking === 'string' || thinking === undefined))
      return this.#begin('thinking', block, typeof thinking === 'string' ? thinking : '')
    if (typeof type !== 'string' || type === 'text' || type === 'thinking') return []
    const events = this.#endOpen()
    const index = this.#nextIndex++
    events.push({ type: 'part-start', index, part: createOpaquePart(DIALECT_SLOT, content) })
    events.push({ type: 'part-end', index })
    return events
  }

  #begin(kind: OpenPart['kind'], block: Json | undefined, text: string): ChatEvent[] {
    const events = this.#endOpen()
    const index = this.#nextIndex++
    this.#open = { index, kind, block, text: new CodePointOffsets(text) }
    const part =
      kind === 'text'
        ? { type: 'text' as const, text }
        : createReasoning(kind === 'plan' ? 'toolPlan' : 'thinkingBlock', text)
    events.push({ type: 'part-start', index, part })
    return events
  }

  #readContent(block: Json | undefined, { text, thinking }: JsonObject): ChatEvent[] {
    const open = this.#open
    if (open === undefined || open.kind === 'plan' || open.block !== block) return []
    const piece = open.kind === 'text' ? text : thinking
    if (typeof piece !== 'string') return []
    open.text.append(piece)
    return [{ type: open.kind === 'text' ? 'text-delta' : 'reasoning-delta', index: open.index, text: piece }]
  }

  #readPlan(piece: Json | undefined): ChatEvent[] {
    if (typeof piece !== 'string') return []
    const events = this.#open?.kind === 'plan' ? [] : this.#begin('plan', undefined, '')
    events.push({ type: 'reasoning-delta', index: this.#open?.index ?? 0, text: piece })
    return events
  }

  #startCall(position: Json | undefined, wire: JsonObject): ChatEvent[] {
    const body = readObject(wire['function'])
    const name = readToolName(body)
    const { id } = wire
    if (name === undefined || typeof id !== 'string' || this.#calls.has(position)) return []
    const events = this.#endOpen()
    this.#hasCalls = true
    const index = this.#nextIndex++
    const call: ToolCallPart = { type: 'tool-call', id, name, arguments: {} }
    const part = restoreToolName(
      withHints(call, DIALECT_SLOT, createToolNameHint(name, toolNameRule)),
      this.#names,
      DIALECT_SLOT,
    )
    this.#calls.set(position, {
      part,
      index,
      reader: new StreamArgumentsReader(this.#options.limits),
      text: '',
    })
    events.push({ type: 'part-start', index, part })
    if (typeof body['arguments'] === 'string' && body['arguments'] !== '')
      pushAll(events, this.#readArguments(position, body['arguments']))
    return events
  }

  #readArguments(position: Json | undefined, piece: Json | undefined): ChatEvent[] {
    const call = this.#calls.get(position)
    if (call === undefined || typeof piece !== 'string') return []
    if (call.text.length < NULL_TEXT_LENGTH) call.text += piece
    return [call.reader.append(call.index, piece)]
  }

  #endCall(position: Json | undefined): ChatEvent[] {
    const call = this.#calls.get(position)
    if (call === undefined) return []
    this.#calls.delete(position)
    const { index, part, text } = call
    return [
      isNullText(text) ? { type: 'part-end', index, part, replaces: true } : { type: 'part-end', index },
    ]
  }

  #readCitation(wire: JsonObject): ChatEvent[] {
    const open = this.#open
    const { type, content_index: block } = wire
    if (open?.kind !== 'text' || type === 'PLAN' || type === 'THINKING_CONTENT') return []
    if (block !== undefined && block !== open.block) return []
    const citations = decodeCitation(
      wire,
      open.text,
      typeof open.block === 'number' ? open.block : 0,
      open.lastCitation,
    )
    open.lastCitation = citations.at(-1)
    return [{ type: 'part-update', index: open.index, citations }]
  }

  #finish({ finish_reason: raw, usage: counts }: JsonObject): ChatEvent[] {
    const events = this.#endAll()
    const usage = decodeUsage(counts)
    const finish = decodeFinishWithCalls(raw, this.#hasCalls)
    if (usage !== undefined) events.push({ type: 'usage', usage })
    if (finish !== undefined) events.push({ type: 'finish', finish })
    return events
  }

  /** Returns an event without content, which stands for a wire event that adds nothing to an open part. */
  #touch({ index }: OpenPart): ChatEvent {
    return { type: 'part-update', index }
  }

  #endOpen(): ChatEvent[] {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? [] : [{ type: 'part-end', index: open.index }]
  }

  #endAll(): ChatEvent[] {
    const events = this.#endOpen()
    for (const position of this.#calls.keys()) pushAll(events, this.#endCall(position))
    return events
  }
}

function readObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
