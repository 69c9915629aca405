import { type ConversationFormat, defineConversationFormat } from '../engine/conversation-format.ts'
import { recordCodec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { GeminiTuningRecord } from './types.ts'

export type { ConversationFormat, ImportedConversation } from '../engine/conversation-format.ts'
export type { GeminiTuningRecord } from './types.ts'

/**
 * Lines of tuning files of Gemini on Vertex AI: contents with a system instruction and tools, and rated answers, of which the one with
 * the highest score is the current branch.
 *
 * @example
 * const line = JSON.stringify(geminiTuning.toConversation(request).value)
 */
export const geminiTuning: ConversationFormat<typeof NAME, GeminiTuningRecord> =
  /* @__PURE__ */ defineConversationFormat(recordCodec)
