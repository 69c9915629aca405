// `npm run check` type-checks this file and test/dialects/types.test.ts against `openai` 7. Never run.
import type { OpenAIChatChunk } from 'interlingua'
import type OpenAI from 'openai'

/** Fails against `openai` 6, which does not know calls of custom tools in streams. */
export function asChunk(chunk: OpenAIChatChunk): OpenAI.Chat.ChatCompletionChunk {
  return chunk
}
