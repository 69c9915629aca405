import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, isSafeInteger, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { pushAll, type StreamReader } from '../engine/frame-reader-writer.ts'
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
    const found = readers.get(candidate) ?? format.createCandidateReader(candidate, context)
    readers.set(candidate, found)
    return found
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      // Some hosts send a chunk about the prompt first; the response starts with the next chunk.
      if (!isStarted && wire['id'] === '' && Array.isArray(choices) && choices.length === 0) return []
      const events: ChatEvent[] = isStarted ? [] : [{ type: 'start', ...format.decodeMetadata(wire) }]
      isStarted = true
      for (const choice of itemsOf(choices)) {
        if (!isObject(choice)) continue
        const reader = getReader(choice['index'])
        if (isObject(choice['delta'])) pushAll(events, reader.read(choice['delta']))
        pushAll(events, reader.finish(choice['finish_reason']))
      }
      const decodedUsage = format.decodeChunkUsage(wire)
      if (decodedUsage !== undefined) events.push({ type: 'usage', usage: decodedUsage })
      return events
    },
    end: () => [...readers.values()].flatMap((reader) => reader.close()),
  }
}
