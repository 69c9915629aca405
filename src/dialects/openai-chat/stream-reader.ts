import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isSafeInteger, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader, pushAll } from '../engine/frame-reader-writer.ts'
import { collectOriginalToolNames } from '../shared/tool-names.ts'
import { createCallNullStripper } from '../shared/strict-nulls.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import { StreamCandidateReader } from './stream-candidate-reader.ts'

/** Creates the reader of a streamed completion. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  const context = {
    renamedTools: collectOriginalToolNames(options.request, toolNameRule),
    stripNulls: createCallNullStripper(options.request, DIALECT_SLOT),
    limits: options.limits,
  }
  const readers = new Map<number, StreamCandidateReader>()
  let isStarted = false
  const getReader = (index: Json | undefined): StreamCandidateReader => {
    const candidate = isSafeInteger(index) && index >= 0 ? index : 0
    const found = readers.get(candidate) ?? new StreamCandidateReader(candidate, context)
    readers.set(candidate, found)
    return found
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      // Some hosts send a chunk about the prompt first; the response starts with the next chunk.
      if (!isStarted && wire['id'] === '' && Array.isArray(choices) && choices.length === 0) return []
      const events: ChatEvent[] = isStarted ? [] : [{ type: 'start', ...decodeResponseMetadata(wire) }]
      isStarted = true
      for (const choice of itemsOf(choices)) {
        if (!isObject(choice)) continue
        const reader = getReader(choice['index'])
        if (isObject(choice['delta'])) pushAll(events, reader.read(choice['delta']))
        pushAll(events, reader.finish(choice['finish_reason']))
      }
      const decodedUsage = decodeUsage(usage) ?? readGroqUsage(wire['x_groq'])
      if (decodedUsage !== undefined) events.push({ type: 'usage', usage: decodedUsage })
      return events
    },
    end: () => [...readers.values()].flatMap((reader) => reader.close()),
  }
}

/** Reads the usage that Groq sends in a field of its own if the request did not ask for usage. */
function readGroqUsage(groq: Json | undefined): Usage | undefined {
  return isObject(groq) ? decodeUsage(groq['usage'], { usageField: 'x_groq' }) : undefined
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
