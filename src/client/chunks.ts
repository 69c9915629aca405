import type { ArgumentsDeltaEvent, ChatEvent } from '../canonical/model/event.ts'
import { StreamedArguments } from '../dialects/shared/streamed-arguments.ts'

/** The longest piece, for text without spaces. */
const LONGEST = 24

/** A word with the space behind it, or a piece of a long one; a character is never cut in two. */
const PIECES = new RegExp(`\\S{1,${LONGEST}}\\s*|\\s+`, 'gu')

/**
 * Events with their deltas in pieces of about a word, as a model would send them; joined, the pieces say the same.
 * Each delta is taken for the only one of its part, as {@link emit} makes them.
 *
 * @example
 * chunked(emit(response))
 */
export function* chunked(events: Iterable<ChatEvent>): Generator<ChatEvent, void, undefined> {
  for (const event of events) {
    if (event.type === 'arguments-delta') yield* argumentsInPieces(event)
    else if ('text' in event) for (const text of piecesOf(event.text)) yield { ...event, text }
    else yield event
  }
}

function* argumentsInPieces(event: ArgumentsDeltaEvent): Generator<ChatEvent, void, undefined> {
  const growing = new StreamedArguments()
  for (const json of piecesOf(event.json)) yield { ...event, ...growing.grow(event.index, json) }
}

function piecesOf(text: string): readonly string[] {
  return text.match(PIECES) ?? [text]
}
