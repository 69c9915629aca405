import { getBlockText, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { createChatStreamReader } from '../shared/chat-stream-reader.ts'
import { callIdRule, DIALECT_SLOT, DIALECT_VENDOR, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { ReasoningPart, TextPart } from '../../canonical/model/part.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { ChatCandidateReader } from '../shared/chat-candidate-reader.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'
import { decodeReferences, isReference } from './citations.ts'
import { readThinkingTexts } from './reasoning.ts'

/** The part that a thinking chunk opens. */
const openingReasoning: ReasoningPart = {
  type: 'reasoning',
  text: '',
  extra: createHintExtra(DIALECT_SLOT, { thinkingChunk: true }),
}

const openingText: TextPart = { type: 'text', text: '' }

/** The part that a text chunk of a list opens, so that its deltas are written as lists again. */
const openingTextChunk: TextPart = {
  ...openingText,
  extra: createHintExtra(DIALECT_SLOT, { chunkList: true }),
}

/** Reads one candidate of a stream: its content is text, or a list of chunks. */
class StreamCandidateReader extends ChatCandidateReader {
  /** True if references followed the open text: further text is then a new part, as in a complete response. */
  #isCited = false

  protected decodeFinish(raw: Json | undefined, hasCalls: boolean): Finish | undefined {
    return decodeFinishWithCalls(raw, hasCalls)
  }

  protected readDelta({ content, tool_calls: calls }: JsonObject): readonly ChatEvent[] {
    const texts = isList(content)
      ? content.flatMap((chunk) => this.#readChunk(chunk))
      : typeof content === 'string'
        ? this.#readPiece(content, openingText)
        : []
    if (!isList(calls)) return texts
    return [...texts, ...calls.flatMap((call) => (isObject(call) ? this.readCall(call) : []))]
  }

  #readChunk(chunk: Json): ChatEvent[] {
    if (isReference(chunk) && this.open?.field === 'text') {
      this.#isCited = true
      return [{ type: 'part-update', index: this.open.index, citations: decodeReferences([chunk]) }]
    }
    if (isObject(chunk) && chunk['type'] === 'text' && typeof chunk['text'] === 'string')
      return this.#readPiece(getBlockText(chunk), openingTextChunk)
    const texts =
      isObject(chunk) && chunk['type'] === 'thinking' ? readThinkingTexts(chunk['thinking']) : undefined
    return isObject(chunk) && texts !== undefined
      ? this.#readThinking(texts.join(''), chunk)
      : this.addComplete(createOpaquePart(DIALECT_SLOT, chunk))
  }

  /** Adds text to the open text, or opens a text. */
  #readPiece(text: string, opening: TextPart): ChatEvent[] {
    if (text === '') return []
    const isContinued = this.open?.field === 'text' && !this.#isCited
    this.#isCited = false
    const delta: ChatEvent = { type: 'text-delta', index: this.open?.index ?? 0, text }
    if (isContinued) return [delta]
    const opened = this.begin(opening, { field: 'text' })
    return [...opened, { type: 'text-delta', index: this.open?.index ?? 0, text }]
  }

  #readThinking(text: string, { signature, closed }: JsonObject): ChatEvent[] {
    const opened = this.open?.field === 'thinking' ? [] : this.begin(openingReasoning, { field: 'thinking' })
    const index = this.open?.index ?? 0
    const events: ChatEvent[] = [...opened]
    if (text !== '') events.push({ type: 'reasoning-delta', index, text })
    if (typeof signature === 'string' && signature !== '')
      events.push({ type: 'part-update', index, signature: { vendor: DIALECT_VENDOR, value: signature } })
    return closed === true ? [...events, ...this.endOpen()] : events
  }
}

/** Creates the reader of a streamed completion. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return createChatStreamReader(options, {
    slot: DIALECT_SLOT,
    callIdRule,
    toolNameRule,
    createCandidateReader: (candidate, context) => new StreamCandidateReader(candidate, context),
    decodeMetadata: decodeResponseMetadata,
    decodeChunkUsage: ({ usage }) => decodeUsage(usage),
  })
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
