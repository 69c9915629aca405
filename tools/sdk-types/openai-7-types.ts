// `npm run check` type-checks this file and test/dialects/types.test.ts against `openai` 7. Never run.
import type { OpenAIChatChunk, OpenAIResponsesStreamEvent } from 'interlingua'
import type OpenAI from 'openai'

/** Fails against `openai` 6, which does not know calls of custom tools in streams. */
export function asChunk(chunk: OpenAIChatChunk): OpenAI.Chat.ChatCompletionChunk {
  return chunk
}

type Event = OpenAI.Responses.ResponseStreamEvent

/** Fails against `openai` 6, which wants a name where arguments end. The responses in events are checked elsewhere. */
export function asEvent(
  event: Exclude<OpenAIResponsesStreamEvent, { response: object }>,
): Exclude<Event, { response: object }> {
  return event
}
