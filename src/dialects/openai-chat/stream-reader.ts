import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isSafeInteger, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader, pushAll } from '../engine/stream-frames.ts'
import { collectRenamedTools } from '../shared/tool-names.ts'
import { createCallNullStripper } from '../shared/strict-nulls.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import { StreamCandidateReader } from './stream-candidate-reader.ts'

/** Creates the reader of a streamed completion. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  const names = collectRenamedTools(options.request, toolNameRule)
  const reading = {
    renamedTools: names,
    stripNulls: createCallNullStripper(options.request, DIALECT_SLOT),
    limits: options.limits,
  }
  const answers = new Map<number, StreamCandidateReader>()
  let started = false
  const answerAt = (index: Json | undefined): StreamCandidateReader => {
    const number = isSafeInteger(index) && index >= 0 ? index : 0
    const found = answers.get(number) ?? new StreamCandidateReader(number, reading)
    answers.set(number, found)
    return found
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      // Some hosts send a chunk about the prompt first; the response starts with the next chunk.
      if (!started && wire['id'] === '' && Array.isArray(choices) && choices.length === 0) return []
      const events: ChatEvent[] = started ? [] : [{ type: 'start', ...decodeResponseMetadata(wire) }]
      started = true
      for (const choice of itemsOf(choices)) {
        if (isObject(choice)) pushAll(events, readChoice(choice, answerAt(choice['index'])))
      }
      const counted = decodeUsage(usage) ?? readGroqUsage(wire['x_groq'])
      if (counted !== undefined) events.push({ type: 'usage', usage: counted })
      return events
    },
    end: () => [...answers.values()].flatMap((answer) => answer.close()),
  }
}

/** Reads the usage that Groq sends in a field of its own if the request did not ask for usage. */
function readGroqUsage(groq: Json | undefined): Usage | undefined {
  return isObject(groq) ? decodeUsage(groq['usage'], { usageField: 'x_groq' }) : undefined
}

function readChoice(
  { delta, finish_reason: finish }: JsonObject,
  answer: StreamCandidateReader,
): ChatEvent[] {
  const said = isObject(delta) ? answer.read(delta) : []
  return typeof finish === 'string' && finish !== '' ? [...said, ...answer.finish(finish)] : said
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
