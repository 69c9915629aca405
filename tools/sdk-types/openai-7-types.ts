// `npm run check` type-checks this file and test/dialects/types.test.ts against `openai` 7. Never run.
import type { OpenAIChatChunk } from 'interlingua/dialects/openai-chat'
import type { OpenAIResponsesStreamEvent } from 'interlingua/dialects/openai-responses'
import type OpenAI from 'openai'

/** Fails against `openai` 6, whose types lack custom tool calls in streams. */
export function asChunk(chunk: OpenAIChatChunk): OpenAI.Chat.ChatCompletionChunk {
  return chunk
}

type Event = OpenAI.Responses.ResponseStreamEvent

/**
 * Fails against `openai` 6, which requires a name where arguments end. Responses inside events are checked
 * elsewhere.
 */
export function asEvent(
  event: Exclude<OpenAIResponsesStreamEvent, { response: object }>,
): Exclude<Event, { response: object }> {
  return event
}
