import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader, pushAll } from '../engine/frame-reader-writer.ts'
import { joinLists } from '../engine/join-lists.ts'
import { createCallIdGenerator } from '../shared/call-ids.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import { decodeToolCalls } from './tool-calls.ts'
import { RESPONSE_SLOT } from './constants.ts'
import { decodeFinishWithCalls, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { decodeMedia } from './media.ts'
import { isTextCompletion, toChatMessage } from './parts.ts'
import { ownReasoningMarker } from './reasoning.ts'

/** Reads the message of a stream. It tracks the open part and the next index. */
class StreamCandidateReader {
  readonly #ids = createCallIdGenerator()
  readonly #limits: StreamLimits | undefined
  #calls = 0
  #parts = 0
  #open: { readonly type: 'text' | 'reasoning'; readonly index: number } | undefined

  constructor(identity: string, limits: StreamLimits | undefined) {
    this.#ids.recordId(identity)
    this.#limits = limits
  }

  /** Ends the open part. */
  close(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index } = this.#open
    this.#open = undefined
    return [{ type: 'part-end', index }]
  }

  /** Adds text or reasoning to the open part, or opens a part. */
  #grow(type: 'text' | 'reasoning', text: Json | undefined): ChatEvent[] {
    if (typeof text !== 'string' || text === '') return []
    if (this.#open?.type === type) return [{ type: `${type}-delta`, index: this.#open.index, text }]
    const opened = this.#begin(type)
    return [...opened, { type: `${type}-delta`, index: this.#open?.index ?? 0, text }]
  }

  #begin(type: 'text' | 'reasoning'): ChatEvent[] {
    const closed = this.close()
    const index = this.#parts++
    this.#open = { type, index }
    const part = { type, text: '', ...(type === 'reasoning' && ownReasoningMarker) }
    return [...closed, { type: 'part-start', index, part }]
  }

  /** Adds a complete part: an image or a call. */
  #addCompletePart(part: AssistantPart, json = ''): ChatEvent[] {
    const closed = this.close()
    const index = this.#parts++
    return [
      ...closed,
      { type: 'part-start', index, part },
      ...(json === '' ? [] : [new StreamArgumentsReader(this.#limits).append(index, json)]),
      { type: 'part-end', index },
    ]
  }

  /** Reads the message of a line. */
  read({ thinking, images, content, tool_calls: wire }: JsonObject): readonly ChatEvent[] {
    const reasoning = this.#grow('reasoning', thinking)
    if (images === undefined && wire === undefined) return joinLists(reasoning, this.#grow('text', content))
    const events = [...reasoning]
    for (const image of decodeMedia(images)) pushAll(events, this.#addCompletePart(image))
    pushAll(events, this.#grow('text', content))
    const calls = decodeToolCalls(wire, RESPONSE_SLOT, this.#ids, this.#calls)
    this.#calls += calls.length
    for (const call of calls) {
      const json = JSON.stringify(call.arguments)
      pushAll(events, this.#addCompletePart({ ...call, arguments: {} }, json === '{}' ? '' : json))
    }
    return events
  }

  finish(wire: JsonObject): ChatEvent[] {
    const finish = decodeFinishWithCalls(wire, this.#calls > 0)
    return finish === undefined ? [] : [...this.close(), { type: 'finish', finish }]
  }
}

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  let reader: StreamCandidateReader | undefined
  return {
    read(wire) {
      if (!isObject(wire['message']) && typeof wire['response'] !== 'string' && wire['done'] !== true)
        return []
      // The first line contains the metadata of the response.
      const metadata = reader === undefined ? decodeResponseMetadata(wire, options) : undefined
      const start: readonly ChatEvent[] = metadata === undefined ? [] : [{ type: 'start', ...metadata }]
      reader ??= new StreamCandidateReader(metadata?.id ?? '', options.limits)
      const content = joinLists(start, reader.read(toChatMessage(wire)))
      const events = joinLists(content, reader.finish(wire))
      const usage = decodeUsage(wire)
      return usage === undefined ? events : [...events, { type: 'usage', usage }]
    },
    end: () => reader?.close() ?? [],
  }
}

/** Returns the type of a line: a chunk of a chat, or of the older API that completes a prompt. */
export function wireEventType(wire: JsonObject): string {
  return isTextCompletion(wire) ? 'completion' : 'chunk'
}
