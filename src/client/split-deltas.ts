import type { ArgumentsDeltaEvent, ChatEvent } from '../canonical/model/event.ts'
import { StreamArgumentsReader } from '../dialects/shared/tool-arguments.ts'

/** Matches a word with the spaces after it, or a piece of a long word, without splitting surrogate pairs. */
const CHUNK_PATTERN = /\S{1,24}\s*|\s+/gu

/** Splits the deltas of {@link toEvents}, one per part, into pieces of about a word, as a model sends them. */
export function* splitDeltas(events: Iterable<ChatEvent>): Generator<ChatEvent, void, undefined> {
  for (const event of events) {
    if (event.type === 'arguments-delta') yield* splitArgumentsDelta(event)
    else if ('text' in event) for (const text of splitText(event.text)) yield { ...event, text }
    else yield event
  }
}

function* splitArgumentsDelta(event: ArgumentsDeltaEvent): Generator<ChatEvent, void, undefined> {
  const accumulated = new StreamArgumentsReader()
  for (const json of splitText(event.json)) yield { ...event, ...accumulated.append(event.index, json) }
}

function splitText(text: string): readonly string[] {
  return text.match(CHUNK_PATTERN) ?? [text]
}
