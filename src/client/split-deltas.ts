import type { ArgumentsDeltaEvent, ChatEvent } from '../canonical/model/event.ts'
import { StreamArguments } from '../dialects/shared/stream-arguments.ts'

/** The longest piece, for text without spaces. */
const MAX_CHUNK_CHARACTERS = 24

/** A word with the space behind it, or a piece of a long one; a character is never cut in two. */
const CHUNK_PATTERN = new RegExp(`\\S{1,${MAX_CHUNK_CHARACTERS}}\\s*|\\s+`, 'gu')

/**
 * Events with their deltas in pieces of about a word, as a model would send them; joined, the pieces say the same.
 * Each delta is taken for the only one of its part, as {@link emit} makes them.
 *
 * @example
 * chunked(emit(response))
 */
export function* splitDeltas(events: Iterable<ChatEvent>): Generator<ChatEvent, void, undefined> {
  for (const event of events) {
    if (event.type === 'arguments-delta') yield* splitArgumentsDelta(event)
    else if ('text' in event) for (const text of splitText(event.text)) yield { ...event, text }
    else yield event
  }
}

function* splitArgumentsDelta(event: ArgumentsDeltaEvent): Generator<ChatEvent, void, undefined> {
  const accumulated = new StreamArguments()
  for (const json of splitText(event.json)) yield { ...event, ...accumulated.append(event.index, json) }
}

function splitText(text: string): readonly string[] {
  return text.match(CHUNK_PATTERN) ?? [text]
}
