import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, isSafeInteger, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader } from '../engine/frame-reader-writer.ts'
import { joinEach, joinLists } from '../engine/join-lists.ts'
import type { ChatCandidateReader } from './chat-candidate-reader.ts'
import type { ResponseMetadata } from './response-metadata.ts'
import type { CallFormat, CallReadContext } from './stream-call-reader.ts'
import { createCallNullStripper } from './strict-nulls.ts'
import { collectOriginalToolNames } from './tool-names.ts'

/** A format whose streams are chunks with `choices`, and how it reads them. */
interface ChunkFormat extends CallFormat {
  createCandidateReader(candidate: number, context: CallReadContext): ChatCandidateReader
  decodeMetadata(chunk: JsonObject): ResponseMetadata
  /** Returns the usage that a chunk contains. */
  decodeChunkUsage(chunk: JsonObject): Usage | undefined
}

/** Creates the reader of a stream of chunks. */
export function createChatStreamReader(options: DecodeOptions, format: ChunkFormat): StreamReader {
  const context: CallReadContext = {
    format,
    renamedTools: collectOriginalToolNames(options.request, format.toolNameRule),
    stripNulls: createCallNullStripper(options.request, format.slot),
    limits: options.limits,
  }
  const readers = new Map<number, ChatCandidateReader>()
  let isStarted = false
  const getReader = (index: Json | undefined): ChatCandidateReader => {
    const candidate = isSafeInteger(index) && index >= 0 ? index : 0
    const known = readers.get(candidate)
    if (known !== undefined) return known
    const created = format.createCandidateReader(candidate, context)
    readers.set(candidate, created)
    return created
  }
  const readChoice = (choice: Json): readonly ChatEvent[] => {
    if (!isObject(choice)) return []
    const { index, delta, finish_reason: finishReason } = choice
    const reader = getReader(index)
    const content = isObject(delta) ? reader.read(delta) : []
    return joinLists(content, reader.finish(finishReason))
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      // Some hosts send a chunk about the prompt first; the response starts with the next chunk.
      if (!isStarted && wire['id'] === '' && Array.isArray(choices) && choices.length === 0) return []
      const start: readonly ChatEvent[] = isStarted ? [] : [{ type: 'start', ...format.decodeMetadata(wire) }]
      isStarted = true
      const events = joinLists(start, joinEach(itemsOf(choices), readChoice))
      const decodedUsage = format.decodeChunkUsage(wire)
      return decodedUsage === undefined ? events : [...events, { type: 'usage', usage: decodedUsage }]
    },
    end: () => [...readers.values()].flatMap((reader) => reader.close()),
  }
}
